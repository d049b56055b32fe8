"""Which files of a repository the configs of its card are made of, by the rules of `datasets`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile

from datasets import load_dataset_builder
from datasets.data_files import sanitize_patterns
from fsspec.utils import glob_translate

from mcrc_adversarial.errors import HubError

_MAGIC = re.compile(r"[*?\[]")
# `datasets` reads these for what they say, and they are empty in the tree that it is shown.
_READ = {"README.md", "dataset_infos.json", ".huggingface.yaml"}


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
        """Whether it is one, by a pattern that does not reach over the whole repository."""
        return any(
            expression.match(path)
            for pattern, expression in zip(self._patterns, self._expressions, strict=True)
            if not _MAGIC.search(pattern.partition("/")[0])
        )


def found_entry(paths: Collection[str], repo_id: str) -> dict[str, Any] | None:
    """What `load_dataset` takes for the data of a repository whose card lists no config.

    Args:
        paths: files of the repository.
        repo_id: of the repository, for messages.

    Returns:
        An entry for the card that names the same files, or None where it finds none.

    Raises:
        HubError: it would have to look into archives.
    """
    seen = sorted(path for path in set(paths) - _READ if not path.startswith("."))
    if not seen:
        return None
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        for path in seen:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        try:
            found = load_dataset_builder(folder, cache_dir=cache).config.data_files
        except (FileNotFoundError, ValueError):
            # No data, or of several formats: it refuses these too.
            return None
        except BadZipFile:
            msg = (
                f"{repo_id!r} holds archives and its card lists no config, so `load_dataset` would"
                " not find them beside what is pushed; list a config for them there, or give"
                " another repository"
            )
            raise HubError(msg) from None
        root = Path(folder).resolve()
        return {
            "config_name": "default",
            "data_files": [
                {
                    "split": str(split),
                    "path": [Path(one).relative_to(root).as_posix() for one in of],
                }
                for split, of in found.items()
            ],
        }
