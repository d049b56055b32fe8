"""Builds folders for tests, and looks into them."""

from __future__ import annotations

import json
import multiprocessing
import warnings
from collections.abc import Callable
from pathlib import Path

from tiny_corpus import NAME

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.export import Settings, export

ALL = f"{NAME}:*"
SOME = ("sample", "sample-addsent2opt-shuffle", "sample-p-remove")


def build(output: Path, *names: str, num_proc: int = 1, **settings: object) -> Path:
    export(expand_configs(names), output, Settings(**settings), num_proc=num_proc)  # type: ignore[arg-type]
    return output


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def manifest(folder: Path) -> dict[str, dict[str, object]]:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {f"{one['config']}/{one['split']}.parquet": one for one in content["files"]}


def in_fork(function: Callable[[], object]) -> int:
    """Run in a process of its own; its exit code, negative for a signal."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
        process = multiprocessing.get_context("fork").Process(target=function)
        process.start()
    process.join(60)
    assert process.exitcode is not None
    return process.exitcode
