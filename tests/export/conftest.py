"""The tiny corpus on disk, and where to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_corpus import at_hand


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Path]:
    """The folder of the tiny corpus's raw files, while the corpus is registered."""
    with at_hand(tmp_path / "raw") as folder:
        yield folder


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out"
