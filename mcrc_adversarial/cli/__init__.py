"""The command line: each module of this package that has no leading underscore is a command."""

from __future__ import annotations

import importlib
import pkgutil

from mcrc_adversarial.cli._app import app

__all__ = ["app", "main"]


def import_commands() -> None:
    """Import all command modules, which add themselves to the application."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}")


def main() -> None:
    """Run the command line; ends the process with status 0, 2 for a mistake, 130 for Ctrl-C.

    Where a reader such as `head` leaves early, it ends without a word, with status 1.
    """
    import_commands()
    app(prog_name="mcrc-adversarial")
