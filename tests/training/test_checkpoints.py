"""Checkpoints: written whole, gone on from, and the best one kept."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
import tiny_models
import tiny_training
import torch
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.training import last_checkpoint, remove_incomplete, train
from mcrc_adversarial.training.saving import saving


class Killed(Exception):
    """Stands for a process that dies."""


class KillAt(TrainerCallback):
    """Dies after a step, once its checkpoint is written where one is due."""

    def __init__(self, step: int) -> None:
        self.step = step

    def on_step_begin(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        **kwargs: object,
    ) -> None:
        if state.global_step == self.step:
            raise Killed


@pytest.mark.parametrize(
    ("strategy", "killed_at"),
    [
        # 18 questions in batches of 4: 5 steps an epoch, so 2 and 7 lie within one.
        ({"eval_strategy": "steps", "save_strategy": "steps", "save_steps": 2, "eval_steps": 2}, 3),
        ({"eval_strategy": "steps", "save_strategy": "steps", "save_steps": 7, "eval_steps": 7}, 9),
        ({"eval_strategy": "epoch", "save_strategy": "epoch"}, 8),
    ],
)
@pytest.mark.parametrize("budget", [0, 500])
def test_resumed_run_ends_with_the_weights_of_an_uninterrupted_one(
    tmp_path: Path, strategy: dict[str, object], killed_at: int, budget: int
) -> None:
    settings = {**strategy, "train_token_budget": budget, "load_best_model_at_end": False}
    whole = tiny_training.trainer(tmp_path / "whole", **settings)
    train(whole)

    killed = tiny_training.trainer(tmp_path / "killed", **settings)
    killed.add_callback(KillAt(killed_at))
    with pytest.raises(Killed):
        train(killed)
    assert last_checkpoint(tmp_path / "killed") is not None
    resumed = tiny_training.trainer(tmp_path / "killed", **settings)
    train(resumed)

    assert resumed.state.global_step == whole.state.global_step > killed_at
    tiny_training.assert_equal_weights(
        tiny_training.weights(whole.model), tiny_training.weights(resumed.model)
    )
    untrained = tiny_models.bert(tiny_training.BERT, seed=1)
    assert not torch.equal(untrained.classifier.weight, whole.model.classifier.weight)


def test_resume_skips_a_checkpoint_that_was_not_finished(tmp_path: Path) -> None:
    trainer = tiny_training.trainer(tmp_path, load_best_model_at_end=False)
    train(trainer)
    newest = last_checkpoint(tmp_path)
    assert newest is not None
    (newest / "complete").unlink()

    before = last_checkpoint(tmp_path)
    remove_incomplete(tmp_path)

    assert before is not None
    assert before.name == "checkpoint-5"
    assert not newest.exists()
    assert last_checkpoint(tmp_path) == before


# Of the 120 kB of the model, or the 240 kB of the optimiser's state.
@pytest.mark.parametrize("largest_file", [40_000, 160_000])
def test_checkpoint_that_does_not_fit_on_the_disk_is_one_line(
    tmp_path: Path, largest_file: int
) -> None:
    trainer = tiny_training.trainer(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, before[1]))
    try:
        with pytest.raises(OutputError, match=r"cannot be written \(.*; make space") as raised:
            train(trainer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert "\n" not in str(raised.value)
    assert last_checkpoint(tmp_path) is None


def test_other_errors_while_saving_are_not_taken_for_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="out of memory") as raised, saving(tmp_path):
        raise RuntimeError("out of memory")

    assert not isinstance(raised.value, OutputError)


def test_checkpoint_without_safetensors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checkpoint-4").mkdir()
    (tmp_path / "checkpoint-4" / "complete").touch()
    (tmp_path / "checkpoint-4" / "pytorch_model.bin").touch()

    with pytest.raises(OutputError, match=r"checkpoint-4' holds no model in safetensors"):
        last_checkpoint(tmp_path)


def test_saved_folders_hold_weights_as_safetensors_and_no_pickled_arguments(tmp_path: Path) -> None:
    trainer = tiny_training.trainer(tmp_path)
    train(trainer)
    trainer.save_model()

    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert {"model.safetensors", "config.json", "tokenizer.json"} <= names
    assert not {name for name in names if name.endswith((".bin", ".pt", ".pth", ".pkl"))}
    pickled = {path.name for path in tmp_path.rglob("*") if path.suffix in {".bin", ".pt", ".pth"}}
    assert pickled == {"optimizer.pt", "scheduler.pt", "rng_state.pth"}


def test_best_checkpoint_by_validation_is_what_remains(tmp_path: Path) -> None:
    trainer = tiny_training.trainer(tmp_path, num_train_epochs=4, save_total_limit=10)
    train(trainer)

    accuracies = {
        entry["step"]: entry["eval_accuracy"]
        for entry in trainer.state.log_history
        if "eval_accuracy" in entry
    }
    best = max(accuracies, key=lambda step: (accuracies[step], -step))
    assert trainer.state.best_model_checkpoint is not None
    assert trainer.state.best_model_checkpoint.endswith(f"checkpoint-{best}")
    assert trainer.evaluate()["eval_accuracy"] == accuracies[best]
