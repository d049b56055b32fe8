"""The page as the folder of a Space on the Hub."""

from __future__ import annotations

from pathlib import Path

from mcrc_adversarial._version import __version__
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.errors import OutputError

# The one that tests run; a Space takes its own copy of gradio by this number.
_GRADIO = "6.31.0"
_CARD = f"""\
---
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


def write_space(folder: Path, checkpoint: str | None, kind: str) -> list[Path]:
    """Write `app.py`, `requirements.txt` and `README.md`; earlier ones are replaced.

    Args:
        folder: made if missing; other files in it stay.
        checkpoint: what the page asks; a name on the Hub, since a Space has no other files.
        kind: of the checkpoint.

    Raises:
        OutputError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be made ({error.strerror}); give another folder"
        raise OutputError(msg) from error
    extras = "app" if checkpoint is None else "app,train"
    texts = {
        "app.py": _PLAIN
        if checkpoint is None
        else _WITH_MODEL.format(checkpoint=checkpoint, kind=kind),
        "requirements.txt": f"mcrc-adversarial[{extras}]=={__version__}\n",
        "README.md": _CARD,
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]
