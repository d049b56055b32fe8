from __future__ import annotations

from pathlib import Path

import pytest

from mcrc_adversarial.atomic import new_folder
from mcrc_adversarial.errors import DataError, OutputError


def test_new_folder_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "new"
    with new_folder(path) as unfinished:
        (unfinished / "a").write_text("1", encoding="utf-8")
        assert not path.exists()

    assert [one.name for one in path.iterdir()] == ["a"]
    assert [one.name for one in path.parent.iterdir()] == ["new"]


def test_new_folder_leaves_nothing_after_an_error(tmp_path: Path) -> None:
    def write() -> None:
        with new_folder(tmp_path / "new") as unfinished:
            (unfinished / "a").write_text("1", encoding="utf-8")
            msg = "no source"
            raise DataError(msg)

    with pytest.raises(DataError, match="no source"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_new_folder_is_refused_where_one_is_or_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="is there already; give a new"), new_folder(tmp_path):
        pass
    with (
        pytest.raises(OutputError, match="cannot be written"),
        new_folder(tmp_path / "file" / "new"),
    ):
        pass
