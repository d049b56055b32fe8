"""Digests of resources."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


# Hundreds of megabytes, asked for again with every config.
@lru_cache(maxsize=64)
def _file_digest(path: Path, _size: int, _modified: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """Sha256 of a file, remembered as long as its size and time stay the same."""
    status = path.stat()
    return _file_digest(path, status.st_size, status.st_mtime_ns)


def joint_digest(folder: Path, paths: Iterable[Path]) -> str:
    """Sha256 over names below `folder` and digests of several files."""
    lines = (f"{path.relative_to(folder).as_posix()} {file_digest(path)}\n" for path in paths)
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
