"""Trainers over tiny models and rows, for tests."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import tiny_models
import torch
from torch import Tensor
from transformers import BertForMultipleChoice

from mcrc_adversarial.encoding import Encoder, encode_rows
from mcrc_adversarial.training import MultipleChoiceTrainer, TrainingData, build_trainer
from mcrc_adversarial.training.arguments import RunArguments
from mcrc_adversarial.training.batches import TrainingQuestions

MAX_LENGTH = 64
N_ROWS = 18
BERT = tiny_models.bert_tokenizer()


def run_arguments(folder: Path, **settings: Any) -> RunArguments:
    """Settings of a short run on the CPU, without dropout's randomness taken away."""
    chosen: dict[str, Any] = {
        "output_dir": str(folder),
        "use_cpu": True,
        "seed": 3,
        "learning_rate": 1e-3,
        "num_train_epochs": 2,
        "per_device_train_batch_size": 4,
        "evaluate_token_budget": 512,
        "logging_steps": 1,
        "warmup_steps": 0,
        **settings,
    }
    return RunArguments(**chosen)


def training_data(n_rows: int = N_ROWS, **row_settings: Any) -> TrainingData:
    rows = tiny_models.rows(Random(5), n_rows, **row_settings)
    encoder = Encoder(BERT, max_length=MAX_LENGTH)
    labels = [row["label"] for row in rows]
    return TrainingData(
        TrainingQuestions(encode_rows(rows, encoder), labels), rows[: n_rows // 2], encoder
    )


def trainer(
    folder: Path, data: TrainingData | None = None, **settings: Any
) -> MultipleChoiceTrainer:
    return build_trainer(
        tiny_models.bert(BERT, seed=1).train(),
        run_arguments(folder, **settings),
        training_data() if data is None else data,
    )


def weights(model: BertForMultipleChoice) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}


def assert_equal_weights(first: dict[str, Tensor], second: dict[str, Tensor]) -> None:
    assert first.keys() == second.keys()
    for name, value in first.items():
        torch.testing.assert_close(value, second[name], rtol=0, atol=0, msg=name)
