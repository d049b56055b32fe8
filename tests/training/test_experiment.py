"""A run from its flags to its folder: trained, scored, or refused before it costs anything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import tiny_models
import tiny_training
import torch
from datasets import load_dataset
from small_runs import CONFIGS, SMALL, run, train_flags
from transformers import AutoModel

from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.errors import DataError, McrcError, ParameterError, ResourceError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.dry_run import dry_run
from mcrc_adversarial.inference.baselines import score_baseline
from mcrc_adversarial.predictions import load_predictions
from mcrc_adversarial.training.data import RunData
from mcrc_adversarial.training.recipe import parse_arguments


def test_run_trains_scores_and_records(
    checkpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"

    metrics = run("--do_train", "--do_eval", *train_flags(checkpoint, folder))

    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["config", "sample", *CONFIGS]
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["state"] == "finished"
    assert record["training"]["questions"] == 12
    assert record["training"]["steps"] == 3
    assert record["overlap"] == {"sample": {"passages": 0, "questions": 0, "of_questions": 12}}
    assert set(record["data"]) == {
        "sample/train",
        "sample/validation",
        "sample/test",
        *(f"{config}/test" for config in CONFIGS),
    }
    content = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert content == json.loads(json.dumps(metrics.as_dict("test")))
    for config in ("sample", *CONFIGS):
        found = load_predictions(folder, config)
        right = sum(a == b for a, b in zip(found.predictions, found.labels, strict=True))
        assert content["configs"][config]["accuracy"] == pytest.approx(right / 12)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| sample-q-remove | 12 |" in card
    assert ("**At chance:**" in card) is content["chance"]
    assert (folder / "model.safetensors").is_file()


def test_matching_model_is_trained_and_saved_as_a_plain_encoder(
    checkpoint: str, tmp_path: Path
) -> None:
    kind = ["--model_kind", "matching"]
    run("--do_train", "--do_eval", *kind, *train_flags(checkpoint, tmp_path / "run"))
    again = ["--do_predict", *kind, "--model_name_or_path", str(tmp_path / "run")]
    run(*again, "--evaluate", *CONFIGS, *SMALL, "--output_dir", str(tmp_path / "again"))

    before = AutoModel.from_pretrained(checkpoint).state_dict()
    trained = AutoModel.from_pretrained(tmp_path / "run").state_dict()
    changed = {name for name in before if not torch.equal(before[name], trained[name])}
    assert {name for name in before if "attention" in name} <= changed
    assert not any(name.startswith("classifier") for name in trained)
    for config in ("sample", *CONFIGS):
        first, second = (load_predictions(tmp_path / name, config) for name in ("run", "again"))
        torch.testing.assert_close(torch.tensor(first.logits), torch.tensor(second.logits))
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "A matching model" in card


def test_scoring_a_trained_run_again_gives_the_same_predictions(
    checkpoint: str, tmp_path: Path
) -> None:
    run("--do_train", "--do_predict", *train_flags(checkpoint, tmp_path / "run"))
    again = ["--do_predict", "--model_name_or_path", str(tmp_path / "run")]
    run(*again, "--evaluate", "sample", *SMALL, "--output_dir", str(tmp_path / "again"))

    first = load_predictions(tmp_path / "run", "sample")
    second = load_predictions(tmp_path / "again", "sample")
    assert first.ids == second.ids
    torch.testing.assert_close(torch.tensor(first.logits), torch.tensor(second.logits))
    assert not (tmp_path / "again" / "metrics.json").exists()


def test_test_split_is_read_only_after_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    from mcrc_adversarial import experiment
    from mcrc_adversarial.training import data as training_data

    train, load = experiment.train, training_data.load_dataset
    monkeypatch.setattr(
        experiment, "train", lambda trainer: (events.append("trained"), train(trainer))[1]
    )

    def loaded(*names: str, split: str, **keywords: Any) -> Any:
        events.append(split)
        return load(*names, split=split, **keywords)

    monkeypatch.setattr(training_data, "load_dataset", loaded)

    run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"))

    assert events == ["train", "validation", "trained", "test"]


def test_configs_to_score_that_no_stage_scores_are_remarked_upon(
    checkpoint: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run("--do_train", *train_flags(checkpoint, tmp_path / "run"), "--evaluate", "sample-q-remove")

    assert "none is scored without --do_eval or --do_predict" in caplog.text
    assert not (tmp_path / "run" / "metrics.json").exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--evaluate_split", "dev"], "corpus 'sample' has no split 'dev' here"),
        (["--shuffle_degree", "1.5"], "shuffle_degree is 1.5"),
        (["--evaluate", "sample-addsent"], "glove"),
    ],
)
def test_what_would_stop_the_scoring_is_known_before_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], message: str
) -> None:
    from mcrc_adversarial import experiment
    from mcrc_adversarial.training import data as training_data

    def never(_: object) -> None:
        pytest.fail("training began")

    def missing(name: str) -> None:
        msg = f"resource {name!r} is not on this machine"
        if name == "glove":
            raise ResourceError(msg)

    monkeypatch.setattr(experiment, "train", never)
    monkeypatch.setattr(training_data, "find", missing)
    with pytest.raises(McrcError, match=message):
        run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"), *flags)


def test_validation_row_that_cannot_be_encoded_is_named_before_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial import experiment

    def never(_: object) -> None:
        pytest.fail("training began")

    validation = RunData.validation
    question = "who " * 200

    def with_a_long_question(self: RunData, configs: Any) -> Any:
        return validation(self, configs).map(lambda row: {**row, "question": question})

    monkeypatch.setattr(experiment, "train", never)
    monkeypatch.setattr(RunData, "validation", with_a_long_question)
    with pytest.raises(ParameterError, match=r"row 'sample/validation/.*within max_length 96"):
        run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"))


def test_model_without_a_head_is_not_scored(checkpoint: str, tmp_path: Path) -> None:
    tiny_models.bert(tiny_training.BERT).bert.save_pretrained(tmp_path / "headless")
    tiny_training.BERT.save_pretrained(tmp_path / "headless")

    with pytest.raises(ParameterError, match=r"has no trained classifier.bias, classifier.weight"):
        run("--do_eval", "--model_name_or_path", str(tmp_path / "headless"), "--evaluate", "sample",
            "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip


def test_checkpoint_that_is_not_safetensors_is_refused_in_one_line(
    checkpoint: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pickled"
    shutil.copytree(checkpoint, folder)
    torch.save(tiny_models.bert(tiny_training.BERT).state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()

    with pytest.raises(ParameterError, match=r"cannot be loaded: .*safetensors") as raised:
        run("--do_eval", "--model_name_or_path", str(folder), "--evaluate", "sample",
            "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip
    assert "\n" not in str(raised.value)


def test_missing_split_is_an_error_and_no_other_is_taken(checkpoint: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"corpus 'sample' has no split 'dev' here, only"):
        run("--do_eval", "--model_name_or_path", checkpoint, "--evaluate", "sample",
            "--evaluate_split", "dev", "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip


def test_baseline_is_scored_without_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
        "--evaluate", "sample-p-remove", "--output_dir", str(tmp_path / "run"),
        "--use_cpu")  # fmt: skip

    rows = load_dataset("mcrc_adversarial", "sample", split="test")
    expected = score_baseline("word-overlap", {"sample": rows})["sample"]
    assert load_predictions(tmp_path / "run", "sample").predictions == expected.predictions
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_rule_that_cannot_decide_is_remarked_upon(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run("--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
        "--evaluate", "sample-p-remove", "--output_dir", str(tmp_path / "run"),
        "--use_cpu")  # fmt: skip

    assert "sample-p-remove: 300 of 300 rows have several best options" in caplog.text
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "`sample-p-remove`: 300 of 300 rows have several best options" in card
    content = json.loads((tmp_path / "run" / "metrics.json").read_text(encoding="utf-8"))
    assert content["tied"]["sample-p-remove"] == 300


def test_causal_model_is_scored(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = tiny_models.gpt2_tokenizer()
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=800, n_embd=16, n_layer=1, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "gpt")
    tokenizer.save_pretrained(tmp_path / "gpt")

    run("--do_predict", "--model_kind", "causal", "--model_name_or_path", str(tmp_path / "gpt"),
        "--causal_scoring", "letter", "--evaluate", "sample", "--output_dir", str(tmp_path / "run"),
        "--max_length", "800", "--evaluate_limit", "3", "--use_cpu")  # fmt: skip

    assert len(load_predictions(tmp_path / "run", "sample").ids) == 3


def test_dry_run_leaves_nothing_and_says_what_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shape = {
        "num_hidden_layers": 1,
        "hidden_size": 16,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "vocab_size": 9000,
        "max_position_embeddings": 512,
    }
    from mcrc_adversarial.training import stand_ins

    monkeypatch.setattr(stand_ins, "_SHAPES", {"bert-large-uncased": ("bert", shape)})
    arguments = parse_arguments(["bert-large-race", "--train", "sample", "--evaluate", "sample:*",
                                 "--dry_run", "--use_cpu"])  # fmt: skip

    text = str(dry_run(arguments))

    assert "google-bert/bert-large-uncased, randomly initialised" in text
    assert "tokenizer: a stand-in" in text
    assert "one step: loss 1." in text
    assert f"{1 + len(self_contained())} configs are there" in text
    assert text.endswith("dry run passed")
    assert list(tmp_path.iterdir()) == []


def test_length_beyond_the_model_is_one_line_before_training(
    checkpoint: str, tmp_path: Path
) -> None:
    for stage in ("--do_train", "--do_predict", "--dry_run"):
        flags = [stage, *train_flags(checkpoint, tmp_path / stage), "--max_length", "129"]
        arguments = parse_arguments(flags)
        with pytest.raises(ParameterError, match=r"give --max_length 128 or less"):
            dry_run(arguments) if stage == "--dry_run" else run_experiment(arguments)
