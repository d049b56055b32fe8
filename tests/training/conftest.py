from __future__ import annotations

from pathlib import Path

import pytest
import tiny_models
import tiny_training
import torch


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    """A tiny model with a head, and its tokeniser, in a folder."""
    folder = tmp_path / "tiny"
    tiny_models.bert(tiny_training.BERT).save_pretrained(folder)
    tiny_training.BERT.save_pretrained(folder)
    return str(folder)
