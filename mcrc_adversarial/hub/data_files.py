"""Which files of a repository the configs of its card are made of, by the rules of `datasets`."""

from __future__ import annotations

import glob
import posixpath
import re
from collections.abc import Collection, Mapping
from typing import Any

from datasets.data_files import sanitize_patterns
from fsspec.utils import glob_translate

_MAGIC = re.compile(r"[*?\[]")
# Of what a person calls data; whatever else lies beside them is not a config's to take along.
_DATA = {".parquet", ".arrow", ".csv", ".tsv", ".json", ".jsonl", ".ndjson"}


class Claim:
    """The files that one config's entry in a card names.

    Args:
        entry: of the card.

    Raises:
        TypeError: its `data_files` are no text, list or mapping.
        ValueError: a pattern is not understood.
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        given, folder = entry.get("data_files"), str(entry.get("data_dir") or "")
        named = {"": ["**"]} if given is None else sanitize_patterns(given)
        self._patterns = [
            posixpath.normpath(posixpath.join(folder, str(pattern)))
            for patterns in named.values()
            for pattern in patterns
        ]
        self._expressions = [re.compile(glob_translate(one)) for one in self._patterns]

    def covers(self, path: str) -> bool:
        """Whether the file may be one of the config's."""
        return any(one.match(path) for one in self._expressions)

    def is_made_of(self, path: str) -> bool:
        """Whether it is data, named by a pattern that does not reach over the whole repository."""
        name = posixpath.basename(path)
        is_data = posixpath.splitext(name)[1].lower() in _DATA and not name.startswith(".")
        return is_data and any(
            expression.match(path)
            for pattern, expression in zip(self._patterns, self._expressions, strict=True)
            if not _MAGIC.search(pattern.partition("/")[0])
        )


def found_entry(files: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """An entry for a card that names the files which `load_dataset` found without one.

    Args:
        files: split -> paths.
    """
    # `datasets` takes what stands in a card for patterns.
    return {
        "config_name": "default",
        "data_files": [
            {"split": split, "path": [glob.escape(path) for path in of]}
            for split, of in files.items()
        ],
    }
