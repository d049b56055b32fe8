"""Runs that are small enough for tests, on the corpus `sample`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.training.recipe import parse_arguments

CONFIGS = ["sample-ans2opt-shuffle", "sample-q-remove"]
SMALL = ["--max_length", "96", "--dtype", "float32", "--use_cpu", "--evaluate_limit", "12"]


def run(*argv: str) -> Any:
    return run_experiment(parse_arguments(list(argv)))


def train_flags(checkpoint: str, folder: Path) -> list[str]:
    return [
        "--model_name_or_path", checkpoint, "--output_dir", str(folder),
        "--train", "sample", "--train_limit", "12", "--validation_limit", "6",
        "--num_train_epochs", "1", "--per_device_train_batch_size", "4",
        "--evaluate", *CONFIGS, *SMALL,
    ]  # fmt: skip
