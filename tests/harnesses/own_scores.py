"""Our own answers of the tests' causal model, to set beside a harness's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import datasets
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.inference.causal import score_causal


@cache
def own_rows(config: str) -> Any:
    return datasets.load_dataset("mcrc_adversarial", config, split="test")


@cache
def own_answers(model: Path, config: str, method: str) -> ConfigPredictions:
    torch.set_num_threads(1)
    found = score_causal(
        AutoModelForCausalLM.from_pretrained(model).eval(),
        AutoTokenizer.from_pretrained(model),
        {config: own_rows(config)},
        method=method,
        max_length=2048,
        token_budget=8192,
    )[config]
    assert found.n_truncated == 0
    return found


def accuracy(found: ConfigPredictions) -> float:
    right = sum(one == other for one, other in zip(found.predictions, found.labels, strict=True))
    return right / len(found.labels)
