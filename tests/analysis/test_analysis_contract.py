"""What holds for every registered analysis, whatever the runs have and lack."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import run_folders
from run_folders import make_run

from mcrc_adversarial.analysis import Estimate, Finding, Score, analyses, in_order, load_study

CONFIGS = ["sample", "sample-addsent2opt-shuffle", "sample-addsent2pas-shuffle", "sample-p-remove"]


def forget(run: Path) -> Path:
    """Make the rows of a run such that they cannot be made again."""

    def edit(content: dict) -> None:
        for one in content["data"].values():
            one["sha256"] = "0"

    run_folders.edit_record(run, edit)
    return run


def whole(folder: Path) -> list[str]:
    return [
        str(make_run(folder / "plain", CONFIGS, seed=1)),
        str(make_run(folder / "again", CONFIGS, seed=2)),
        str(make_run(folder / "shuffled", ["sample"], seed=1, train=["sample-p-shuffle"])),
    ]


CASES = {
    "whole": whole,
    "one-run": lambda folder: [str(make_run(folder / "run", CONFIGS))],
    "no-original": lambda folder: [str(make_run(folder / "run", CONFIGS[1:]))],
    "originals-only": lambda folder: [str(make_run(folder / "run", ["sample"]))],
    "no-rows": lambda folder: [str(forget(make_run(folder / "run", CONFIGS)))],
    "nothing-right": lambda folder: [
        str(
            make_run(
                folder / "run",
                CONFIGS,
                rule=lambda one, _: [float(i != one["label"]) for i in range(4)],
            )
        )
    ],
    "trained-on-altered": lambda folder: [
        str(make_run(folder / "run", CONFIGS, train=["sample-q-remove"]))
    ],
}


@pytest.fixture(scope="module", params=sorted(CASES))
def findings(request, tmp_path_factory) -> dict[str, Finding]:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("runs")
    study = load_study(CASES[request.param](folder), papers=["paper-a"])
    return {analysis.name: analysis.function(study) for analysis in in_order()}


def numbers(value: object) -> list[float | None]:
    if isinstance(value, Score):
        return numbers(value.accuracy) + numbers(value.change)
    if isinstance(value, Estimate):
        return list(value)
    return [value] if isinstance(value, int | float) else []


@pytest.mark.parametrize("name", analyses.names())
def test_tables_are_whole(name: str, findings: dict[str, Finding]) -> None:
    for table in findings[name].tables:
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert len({column.name for column in table.columns}) == len(table.columns)


@pytest.mark.parametrize("name", analyses.names())
def test_every_number_is_finite_and_inside_its_interval(
    name: str, findings: dict[str, Finding]
) -> None:
    finding = findings[name]
    values = [value for table in finding.tables for row in table.rows for value in row]
    values += [
        Estimate(point.y, point.low, point.high)
        for chart in finding.charts
        for series in chart.series
        for point in series.points
    ]
    for value in values:
        assert all(one is None or math.isfinite(one) for one in numbers(value))
        for part in value if isinstance(value, Score) else (value,):
            if isinstance(part, Estimate) and part.low is not None:
                assert part.high is not None
                assert part.low - 1e-9 <= part.value <= part.high + 1e-9


@pytest.mark.parametrize("name", analyses.names())
def test_charts_have_points_and_units(name: str, findings: dict[str, Finding]) -> None:
    for chart in findings[name].charts:
        assert any(series.points for series in chart.series)
        assert any(unit in chart.y_label for unit in ("%", "points", "log odds"))
        xs = [point.x for series in chart.series for point in series.points]
        assert chart.kind == "bars" or not chart.ticks or set(xs) <= set(chart.ticks)


def test_names_are_files_and_stand_once(findings: dict[str, Finding]) -> None:
    found = list(findings.values())
    for names in (
        [table.name for one in found for table in one.tables],
        [chart.name for one in found for chart in one.charts],
    ):
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_what_is_missing_is_said_in_sentences(findings: dict[str, Finding]) -> None:
    for finding in findings.values():
        for line in finding.missing_lines:
            assert line.endswith(".")
            assert "\n" not in line


@pytest.mark.parametrize("name", analyses.names())
def test_analysis_has_a_title_and_a_source(name: str) -> None:
    analysis = analyses.get(name)
    assert analysis.title
    assert analysis.source
    assert analysis.function.__doc__
