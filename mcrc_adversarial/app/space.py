"""The page as the folder of a Space on the Hub."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mcrc_adversarial._version import __version__
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.errors import OutputError, ParameterError
from mcrc_adversarial.export.folder import one_line

# The one that tests run; a Space takes its own copy of gradio by this number.
_GRADIO = "6.31.0"
# Relative, absolute and home paths, and what has more parts than a name on the Hub.
_NOT_ON_HUB = re.compile(r"[./~\\]|[A-Za-z]:|[^/]*/[^/]*/")
# How app.py and requirements.txt start, and what the card has, by which they are known again.
_MARK = "# Written by mcrc-adversarial "
_CARD = f"""\
---
{_MARK}{__version__}.
title: MCRC Adversarial
emoji: 🔀
colorFrom: blue
colorTo: green
sdk: gradio
sdk_version: {_GRADIO}
app_file: app.py
pinned: false
license: apache-2.0
short_description: Attack a reading comprehension question and see what changes
---

A page of mcrc-adversarial: does a model read, or does it match keywords?
"""
_PLAIN = """\
from mcrc_adversarial.app.page import page, serve

if __name__ == "__main__":
    serve(page())
"""
_WITH_MODEL = """\
from mcrc_adversarial.app.page import page, serve
from mcrc_adversarial.app.model import load_ask

if __name__ == "__main__":
    serve(page(load_ask({checkpoint!r}, {kind!r})))
"""


_FIRST_LINE = f"{_MARK}{__version__}.\n"


def write_space(folder: Path, checkpoint: str | None, kind: str) -> list[Path]:
    """Write `app.py`, `requirements.txt` and `README.md`; earlier ones of ours are replaced.

    Args:
        folder: made if missing; other files in it stay.
        checkpoint: what the page asks; a name on the Hub, since a Space has no other files.
        kind: of the checkpoint.

    Raises:
        OutputError: the folder holds a file of one of these names that is not ours, or cannot be
            written.
        ParameterError: the checkpoint is a folder of this machine.
    """
    if checkpoint is not None:
        _refuse_local(checkpoint)
    texts = _texts(checkpoint, kind)
    with one_line(folder):
        for name in texts:
            _refuse_stranger(folder / name)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_text(folder / name, text)
    return [folder / name for name in texts]


def _texts(checkpoint: str | None, kind: str) -> dict[str, str]:
    extras = "app" if checkpoint is None else "app,train"
    if checkpoint is not None and checkpoint.startswith("bundled:"):
        extras += ",demo"
    code = _PLAIN if checkpoint is None else _WITH_MODEL.format(checkpoint=checkpoint, kind=kind)
    return {
        "app.py": _FIRST_LINE + code,
        "requirements.txt": f"{_FIRST_LINE}mcrc-adversarial[{extras}]=={__version__}\n",
        "README.md": _CARD,
    }


def _refuse_local(checkpoint: str) -> None:
    """Raise where a Space could not find the checkpoint."""
    if Path(checkpoint).exists() or _NOT_ON_HUB.match(checkpoint):
        msg = (
            f"checkpoint {checkpoint!r} is a folder of this machine, which a Space does not have;"
            " push it to the Hub and give its name there (USER/NAME)"
        )
        raise ParameterError(msg)


def _refuse_stranger(path: Path) -> None:
    """Raise where something else stands in the place of a file to be written."""
    if os.path.lexists(path) and not (path.is_file() and _MARK.encode() in _opening(path)):
        msg = (
            f"{str(path)!r} is no file that `mcrc-adversarial app --space` wrote; give a new or"
            " empty folder, or remove it"
        )
        raise OutputError(msg)


def _opening(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len("---\n") + len(_FIRST_LINE))
