"""What some tests need beside the package: without it they are skipped, or fail where CI asks.

Every test that needs a package or a program asks for it here, so that `MCRC_REQUIRE_EXTRAS=1`
leaves none out unseen for want of a package, nor `MCRC_REQUIRE_PROGRAMS=1` for want of a program.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import NoReturn

import pytest

# Taken out, as tests set the environment of the processes that they start.
_REQUIRED = {
    name: os.environ.pop(f"MCRC_REQUIRE_{name}", "") == "1" for name in ("EXTRAS", "PROGRAMS")
}


def absent(reason: str, kind: str = "PROGRAMS") -> NoReturn:
    """Skip the test, or the file of tests that is being read; or fail where that is asked.

    Args:
        reason: what is missing, and where it comes from.
        kind: EXTRAS where it is a Python package; PROGRAMS where the system brings it.

    Raises:
        RuntimeError: if MCRC_REQUIRE_EXTRAS, or MCRC_REQUIRE_PROGRAMS, is 1.
    """
    if _REQUIRED[kind]:
        raise RuntimeError(f"{reason}, though MCRC_REQUIRE_{kind} is 1")
    pytest.skip(reason, allow_module_level=True)


def package(name: str, source: str) -> None:
    """Go on where the package `name` is installed; it is not imported.

    Args:
        name: what one imports.
        source: the extra, or what else brings it.
    """
    if importlib.util.find_spec(name) is None:
        absent(f"{name} is not installed ({source})", "EXTRAS")


def program(name: str) -> str:
    """The path of a program."""
    found = shutil.which(name)
    if found is None:
        absent(f"no program {name} here")
    return found
