"""Files that appear whole or not at all."""

from __future__ import annotations

import os
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
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
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


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; line ends stay as they are.

    Raises:
        OutputError: nothing can be written there.
    """
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
