"""Digests of files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

_BLOCK = 1 << 20


def file_digest(path: Path) -> str:
    """Sha256 of a file's content, 64 hex digits; it is read a block at a time.

    Raises:
        OSError: it cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


# Resources have hundreds of megabytes, and are asked for again with every config.
@lru_cache(maxsize=64)
def _remembered(path: Path, _size: int, _modified: int) -> str:
    return file_digest(path)


def steady_digest(path: Path) -> str:
    """`file_digest`, remembered as long as the file's size and time stay the same."""
    status = path.stat()
    return _remembered(path, status.st_size, status.st_mtime_ns)


def joint_digest(folder: Path, paths: Iterable[Path]) -> str:
    """Sha256 over names below `folder` and digests of several files, 64 hex digits."""
    lines = (f"{path.relative_to(folder).as_posix()} {steady_digest(path)}\n" for path in paths)
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
