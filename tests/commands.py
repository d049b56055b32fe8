"""Commands of `mcrc-adversarial`, called within the tests' own process."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner, Result

from mcrc_adversarial.cli import app, import_commands

ROOT = Path(__file__).parents[1]
import_commands()


def invoke(*arguments: object, **environment: str) -> Result:
    """Run a command, with the colours and the width that `environment` alone decides on."""
    return CliRunner(env={"NO_COLOR": None, "COLUMNS": None, **environment}).invoke(
        app, [str(one) for one in arguments], prog_name="mcrc-adversarial"
    )


def plain(text: str) -> str:
    """What a terminal shows, without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
