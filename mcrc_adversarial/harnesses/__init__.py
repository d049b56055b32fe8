"""Task files by which evaluation harnesses read a folder that `mcrc-adversarial build` wrote.

The files need nothing of this package: what loads the rows is plain `datasets`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from mcrc_adversarial._version import __version__
from mcrc_adversarial.errors import OutputError, ParameterError, UnknownNameError
from mcrc_adversarial.export.folder import MANIFEST, inspect, one_line
from mcrc_adversarial.export.manifest import FileRecord, in_order
from mcrc_adversarial.harnesses import inspect_ai, lm_eval
from mcrc_adversarial.registry import unknown_name

# How every file starts, by which it is known again.
_MARK = "# Written by mcrc-adversarial "
# What the harnesses leave beside task files.
_CACHES = {"__pycache__"}

FORMATS: Mapping[str, Callable[[str, str, Sequence[FileRecord]], Mapping[str, str]]] = (
    MappingProxyType({"lm-eval": lm_eval.files, "inspect": inspect_ai.files})
)
# How their files end.
SUFFIXES = MappingProxyType({"lm-eval": ".yaml", "inspect": ".py"})


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """What was written.

    Attributes:
        configs: those that got a task.
        without_split: those of the folder that lack the split.
        paths: of the files.
    """

    configs: tuple[str, ...]
    without_split: tuple[str, ...]
    paths: tuple[Path, ...]


def write_tasks(
    harness: str, built: Path, output: Path, *, split: str = "test", dataset: str | None = None
) -> TaskFiles:
    """Write the task files of one harness for all configs of a folder that have a split.

    Args:
        harness: one of `FORMATS`.
        built: a folder that `export.export` wrote.
        output: a folder for the files alone; earlier ones for the same harness are replaced.
        split: which rows to ask.
        dataset: where the tasks load from: the folder itself if None, else a name on the Hub that
            the folder was pushed to.

    Raises:
        UnknownNameError: no harness is called so, or no config has the split.
        ParameterError: `built` was not built.
        OutputError: `output` holds anything else, or cannot be written.
    """
    if harness not in FORMATS:
        raise UnknownNameError(unknown_name("format", harness, tuple(FORMATS)))
    records = in_order(inspect(built)) if (built / MANIFEST).is_file() else []
    if not records:
        msg = f"{str(built)!r} holds no configs; make it with `mcrc-adversarial build`"
        raise ParameterError(msg)
    chosen = [record for record in records if record.split == split]
    if not chosen:
        known = tuple(dict.fromkeys(record.split for record in records))
        raise UnknownNameError(unknown_name(f"split of {str(built)!r}", split, known))
    texts = FORMATS[harness](dataset or str(built.resolve()), split, chosen)
    _check_ours(output, harness)
    _replace(output, {name: f"{_MARK}{__version__}.\n{text}" for name, text in texts.items()})
    configs = tuple(record.config for record in chosen)
    others = dict.fromkeys(one.config for one in records if one.config not in configs)
    return TaskFiles(configs, tuple(others), tuple(output / name for name in texts))


def _check_ours(output: Path, harness: str) -> None:
    """Raise where the folder holds anything but this harness's task files."""
    if not output.exists():
        return
    with one_line(output):
        if not output.is_dir():
            msg = f"{str(output)!r} is a file; give a folder for the task files"
            raise OutputError(msg)
        for path in sorted(output.iterdir()):
            if path.name in _CACHES:
                continue
            if not _is_ours(path):
                what = "no task file of ours"
            elif path.suffix != SUFFIXES[harness]:
                what = "a task file of another harness"
            else:
                continue
            msg = f"{str(output)!r} holds {path.name!r}, {what}; give a new or empty folder"
            raise OutputError(msg)


def _is_ours(path: Path) -> bool:
    return path.is_file() and path.read_bytes().startswith(_MARK.encode())


def _replace(output: Path, texts: Mapping[str, str]) -> None:
    """Write the files into a new folder, which then takes the place of the old one."""
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    with one_line(output):
        unfinished.mkdir(parents=True)
        try:
            for name, text in texts.items():
                (unfinished / name).write_text(text, encoding="utf-8", newline="\n")
            if output.exists():
                shutil.rmtree(output)
            unfinished.rename(output)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
