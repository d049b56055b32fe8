"""`mcrc-adversarial build`, as a user meets it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import datasets
import pytest
from commands import ROOT, invoke
from tiny_corpus import NAME, SIZES

from mcrc_adversarial.attacks import self_contained


@pytest.mark.usefixtures("tiny")
def test_build_all_makes_the_original_and_every_attack(tmp_path: Path) -> None:
    output = tmp_path / "out"

    result = invoke("build", NAME, "--attacks", "all", "--output", str(output))

    assert result.exit_code == 0
    assert result.stderr == ""
    names = {path.name for path in output.iterdir() if path.is_dir()}
    assert names == {NAME, *(f"{NAME}-{attack}" for attack in self_contained())}
    assert re.search(rf"│ {NAME}-p-remove +│ test +│ +{SIZES['test']} │ +\d │", result.stdout)
    call = re.search(r'load_dataset\("(.+)", "(.+)"\)', result.stdout)
    assert call is not None
    loaded = datasets.load_dataset(call[1], call[2], cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == SIZES


@pytest.mark.usefixtures("tiny")
def test_build_makes_what_it_is_told(tmp_path: Path) -> None:
    output = tmp_path / "out"

    result = invoke(
        *("build", NAME, "sample", "--attacks", "original,p-shuffle", "--splits", "test"),
        *("--param", "shuffle_degree=0.7", "--seed", "5", "--output", str(output)),
    )

    assert result.exit_code == 0
    files = {path.relative_to(output).as_posix() for path in output.rglob("*.parquet")}
    assert files == {
        f"{config}/test.parquet"
        for config in (NAME, f"{NAME}-p-shuffle", "sample", "sample-p-shuffle")
    }
    card = (output / "README.md").read_text(encoding="utf-8")
    assert f"| 5 | shuffle_degree=0.7 | sample, {NAME} |" in card


def test_build_prints_the_name_of_its_folder_as_text(tmp_path: Path) -> None:
    output = tmp_path / "[red]x[/red] :smile:"

    result = invoke("build", "sample", "--attacks", "q-remove", "--output", str(output))

    assert f'load_dataset("{output}", "sample-q-remove")' in result.stdout


def test_build_can_be_interrupted_and_goes_on(tmp_path: Path) -> None:
    whole, output = str(tmp_path / "whole"), tmp_path / "out"
    arguments = ("build", "sample", "--num-proc", "2", "--output")
    code = (
        "import os, signal\n"
        "from mcrc_adversarial.export import folder\n"
        "add = folder.Folder.add\n"
        "def add_one(self, record):\n"
        "    add(self, record)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "folder.Folder.add = add_one\n"
        "from mcrc_adversarial.cli import main\n"
        "main()\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", code, *arguments, str(output)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 128 + signal.SIGINT
    assert re.fullmatch(r"interrupted: [^\n]+\n", run.stderr)
    assert len(list(output.rglob("*.parquet"))) == 1
    assert not (output / ".building").exists()
    assert invoke(*arguments, str(output)).exit_code == 0
    assert invoke(*arguments, whole).exit_code == 0
    names = {path.relative_to(output) for path in output.rglob("*") if path.is_file()}
    assert all((output / one).read_bytes() == (Path(whole) / one).read_bytes() for one in names)
