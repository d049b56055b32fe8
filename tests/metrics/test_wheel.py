"""The metric out of a wheel, as someone has it who installed the package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "mcrc_adversarial/corpora/data/sample"
SCRIPT = """
import json, socket, sys

def refuse(*_args, **_kwargs):
    sys.exit("the metric tried to reach the network")

socket.socket.connect = refuse

import evaluate
import mcrc_adversarial

path = mcrc_adversarial.metric_path()
figures = evaluate.load(path).compute(
    predictions=[0, 1, 1, 3], references=[0, 1, 2, 0], clean_accuracy=0.75
)
print(json.dumps([mcrc_adversarial.__file__, path, figures]))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    built = subprocess.run([*command, str(ROOT)], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.mark.slow
def test_wheel_holds_the_sample_and_the_mark_of_its_types(unpacked):
    sample = {path.name for path in (unpacked / SAMPLE).glob("*.jsonl")}
    assert sample == {"train.jsonl", "validation.jsonl", "test.jsonl"}
    assert (unpacked / "mcrc_adversarial" / "py.typed").is_file()


@pytest.mark.slow
def test_metric_of_the_wheel_computes_offline_in_an_empty_folder(unpacked, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=empty,
        env={**os.environ, **offline, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    package, path, figures = json.loads(run.stdout)
    assert Path(package).is_relative_to(unpacked)
    assert Path(path).is_relative_to(unpacked)
    assert figures == {"accuracy": 0.5, "percentage_performance_drop": pytest.approx(100 / 3)}
