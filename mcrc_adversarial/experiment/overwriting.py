"""Overwriting a run: the old one lies beside the folder until the new one is finished.

`runs/a` becomes `runs/a.replaced`. A run that fails before it has a model or a checkpoint gives way
to the old one again; `run.json` names what is set aside, so that a killed run can be gone on with.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.training import checkpoints

_LOG = logging.getLogger(__name__)


def set_aside(path: Path, already: str | None) -> str:
    """Move the run in `path` aside and return the name that it has now.

    Args:
        path: of the run; may be a link to its folder.
        already: what the run itself was to replace, by its record. It never ended, so it is
            deleted, and what it was to replace stays where it is.

    Raises:
        OutputError: the folder cannot be moved, or something else is in the way.
    """
    folder = path.resolve()
    aside = folder.with_name(f"{folder.name}.replaced")
    if Path.cwd().is_relative_to(folder):
        msg = (
            f"{str(path)!r} is the folder that you work in; start from another one to overwrite it"
        )
        raise OutputError(msg)
    is_known = already == aside.name and aside.is_dir()
    if aside.exists() and not is_known:
        msg = f"{str(aside)!r} is in the way of overwriting {str(path)!r}; move or delete it"
        raise OutputError(msg)
    try:
        if is_known:
            shutil.rmtree(folder)
        else:
            folder.rename(aside)
    except OSError as error:
        msg = f"{str(path)!r} cannot be overwritten ({error.strerror}); give another --output_dir"
        raise OutputError(msg) from error
    return aside.name


def put_back(path: Path, name: str) -> None:
    """Put the old run back, unless the new one has something worth going on with."""
    folder = path.resolve()
    aside = folder.with_name(name)
    if checkpoints(folder) or any(folder.glob("*.safetensors")):
        _LOG.warning("%s: this run is unfinished; the one before it lies in %s", path, aside)
        return
    try:
        if folder.exists():
            shutil.rmtree(folder)
        aside.rename(folder)
    except OSError as error:
        _LOG.warning("%s: the old run lies in %s and cannot be put back: %s", path, aside, error)
        return
    _LOG.warning("%s: nothing was overwritten, the old run is put back", path)


def remove_replaced(path: Path, name: str) -> None:
    """Delete the old run; the new one is finished."""
    aside = path.resolve().with_name(name)
    try:
        shutil.rmtree(aside)
    except OSError as error:
        _LOG.warning("%s: the old run cannot be deleted: %s", aside, error)
