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


def test_trained_model_answers_as_it_did(tmp_path: Path) -> None:
    checkpoint, folder = tmp_path / "tiny", tmp_path / "run"
    tiny_models.bert(tiny_training.BERT).save_pretrained(checkpoint)
    tiny_training.BERT.save_pretrained(checkpoint)
    run_experiment(
        parse_arguments([
            "--do_train", "--do_predict", "--model_name_or_path", str(checkpoint),
            "--output_dir", str(folder), "--train", "sample", "--train_limit", "8",
            "--validation_limit", "4", "--num_train_epochs", "1", "--evaluate", "sample",
            "--evaluate_limit", "9", "--max_length", "96", "--dtype", "float32", "--use_cpu",
            "--learning_rate", "1e-3",
        ])
    )  # fmt: skip
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
