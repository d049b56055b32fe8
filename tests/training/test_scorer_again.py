"""A run's model is asked again with the run's settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tiny_models
import tiny_training
from datasets import load_dataset

from mcrc_adversarial.errors import McrcError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.again import _flags, scorer_again
from mcrc_adversarial.predictions import load_predictions
from mcrc_adversarial.training.recipe import parse_arguments

SETTINGS = {
    "model_kind": "matching",
    "max_length": 120,
    "fill_blank": True,
    "dtype": "bfloat16",
    "attn_implementation": "eager",
    "evaluate_token_budget": 600,
}


def trained(folder: Path, **settings: object) -> None:
    """A run in `folder`, of a model beside it."""
    checkpoint = folder.with_name("tiny")
    tiny_models.bert(tiny_training.BERT).save_pretrained(checkpoint)
    tiny_training.BERT.save_pretrained(checkpoint)
    flags = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    run_experiment(
        parse_arguments([
            "--do_train", "--do_predict", "--model_name_or_path", str(checkpoint),
            "--output_dir", str(folder), "--train", "sample", "--train_limit", "8",
            "--validation_limit", "4", "--num_train_epochs", "1", "--evaluate", "sample",
            "--evaluate_limit", "9", "--use_cpu", "--learning_rate", "1e-3", *flags,
        ])
    )  # fmt: skip


@pytest.mark.parametrize("model", ["", "checkpoint-1"])
def test_scoring_alone_takes_the_settings_of_training(tmp_path: Path, model: str) -> None:
    trained(tmp_path / "run", **SETTINGS)
    flags = ["--do_predict", "--use_cpu", "--evaluate", "sample", "--evaluate_limit", "9"]
    flags += ["--model_name_or_path", str(tmp_path / "run" / model)]

    arguments = parse_arguments([*flags, "--output_dir", str(tmp_path / "again")])
    run_experiment(arguments)

    groups = (arguments.model, arguments.data, arguments.run)
    found = {name: value for group in groups for name, value in vars(group).items()}
    assert {name: found[name] for name in SETTINGS} == SETTINGS
    assert any("asked as it was trained" in note for note in arguments.notes)
    assert "max_length 120" in arguments.notes[-1]
    first, second = (load_predictions(tmp_path / name, "sample") for name in ("run", "again"))
    assert first == second


def test_flags_come_before_the_settings_of_training(tmp_path: Path) -> None:
    trained(tmp_path / "run", **SETTINGS)
    flags = ["--do_predict", "--evaluate", "sample", "--output_dir", str(tmp_path / "again")]
    flags += ["--model_name_or_path", str(tmp_path / "run")]

    found = parse_arguments([*flags, "--max_length", "512", "--fill_blank", "False"])

    # Both are the defaults, and yet they were asked for.
    assert (found.data.max_length, found.data.fill_blank) == (512, False)
    assert found.model.model_kind == "matching"


def test_further_training_starts_from_the_defaults(tmp_path: Path) -> None:
    trained(tmp_path / "run", **SETTINGS)

    found = parse_arguments([
        "--do_train", "--train", "sample", "--model_name_or_path", str(tmp_path / "run"),
        "--output_dir", str(tmp_path / "more"),
    ])  # fmt: skip

    assert (found.model.model_kind, found.data.max_length) == ("multiple-choice", 512)


def test_record_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")

    with pytest.raises(McrcError, match=r"run\.json: this is no record of a run"):
        parse_arguments(["--do_eval", "--evaluate", "sample", "--output_dir", "x",
                         "--model_name_or_path", str(tmp_path)])  # fmt: skip


def test_trained_model_answers_as_it_did(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    trained(folder, max_length=96, dtype="float32")
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    before = load_predictions(folder, "sample")
    rows = load_dataset("mcrc_adversarial", "sample", split="test")
    asked = rows.filter(lambda row: row["id"] in set(before.ids))

    again = scorer_again(folder, record, "sample")("sample", asked)

    for now, then in zip(again.logits, before.logits, strict=True):
        assert now == pytest.approx(then, abs=1e-5)
    (folder / "model.safetensors").unlink()
    with pytest.raises(McrcError):
        scorer_again(folder, record, "sample")


def test_model_of_another_run_is_found_beside_the_run_from_any_folder(tmp_path: Path) -> None:
    scored, trained = tmp_path / "scored", tmp_path / "trained"
    scored.mkdir()
    trained.mkdir()
    record = {
        "arguments": {
            "model": {"model_name_or_path": "runs/trained"},
            "data": {"max_length": 9, "fill_blank": False},
            "run": {"do_train": False, "seed": 1, "evaluate_token_budget": 2},
        },
        "trainer": {"folder": "../trained"},
    }

    flags = list(_flags(scored, record, "sample"))

    model = Path(flags[flags.index("--model_name_or_path") + 1])
    assert model.resolve() == trained
    trained.rmdir()
    assert "runs/trained" in _flags(scored, record, "sample")
