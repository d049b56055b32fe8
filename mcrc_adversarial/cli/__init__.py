"""The command line: each module of this package that has no leading underscore is a command."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from mcrc_adversarial.cli._app import app

__all__ = ["app", "main"]


def import_commands(wanted: str = "") -> None:
    """Import command modules, which add themselves to the application.

    Args:
        wanted: the command that will be run: its module alone is imported. All are where no module
            has its name, so that the help lists them.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    commands = [name for name in names if not name.startswith("_")]
    for name in [wanted] if wanted in commands else commands:
        importlib.import_module(f"{__name__}.{name}")


def main() -> None:
    """Run the command line; ends the process with status 0, 2 for a mistake, 130 for Ctrl-C.

    Where a reader such as `head` leaves early, it ends without a word, with status 1.
    """
    # Some commands import for half a second what the others have no use for.
    import_commands(sys.argv[1] if len(sys.argv) > 1 else "")
    app(prog_name="mcrc-adversarial")
