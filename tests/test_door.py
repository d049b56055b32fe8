"""The door to `datasets`: registered, and out of the way of other names."""

import os
import subprocess
import sys
from pathlib import Path

import datasets
import pytest

import mcrc_adversarial
from mcrc_adversarial.configs import config_names

# -I keeps the working folder out of the path for imports, which Python itself would list.
LOAD_FROM_HERE = """
import os, sys
seen = []
sys.addaudithook(lambda event, arguments: seen.append((event, arguments)))
import mcrc_adversarial
import datasets
found = datasets.load_dataset("mcrc_adversarial", "sample-q-shuffle", split="test")
names = datasets.get_dataset_config_names("mcrc_adversarial")
here = os.getcwd()
scans = [
    arguments for event, arguments in seen
    if event in ("os.listdir", "os.scandir") and os.path.abspath(str(arguments[0])) == here
]
print(len(found), len(names), len(scans))
"""


@pytest.mark.parametrize("files", [0, 2000])
def test_working_folder_is_not_scanned(tmp_path: Path, files: int) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for number in range(files):
        (here / f"{number}.csv").touch()

    done = subprocess.run(
        [sys.executable, "-I", "-c", LOAD_FROM_HERE],
        cwd=here,
        env={**os.environ, "HF_HOME": str(tmp_path / "hf")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["300", str(len(config_names())), "0"]


def test_other_names_still_reach_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "own.jsonl"
    path.write_text('{"question": "What did Ivo sell?"}\n' * 5, encoding="utf-8")

    assert len(datasets.load_dataset("json", data_files=str(path), split="train")) == 5


def test_registering_twice_changes_nothing() -> None:
    before = datasets.load.dataset_module_factory

    mcrc_adversarial.door.register()

    assert datasets.load.dataset_module_factory is before
