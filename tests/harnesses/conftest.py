"""A built folder, a model, and harnesses run as a user runs them: in a process of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pages
import pytest
from tiny_causal import save_causal

from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.export import Settings, export

# With the texts whole, with longer options, and with nothing but options.
CONFIGS = ("sample", "sample-addsent2opt-shuffle", "sample-pq-remove")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "attacked"
    export(map(parse_config, CONFIGS), folder, Settings(splits=("validation", "test")))
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_causal(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture
def documented(model: Path) -> Callable[[str], list[str]]:
    """What a user of a harness is told to run, with the tests' model, behind its name."""

    def _line(harness: str) -> list[str]:
        return [
            re.sub(r"\bMODEL\b", str(model), word) if "=" in word else word.replace("MODEL", "tiny")
            for word in shlex.split(pages.documented(harness))[1:]
        ]

    return _line


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command of this Python in a new folder, offline, where our package cannot be used."""
    blocked = tmp_path / "blocked" / "mcrc_adversarial"
    blocked.mkdir(parents=True)
    (blocked / "__init__.py").write_text("raise ImportError('not needed')\n", encoding="utf-8")

    def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(blocked.parent),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "OMP_NUM_THREADS": "1",
            "TQDM_DISABLE": "1",
        }
        found = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
        return found

    return _run
