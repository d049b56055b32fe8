"""The command line in this process, and plain clients in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from hub_server import TOKEN, Hub
from typer.testing import CliRunner

from mcrc_adversarial.cli import app, import_commands

import_commands()
REPO = "ann/sets"
# What requests have in their paths.
UPLOAD, COMMIT, INFO = "/lfs-store/", "/commit/main", "/api/datasets/ann/sets$"


def invoke(hub: Hub, *arguments: str) -> Any:
    """Run a command against the Hub."""
    return CliRunner(env={"NO_COLOR": None, "COLUMNS": None}).invoke(
        app, [*arguments, "--endpoint", hub.url], prog_name="mcrc-adversarial"
    )


def push(hub: Hub, *arguments: str, corpus: str = "sample", repo_id: str = REPO) -> Any:
    """Push, by default the test split of one small config."""
    given = list(arguments)
    if "--attacks" not in given:
        given += ["--attacks", "p-remove"]
    if "--splits" not in given:
        given += ["--splits", "test"]
    return invoke(hub, "push", corpus, "--repo-id", repo_id, *given)


def state(hub: Hub) -> Any:
    """All that readers of the repository see."""
    return {name: (repo.private, repo.head, repo.files) for name, repo in hub.repos.items()}


def push_again(hub: Hub) -> Any:
    """Replace a config of the fixture `pushed`, and add one."""
    return push(hub, "--attacks", "p-shuffle,q-remove", "--seed", "2")


def refused(result: Any) -> str:
    """The one line of an error."""
    assert result.exit_code == 2, (result.output, result.exception)
    lines = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert "Traceback" not in result.output
    assert TOKEN not in result.output
    return str(lines[0])


def head_of(hub: Hub, repo_id: str = REPO) -> dict[str, Any]:
    """The YAML block of the card."""
    text = hub.content("dataset", repo_id, "README.md").decode()
    content = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(content, dict)
    return content


def config_names(hub: Hub) -> list[str]:
    """The configs that the card lists."""
    return [one["config_name"] for one in head_of(hub)["configs"]]


def environment(hub: Hub, home: Path) -> dict[str, str]:
    """Of a process that knows the Hub, and has caches of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return {
        **kept,
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(home),
        "HF_TOKEN": TOKEN,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }


def plain_python(hub: Hub, folder: Path, code: str) -> str:
    """What a program prints that has nothing of this package."""
    ending = "\nimport sys\nassert not [one for one in sys.modules if one.startswith('mcrc')]\n"
    return run_python(hub, folder, code + ending, "-I")


def run_python(hub: Hub, folder: Path, code: str, *flags: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", code],
        cwd=folder,
        env=environment(hub, folder / "home"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
