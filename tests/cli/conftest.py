from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_corpus import at_hand


@pytest.fixture
def frequencies(tmp_path: Path) -> Path:
    path = tmp_path / "words.csv"
    path.write_text("Word,FREQcount\ned,5\nran,4\n", encoding="utf-8")
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    with at_hand(tmp_path / "raw") as folder:
        yield folder
