"""The JSON files of a run's folder: there, of the version that is read, and whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcrc_adversarial.errors import DataError, UnknownNameError

RECORD = "run.json"
_METRICS = "metrics.json"
_SCHEMA_VERSION = 1


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Errors over what the file holds name it.

    Raises:
        DataError: a name in it is unknown, or a part is missing or of another type.
    """
    try:
        yield
    except UnknownNameError as error:
        msg = f"{file}: {error}"
        raise DataError(msg) from error
    except (KeyError, TypeError) as error:
        msg = f"{file}: {error} is missing or broken; this is no whole record of a run"
        raise DataError(msg) from error


def read_record(path: Path) -> dict[str, Any]:
    """The record of the run in a folder, with the parts that tell what was run.

    Raises:
        DataError: there is none, or it is of another version, or not whole.
    """
    parts = (f"arguments.{part}" for part in ("model", "data", "run"))
    return _read_json(path / RECORD, *parts, "state", "versions")


def read_figures(path: Path) -> Mapping[str, Mapping[str, float]]:
    """Config -> what the folder's metrics.json holds of it; empty without that file.

    Raises:
        DataError: the file is of another version, or not whole.
    """
    file = path / _METRICS
    if not file.is_file():
        return {}
    found: Mapping[str, Mapping[str, float]] = _read_json(file, "configs")["configs"]
    return found


def _read_json(path: Path, *needed: str) -> dict[str, Any]:
    """Content of a file, with the keys needed (`a.b`: b within a)."""
    if not path.is_file():
        msg = f"{str(path.parent)!r} is no run: it has no {path.name}; give what --output_dir named"
        raise DataError(msg)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        version = content["schema_version"]
    except (ValueError, KeyError, TypeError) as error:
        msg = f"{path}: this is no record of a run"
        raise DataError(msg) from error
    if version != _SCHEMA_VERSION:
        msg = f"{path}: schema version {version!r} is not {_SCHEMA_VERSION}"
        raise DataError(msg)
    assert isinstance(content, dict)
    for key in needed:
        inner: Any = content
        for part in key.split("."):
            inner = inner.get(part) if isinstance(inner, dict) else None
        if inner is None:
            msg = f"{path}: {key!r} is missing; this is no whole record of a run"
            raise DataError(msg)
    return content
