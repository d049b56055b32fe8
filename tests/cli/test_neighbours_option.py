"""`--neighbours` is `--param neighbours=`, on every command that takes parameters of attacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mcrc_adversarial.cli import app, import_commands

import_commands()
COMMANDS = {
    "annotate": "annotate export sample sample-addsent --output new",
    "attack": "attack own.jsonl --attack addsent --output new.jsonl",
    "build": "build sample --attacks addsent --output new",
    "score": "score --predictions own.jsonl --config sample-addsent",
    "show": "show sample-addsent",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_neighbours_reach_the_attack(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = CliRunner().invoke(app, [*command.split(), "--neighbours", "nowhere"])

    assert result.exit_code == 2
    assert "neighbours is 'nowhere'; it must be one of glove, bundled:minilm" in result.stderr


def test_neighbours_given_twice_are_refused() -> None:
    command = ["show", "sample-addsent", "--neighbours", "glove", "--param", "neighbours=glove"]

    result = CliRunner().invoke(app, command)

    assert result.exit_code == 2
    assert "given twice" in result.stderr
