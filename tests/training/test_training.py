from __future__ import annotations

import resource
from pathlib import Path

import pytest
import tiny_models
import tiny_training
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from mcrc_adversarial.encoding import Encoder, encode_rows
from mcrc_adversarial.encoding.batching import collate
from mcrc_adversarial.errors import OutputError, ParameterError
from mcrc_adversarial.training import (
    MultipleChoiceTrainer,
    TrainingData,
    last_checkpoint,
    remove_incomplete,
    train,
)
from mcrc_adversarial.training.batches import TrainingQuestions
from mcrc_adversarial.training.saving import saving

NO_CHECKPOINTS = {
    "eval_strategy": "no",
    "save_strategy": "no",
    "load_best_model_at_end": False,
}


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


def without_dropout(model: nn.Module) -> None:
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0


def losses(trainer: MultipleChoiceTrainer) -> list[float]:
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def test_training_lowers_the_loss(tmp_path: Path) -> None:
    data = tiny_training.training_data(8, n_words=10)
    trainer = tiny_training.trainer(
        tmp_path, data, num_train_epochs=20, learning_rate=3e-3, **NO_CHECKPOINTS
    )
    without_dropout(trainer.model)

    train(trainer)

    found = losses(trainer)
    assert sum(found[-5:]) < 0.1 * sum(found[:5])


def test_compute_loss_is_the_mean_over_questions_of_different_numbers_of_options(
    tmp_path: Path,
) -> None:
    data = tiny_training.training_data()
    trainer = tiny_training.trainer(tmp_path, data, **NO_CHECKPOINTS)
    trainer.model.eval()
    numbers = range(6)
    questions = [data.train.questions[number] for number in numbers]
    labels = [data.train.labels[number] for number in numbers]
    assert len({question.n_options for question in questions}) > 2

    with torch.no_grad():
        batch = collate(questions, labels, data.encoder.pad_id)
        found = trainer.compute_loss(trainer.model, batch)
        one_by_one = []
        for question, label in zip(questions, labels, strict=True):
            alone = collate([question], None, data.encoder.pad_id)
            inputs = {
                name: alone[name] for name in ("input_ids", "attention_mask", "token_type_ids")
            }
            logits = trainer.model(**inputs).logits.reshape(1, -1)
            one_by_one.append(cross_entropy(logits, torch.tensor([label])))

    assert isinstance(found, Tensor)
    torch.testing.assert_close(found, torch.stack(one_by_one).mean())


def gradients(folder: Path, **settings: int) -> dict[str, Tensor]:
    """Of the first update, over the same four questions however they are cut up."""
    data = tiny_training.training_data()
    four = TrainingQuestions(data.train.questions[:4], data.train.labels[:4])
    trainer = tiny_training.trainer(
        folder,
        TrainingData(four, data.validation, data.encoder),
        num_train_epochs=1,
        optim="sgd",
        weight_decay=0.0,
        max_grad_norm=0.0,
        learning_rate=1.0,
        lr_scheduler_type="constant",
        **NO_CHECKPOINTS,
        **settings,
    )
    without_dropout(trainer.model)
    before = tiny_training.weights(trainer.model)
    train(trainer)
    assert trainer.state.global_step == 1
    return {
        name: before[name] - value for name, value in tiny_training.weights(trainer.model).items()
    }


def test_four_batches_of_one_make_the_update_of_one_batch_of_four(tmp_path: Path) -> None:
    whole = gradients(tmp_path / "a", per_device_train_batch_size=4)
    parts = gradients(tmp_path / "b", per_device_train_batch_size=1, gradient_accumulation_steps=4)
    uneven = gradients(tmp_path / "c", per_device_train_batch_size=3, gradient_accumulation_steps=2)

    assert max(float(value.abs().max()) for value in whole.values()) > 1e-3
    for name, value in whole.items():
        torch.testing.assert_close(value, parts[name], rtol=1e-4, atol=1e-6, msg=name)
        torch.testing.assert_close(value, uneven[name], rtol=1e-4, atol=1e-6, msg=name)


@pytest.mark.parametrize(("is_common", "factor"), [(True, 2), (False, 1)])
def test_loss_is_scaled_by_the_processes_only_where_they_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_common: bool, factor: int
) -> None:
    data = tiny_training.training_data()
    trainer = tiny_training.trainer(
        tmp_path, data, average_tokens_across_devices=is_common, **NO_CHECKPOINTS
    )
    trainer.model.eval()
    monkeypatch.setattr(type(trainer.accelerator), "num_processes", 2)
    questions, labels = data.train.questions[:4], data.train.labels[:4]

    def loss(n_items: int | None) -> Tensor:
        batch = collate(questions, labels, data.encoder.pad_id)
        found = trainer.compute_loss(trainer.model, batch, num_items_in_batch=n_items)
        assert isinstance(found, Tensor)
        return found

    with torch.no_grad():
        torch.testing.assert_close(loss(4), factor * loss(None))


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


def test_weights_without_a_part_name_the_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = tiny_training.trainer(tmp_path)

    def fails(**_: object) -> None:
        msg = "Expected to ... parameters that were not used in producing loss. You can ..."
        raise RuntimeError(msg)

    monkeypatch.setattr(trainer, "train", fails)
    with pytest.raises(ParameterError, match="give --ddp_find_unused_parameters True"):
        train(trainer)


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


def test_evaluate_counts_the_validation_rows_themselves(tmp_path: Path) -> None:
    data = tiny_training.training_data()
    trainer = tiny_training.trainer(tmp_path, data, **NO_CHECKPOINTS)
    model = trainer.model.eval()
    n_right = 0
    for row in data.validation:
        batch = collate(encode_rows([row], data.encoder), None, data.encoder.pad_id)
        inputs = {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
        with torch.no_grad():
            n_right += int(model(**inputs).logits.argmax()) == row["label"]

    assert trainer.evaluate()["eval_accuracy"] == n_right / len(data.validation)


def test_training_prints_nothing_on_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(tiny_training.trainer(tmp_path, num_train_epochs=1))

    assert capsys.readouterr().out == ""


def test_gradient_checkpointing_gives_the_same_loss(tmp_path: Path) -> None:
    found = []
    for name, value in (("a", False), ("b", True)):
        trainer = tiny_training.trainer(
            tmp_path / name, num_train_epochs=1, activation_checkpointing=value, **NO_CHECKPOINTS
        )
        train(trainer)
        found.append(losses(trainer))

    assert found[0] == pytest.approx(found[1], rel=1e-4)


def test_bf16_on_a_cpu_stays_near_float32(tmp_path: Path) -> None:
    found = []
    for name, value in (("a", False), ("b", True)):
        trainer = tiny_training.trainer(
            tmp_path / name, num_train_epochs=1, bf16=value, **NO_CHECKPOINTS
        )
        train(trainer)
        found.append(losses(trainer))

    assert found[0] != found[1]
    assert found[0][0] == pytest.approx(found[1][0], rel=0.05)


def test_encoder_is_saved_with_the_model(tmp_path: Path) -> None:
    trainer = tiny_training.trainer(tmp_path, num_train_epochs=1)
    train(trainer)
    trainer.save_model()

    again = type(tiny_training.BERT).from_pretrained(tmp_path)
    row = tiny_models.row()
    first = Encoder(tiny_training.BERT, max_length=64).encode(row).input_ids
    assert Encoder(again, max_length=64).encode(row).input_ids == first
