"""Runs that are killed or stopped, and go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_runs import run, train_flags

from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.training import models

ROOT = Path(models.__file__).parents[2]


def test_killed_run_goes_on_and_ends_like_an_uninterrupted_one(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ["--eval_strategy", "steps", "--eval_steps", "1"]
    steps += ["--save_strategy", "steps", "--save_steps", "1"]
    flags = ["--do_train", "--do_eval", *steps]
    run(*flags, *train_flags(checkpoint, tmp_path / "whole"))

    from mcrc_adversarial.training import MultipleChoiceTrainer

    saved = MultipleChoiceTrainer._save_checkpoint

    def die_at_two(self: MultipleChoiceTrainer, model: Any, trial: Any) -> None:
        if self.state.global_step == 2:
            raise KeyboardInterrupt
        saved(self, model, trial)

    monkeypatch.setattr(MultipleChoiceTrainer, "_save_checkpoint", die_at_two)
    with pytest.raises(KeyboardInterrupt):
        run(*flags, *train_flags(checkpoint, tmp_path / "killed"))
    monkeypatch.undo()
    assert not (tmp_path / "killed" / "metrics.json").exists()
    run(*flags, *train_flags(checkpoint, tmp_path / "killed"))

    for name in ("model.safetensors", "metrics.json", "predictions/sample-q-remove.jsonl"):
        first, second = (tmp_path / run_name / name for run_name in ("whole", "killed"))
        assert first.read_bytes() == second.read_bytes(), name


def test_killed_run_does_not_go_on_with_edited_data(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial import experiment

    def die(_: object) -> None:
        raise KeyboardInterrupt

    rows = [
        {"id": str(n), "passage": f"Ann has {n}.", "question": "who?", "options": ["Ann", "Bo"],
         "label": 0}
        for n in range(8)
    ]  # fmt: skip
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    flags = ["--do_train", "--do_predict", *train_flags(checkpoint, tmp_path / "run"), "--train",
             "custom", "--evaluate", "custom", "--data_files",
             *(f"{split}={file}" for split in ("train", "validation", "test"))]  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(experiment, "train", die)
        with pytest.raises(KeyboardInterrupt):
            run(*flags)
    rows[3]["passage"] = "Bo has 3."
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    with pytest.raises(OutputError, match=r"unfinished run with 8 rows of custom/train \(sha256"):
        run(*flags)


def test_interrupted_training_is_one_line_and_ends_by_the_signal(
    checkpoint: str, tmp_path: Path
) -> None:
    code = (
        "import sys, train; from mcrc_adversarial import experiment\n"
        "def stopped(trainer): raise KeyboardInterrupt\n"
        "experiment.train = stopped\n"
        "train.main(sys.argv[1:])"
    )
    flags = ["--do_train", *train_flags(checkpoint, tmp_path / "run")]

    done = subprocess.run(
        [sys.executable, "-c", code, *flags], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == (
        "train.py: interrupted; the same command, without --overwrite_run, goes on from the last"
        " checkpoint"
    )
    assert "Traceback" not in done.stderr
