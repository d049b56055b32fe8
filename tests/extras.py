"""What extras bring, and a machine that has no more than some of them."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import tomllib
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import ROOT

OURS = "mcrc-adversarial"
# Python reads this before anything else; what is hidden cannot be found by it or its libraries.
_SITE = """
from importlib.machinery import PathFinder

def _find(name, path=None, target=None, find=PathFinder.find_spec):
    return None if name.partition(".")[0] in {hidden!r} else find(name, path, target)

PathFinder.find_spec = staticmethod(_find)
"""


def all_extras() -> dict[str, list[str]]:
    """The extras of the package, each with its requirements."""
    return dict(_project()["optional-dependencies"])


def _project() -> dict[str, Any]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["project"])


def _needs(one: Requirement) -> Iterable[str]:
    """What `one` needs in its turn."""
    if one.name == OURS:
        return [text for extra in one.extras for text in all_extras()[extra]]
    try:
        return metadata.requires(one.name) or []
    except metadata.PackageNotFoundError:
        return []


def brought(extras: Sequence[str]) -> set[str]:
    """Names of all distributions that an installation with `extras` brings."""
    todo = [*_project()["dependencies"], f"{OURS}[{','.join(extras)}]"]
    seen: set[str] = set()
    names = set()
    while todo:
        one = Requirement(todo.pop())
        names.add(canonicalize_name(one.name))
        for text in _needs(one):
            marker = Requirement(text).marker
            is_asked = marker is None or any(
                marker.evaluate({"extra": extra}) for extra in ("", *one.extras)
            )
            if is_asked and text not in seen:
                seen.add(text)
                todo.append(text)
    return names


def hidden(extras: Sequence[str]) -> set[str]:
    """Modules of the other extras, which are not there where only `extras` are installed."""
    there = brought(extras)
    direct = {
        canonicalize_name(Requirement(text).name)
        for name, texts in all_extras().items()
        if name != "dev"
        for text in texts
    }
    return {name.replace("-", "_") for name in direct - there - {OURS}}


def install_only(extras: Sequence[str], folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let our commands here, and new processes, find no more than `extras` bring."""
    names = hidden(extras)
    (folder / "sitecustomize.py").write_text(_SITE.format(hidden=names), encoding="utf-8")
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    patch.setattr(
        "mcrc_adversarial.cli._extras.find_spec",
        lambda name: None if name in names else importlib.util.find_spec(name),
    )
