from __future__ import annotations

from pathlib import Path

import pytest
import tiny_models
import tiny_training
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from mcrc_adversarial.encoding import Encoder, encode_rows
from mcrc_adversarial.encoding.batching import collate
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training import MultipleChoiceTrainer, TrainingData, train
from mcrc_adversarial.training.batches import TrainingQuestions

NO_CHECKPOINTS = {
    "eval_strategy": "no",
    "save_strategy": "no",
    "load_best_model_at_end": False,
}


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
