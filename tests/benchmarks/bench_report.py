"""What a report on 14 configs of RACE's test split costs: processor time, and the page's size."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from run_folders import make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.inference.baselines import overlap_scores
from mcrc_adversarial.report import write_report

pytestmark = pytest.mark.benchmark
_SECONDS, _BYTES = 60, 15_000_000


def test_report_on_race_is_quick_and_its_page_small(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCRC_DATA_DIR", str(data_dir))
    configs = [str(config) for config in expand_configs(["race:*"])]
    run = make_run(tmp_path / "run", configs, rule=lambda row, _: overlap_scores(row))

    start = time.process_time()
    write_report(load_study([str(run)]), tmp_path / "report")
    seconds = time.process_time() - start

    size = (tmp_path / "report" / "report.html").stat().st_size
    print(f"\nreport on {len(configs)} configs: {seconds:.1f} s, page {size / 1e6:.1f} MB")
    assert seconds < _SECONDS
    assert size < _BYTES
