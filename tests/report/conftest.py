from __future__ import annotations

from pathlib import Path

import pytest
from run_folders import make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.report import write_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    configs = ["sample", "sample-addsent2opt-shuffle", "sample-p-remove"]
    run = make_run(folder / "run", configs, model="<b>|m$")
    write_report(load_study([str(run)]), folder / "out")
    return folder / "out"
