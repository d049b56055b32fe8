"""The tiny corpus on disk, and where to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_corpus import NAME, add, remove, tiny_corpus


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Path]:
    """The folder of the tiny corpus's raw files, while the corpus is registered."""
    folder = tmp_path / "raw"
    folder.mkdir()
    add(tiny_corpus(folder))
    yield folder
    remove(NAME)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out"
