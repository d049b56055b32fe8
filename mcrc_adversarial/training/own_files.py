"""The files of the corpus `custom` that a run names: `--data_files` and `--columns`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from datasets import NamedSplit, load_dataset_builder

from mcrc_adversarial.errors import DataError, ParameterError

CUSTOM = "custom"


def own_files(data_files: Sequence[str], columns: Sequence[str]) -> dict[str, Any]:
    """The arguments of `load_dataset` that the settings stand for.

    Args:
        data_files: `SPLIT=FILE` each.
        columns: `OURS=THEIRS` each.

    Raises:
        ParameterError: no file is named, or something has another form.
    """
    files = _pairs(data_files, "data_files", "SPLIT=FILE")
    if not files:
        msg = (
            f"configs of {CUSTOM!r} are made of your own files: name them with --data_files"
            " SPLIT=FILE"
        )
        raise ParameterError(msg)
    for split in files:
        try:
            NamedSplit(split)
        except ValueError as error:
            msg = f"data_files: {split!r} is no name of a split; take train, validation or test"
            raise ParameterError(msg) from error
    return {"data_files": files, "columns": _pairs(columns, "columns", "OURS=THEIRS") or None}


def own_splits(keywords: Mapping[str, Any]) -> list[str]:
    """The splits of `custom`; their files are found, but not read.

    Args:
        keywords: of `load_dataset`, those of `own_files` among them.

    Raises:
        DataError: a file is not there, or may not be read.
    """
    try:
        found = load_dataset_builder("mcrc_adversarial", CUSTOM, **keywords).config.data_files
    except OSError as error:
        raise _no_file(" ".join(str(error).split())) from error
    for split, files in found.items():
        # Of a pattern without a match, `datasets` makes an empty list.
        if not files:
            what = f"there is no {keywords['data_files'][split]!r}"
            raise _no_file(what)
    return list(found)


def _no_file(what: str) -> DataError:
    return DataError(
        f"data_files: {what}; give files that are there with --data_files SPLIT=FILE (those that a"
        " recipe names are made as its comments say)"
    )


def _pairs(items: Iterable[str], name: str, form: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in items]
    for first, equals, second in pairs:
        if not first or not equals or not second:
            msg = f"{name}: {first + equals + second!r} is not of the form {form}"
            raise ParameterError(msg)
    return {first: second for first, _, second in pairs}
