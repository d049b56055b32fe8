"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mcrc_adversarial.errors import OutputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; what stands there at the end takes the place of `path`.

    After an error or a kill, `path` is as it was.

    Raises:
        OutputError: nothing can be written there; one line with the reason.
    """
    # On a disk that several machines share, two processes may have the same number.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        msg = f"{path}: cannot be written ({error.strerror or error}); check the folder, its space"
        raise OutputError(msg) from error
    finally:
        # Where the folder is no folder, there is nothing to remove either.
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder beside `path` to write to, which becomes `path` at the end.

    After an error or a kill, there is no `path`.

    Raises:
        OutputError: it is there already, or nothing can be written there; one line.
    """
    if path.exists() or path.is_symlink():
        msg = f"{str(path)!r} is there already; give a new folder"
        raise OutputError(msg)
    whole = path.absolute()
    unfinished = whole.with_name(f".{whole.name}.{os.getpid()}")
    try:
        with _told(path):
            unfinished.mkdir(parents=True)
        yield unfinished
        with _told(path):
            unfinished.rename(whole)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"{path}: cannot be written ({error.strerror or error}); check the folder, its space"
        raise OutputError(msg) from error


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; line ends stay as they are.

    Raises:
        OutputError: nothing can be written there.
    """
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
