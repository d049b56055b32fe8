from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transformers.integrations import deepspeed as integration

from mcrc_adversarial.training import recipe

ZERO_2 = Path(recipe.__file__).parents[2] / "ds_config.json"
ZERO_3 = recipe.RECIPES / "ds_zero3_offload.json"
# What transformers fills from TrainingArguments, and complains about where it differs.
OWNED_BY_TRAINER = {
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "train_batch_size",
    "gradient_clipping",
    "fp16.enabled",
    "bf16.enabled",
    "optimizer.params.lr",
    "optimizer.params.betas",
    "optimizer.params.eps",
    "optimizer.params.weight_decay",
    "scheduler.params.warmup_min_lr",
    "scheduler.params.warmup_max_lr",
    "scheduler.params.warmup_num_steps",
    "scheduler.params.total_num_steps",
}


def flat(content: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


@pytest.mark.parametrize(("path", "stage"), [(ZERO_2, 2), (ZERO_3, 3)])
def test_values_that_trainer_owns_are_auto(path: Path, stage: int) -> None:
    values = flat(json.loads(path.read_text(encoding="utf-8")))

    owned = {name: value for name, value in values.items() if name in OWNED_BY_TRAINER}
    assert set(owned.values()) == {"auto"}
    assert {
        "train_micro_batch_size_per_gpu",
        "gradient_accumulation_steps",
        "train_batch_size",
        "gradient_clipping",
        "bf16.enabled",
    } <= set(owned)
    assert values["zero_optimization.stage"] == stage


@pytest.mark.parametrize("path", [ZERO_2, ZERO_3])
def test_optimiser_and_scheduler_are_left_to_trainer(path: Path) -> None:
    # DeepSpeed's own would be rebuilt from the file on resume, and the learning rate with them.
    assert not {"optimizer", "scheduler"} & set(json.loads(path.read_text(encoding="utf-8")))


def test_names_owned_by_trainer_are_those_of_transformers() -> None:
    source = Path(str(integration.__file__)).read_text(encoding="utf-8")

    assert [name for name in OWNED_BY_TRAINER if f'"{name}"' not in source] == []
