"""`train.py --push_to_hub`: what lies on the Hub, and loading the model from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_models
import tiny_training
import torch
import yaml
from hub_clients import plain_python
from hub_server import TOKEN, Fault, Hub
from huggingface_hub import constants
from transformers import AutoModelForMultipleChoice

from mcrc_adversarial.errors import HubError, OutputError, ParameterError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.publish import push_run
from mcrc_adversarial.training.recipe import parse_arguments

NAME = "ann/reader"
STAGES = ("--do_train", "--do_eval")


@pytest.fixture(autouse=True)
def _here(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)


@pytest.fixture
def flags(tmp_path: Path) -> list[str]:
    """Of a run of a few seconds with a tiny model."""
    tiny_models.bert(tiny_training.BERT).save_pretrained(tmp_path / "tiny")
    tiny_training.BERT.save_pretrained(tmp_path / "tiny")
    return [
        "--model_name_or_path", str(tmp_path / "tiny"), "--output_dir", str(tmp_path / "reader"),
        "--train", "sample", "--train_limit", "8", "--validation_limit", "4", "--use_cpu",
        "--num_train_epochs", "2", "--per_device_train_batch_size", "4", "--dtype", "float32",
        "--evaluate", "sample-q-remove", "--evaluate_limit", "8", "--max_length", "64",
    ]  # fmt: skip


def run(*argv: str) -> Any:
    return run_experiment(parse_arguments(list(argv)))


def test_run_is_pushed_whole_in_one_commit(hub: Hub, tmp_path: Path, flags: list[str]) -> None:
    run(*STAGES, "--push_to_hub", *flags)

    repo = hub.repos["model", NAME]
    assert repo.messages == ["initial commit", "Push a run"]
    assert not repo.private
    folder = tmp_path / "reader"
    for path in ("model.safetensors", "config.json", "tokenizer.json", "metrics.json",
                 "predictions/sample.jsonl", "predictions/sample-q-remove.jsonl"):  # fmt: skip
        assert hub.content("model", NAME, path) == (folder / path).read_bytes(), path
    record = json.loads(hub.content("model", NAME, "run.json"))
    assert record.pop("published") == sorted(repo.files.keys() - {".gitattributes"})
    assert record == json.loads((folder / "run.json").read_text())
    assert (folder / "checkpoint-4").is_dir()
    assert not [path for path in repo.files if "checkpoint" in path or "report" in path]
    assert TOKEN not in "".join(
        path.read_text("utf-8", errors="replace") for path in folder.rglob("*") if path.is_file()
    )


def test_what_no_run_writes_is_not_published(
    hub: Hub, tmp_path: Path, flags: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    run(*STAGES, *flags)
    folder = tmp_path / "reader"
    model = {path.name for path in folder.iterdir() if path.is_file()}
    for name in ("secret_notes.txt", "model.bin", ".env", "predictions/notes.jsonl"):
        (folder / name).write_text("mine")
    (folder / "model-00001-of-00002.safetensors").write_text("a part of a large model")
    caplog.set_level("INFO", "mcrc_adversarial")

    push_run(parse_arguments([*STAGES, "--push_to_hub", *flags]).run)

    assert set(hub.repos["model", NAME].files) == {
        *model, ".gitattributes", "model-00001-of-00002.safetensors",
        "predictions/sample.jsonl", "predictions/sample-q-remove.jsonl",
    }  # fmt: skip
    assert "not published, for no run writes it: .env, model.bin, secret_notes.txt" in caplog.text


def test_card_on_the_hub_has_the_table_of_attacks(
    hub: Hub, tmp_path: Path, flags: list[str]
) -> None:
    metrics = run(*STAGES, "--push_to_hub", *flags)

    card = hub.content("model", NAME, "README.md").decode()
    accuracy = metrics.as_dict("test")["configs"]["sample-q-remove"]["accuracy"]
    assert f"| sample-q-remove | 8 | {100 * accuracy:.1f} [" in card
    head = yaml.safe_load(card.split("---\n")[1])
    assert head["library_name"] == "transformers"
    assert head["license"] == "other"
    assert head["datasets"] == ["sample"]
    assert "- `sample`: CC0-1.0 (https://creativecommons.org" in card
    # The Hub refuses a card whose base model is no name.
    assert "base_model" not in card


@pytest.mark.slow
def test_pushed_model_is_loaded_by_plain_transformers(
    hub: Hub, tmp_path: Path, flags: list[str]
) -> None:
    run(
        *STAGES,
        "--push_to_hub",
        "--hub_model_id",
        "ann/other",
        "--hub_private_repo",
        "True",
        *flags,
    )
    code = (
        "from transformers import AutoModelForMultipleChoice, AutoTokenizer\n"
        "AutoTokenizer.from_pretrained('ann/other')\n"
        "model = AutoModelForMultipleChoice.from_pretrained('ann/other')\n"
        "model.save_pretrained('loaded')\n"
    )

    plain_python(hub, tmp_path, code)

    assert hub.repos["model", "ann/other"].private
    ours = AutoModelForMultipleChoice.from_pretrained(tmp_path / "reader").state_dict()
    loaded = AutoModelForMultipleChoice.from_pretrained(tmp_path / "loaded").state_dict()
    tiny_training.assert_equal_weights(ours, loaded)


def test_run_whose_push_broke_is_pushed_by_the_same_command(
    hub: Hub, tmp_path: Path, flags: list[str]
) -> None:
    hub.faults.append(Fault("PUT", "/lfs-store/", 500))
    with pytest.raises(
        HubError, match=r"cannot upload 'model.safetensors'.*the run itself is whole"
    ):
        run(*STAGES, "--push_to_hub", *flags)
    hub.faults.clear()
    model = (tmp_path / "reader" / "model.safetensors").stat()
    assert json.loads((tmp_path / "reader" / "run.json").read_text())["state"] == "finished"

    assert run(*STAGES, "--push_to_hub", *flags) is None

    assert (tmp_path / "reader" / "model.safetensors").stat().st_mtime_ns == model.st_mtime_ns
    assert "model.safetensors" in hub.repos["model", NAME].files
    with pytest.raises(OutputError, match="holds a finished run with learning_rate"):
        run(*STAGES, "--push_to_hub", *flags, "--learning_rate", "0.5")
    with pytest.raises(OutputError, match="holds a finished run; give"):
        run(*STAGES, *flags)


def test_run_that_may_not_be_pushed_is_not_begun(
    hub: Hub, tmp_path: Path, flags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")

    with pytest.raises(HubError, match="no token to push to 'reader' with"):
        run(*STAGES, "--push_to_hub", *flags)

    assert not (tmp_path / "reader").exists()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--do_eval", "--push_to_hub"), "give --do_train --do_eval"),
        ((*STAGES, "--hub_token", TOKEN), "hub_token is not taken"),
        ((*STAGES, "--push_to_hub", "--hub_strategy", "end"), "hub_strategy has no effect"),
        ((*STAGES, "--push_to_hub", "--hub_revision", "dev"), "hub_revision has no effect"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    flags: list[str], given: tuple[str, ...], says: str
) -> None:
    with pytest.raises(ParameterError, match=says) as caught:
        parse_arguments([*given, *flags])
    assert TOKEN not in str(caught.value)
