"""Our figures beside those that paper A prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from result_tables import row
from run_folders import make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.analysis._grid import averaged
from mcrc_adversarial.analysis.beside_paper_a import beside_paper_a
from mcrc_adversarial.errors import ParameterError


def test_printed_figures_stand_beside_ours_only_on_request(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"])
    text = (run / "predictions" / "sample.jsonl").read_text(encoding="utf-8")
    for config in ("mc500", "mc500-addsent2opt"):
        (run / "predictions" / f"{config}.jsonl").write_text(text, encoding="utf-8")

    assert beside_paper_a(load_study([str(run)])).tables == ()
    (found,) = beside_paper_a(load_study([str(run)], papers=["paper-a"])).tables

    line = row(found, "mc500", "addsent2opt")
    assert (line[3], line[5]) == (pytest.approx(0.191), -72.4)
    assert line[4].value == 0
    with pytest.raises(ParameterError, match="paper-a"):
        load_study([str(run)], papers=["paper-z"])


def test_whole_race_is_not_dropped_in_silence_beside_the_paper_s_parts(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"])
    text = (run / "predictions" / "sample.jsonl").read_text(encoding="utf-8")
    (run / "predictions" / "race.jsonl").write_text(text, encoding="utf-8")

    finding = beside_paper_a(load_study([str(run)], papers=["paper-a"]))
    assert finding.tables == ()
    (line,) = finding.missing_lines
    assert line.startswith("tiny: race: paper A prints race-middle and race-high")

    for part in ("race-middle", "race-high"):
        (run / "predictions" / f"{part}.jsonl").write_text(text, encoding="utf-8")
    finding = beside_paper_a(load_study([str(run)], papers=["paper-a"]))
    assert [one[0] for one in finding.tables[0].rows] == ["race-middle", "race-high"]
    assert finding.missing == ()


def test_race_is_not_averaged_with_its_own_parts() -> None:
    assert averaged(["race", "race-high", "race-middle", "dream"]) == [
        "race-high",
        "race-middle",
        "dream",
    ]
    assert averaged(["race", "race-high"]) == ["race"]
    assert averaged(["race-high", "dream"]) == ["race-high", "dream"]
