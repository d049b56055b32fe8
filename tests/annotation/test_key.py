"""The key is written once, and read back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotation_sets import small_export

from mcrc_adversarial.annotation import read_key, write_export
from mcrc_adversarial.annotation.key import KEY_FILE
from mcrc_adversarial.errors import DataError, OutputError


def test_write_export_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(OutputError, match="is not empty"):
        write_export(tmp_path, *small_export())
    with pytest.raises(OutputError, match="is a file or a link"):
        write_export(tmp_path / "mine.txt", *small_export())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_read_key_gives_back_what_was_written(tmp_path: Path) -> None:
    key, sheets = small_export(types=True)
    write_export(tmp_path / "out", key, sheets)
    assert read_key(tmp_path / "out" / KEY_FILE) == key


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "no key of an export"),
        ("{", "no key of an export"),
        ('{"items": {"Q1": {}}}', "no key of an export"),
    ],
)
def test_read_key_refuses_what_is_none(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "key.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_key(path)
    with pytest.raises(DataError, match="there is no such file"):
        read_key(tmp_path / "other.json")


def test_read_key_refuses_one_that_was_changed(tmp_path: Path) -> None:
    key, _ = small_export()
    path = tmp_path / "key.json"
    path.write_text(key.text().replace('"label": 1', '"label": 2', 1), encoding="utf-8")
    with pytest.raises(DataError, match="was changed since"):
        read_key(path)
