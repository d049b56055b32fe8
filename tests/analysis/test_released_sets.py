"""Reports file released attacked sets as attacks on the original that they are measured against."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import run_folders
from released_sets import write_race, write_set

from mcrc_adversarial.analysis import Study, load_study
from mcrc_adversarial.analysis.accuracy_under_attack import accuracy_under_attack
from mcrc_adversarial.analysis.question_type import question_type
from mcrc_adversarial.analysis.scored_runs import scored_runs
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.training.recipe import parse_arguments

ORIGINAL, ADDSENT, DE = "advrace-original", "advrace-addsent", "advrace-distractor-extraction"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    write_race(root)
    write_set(root, ORIGINAL)
    write_set(root, ADDSENT, wrong=range(6))
    write_set(root, DE, wrong=range(12))
    return root


def study(folder: Path, data: Path, *configs: str, rows_are_there: bool = True) -> Study:
    arguments = [
        "--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
        "--data_dir", str(data), "--allow_unverified", "--use_cpu",
        "--output_dir", str(folder), "--evaluate", *configs,
    ]  # fmt: skip
    run_experiment(parse_arguments(arguments))
    if not rows_are_there:
        shutil.rmtree(data)
    return load_study([str(folder)])


def table(finding: Any, start: str) -> Any:
    return next(one for one in finding.tables if one.name.startswith(start))


def test_released_sets_stand_as_attacks_on_the_released_original(
    tmp_path: Path, data: Path
) -> None:
    finding = accuracy_under_attack(study(tmp_path / "run", data, ORIGINAL, "race", ADDSENT, DE))

    matrix = table(finding, "released-sets")
    assert [column.name for column in matrix.columns] == ["attack", ORIGINAL, "mean"]
    changes = {line[0]: line[1].change for line in matrix.rows if line[1] is not None}
    assert changes[ADDSENT].value == pytest.approx(-25)
    assert changes[DE].value == pytest.approx(-50)
    assert changes[DE].low < -50 < changes[DE].high
    assert changes["mean change"].value == pytest.approx(-37.5)
    lines = [line[:2] for line in table(finding, "accuracy-").rows]
    assert lines == [(ORIGINAL, "original"), (ORIGINAL, ADDSENT), (ORIGINAL, DE),
                     ("race", "original")]  # fmt: skip
    assert not finding.missing_lines


@pytest.mark.parametrize("has_figures", [True, False])
@pytest.mark.parametrize("rows_are_there", [True, False])
def test_released_set_stands_under_race_where_only_that_was_scored(
    tmp_path: Path, data: Path, rows_are_there: bool, has_figures: bool
) -> None:
    """Also from the answers alone, and where RACE has other rows besides."""
    made = study(tmp_path / "run", data, "race", ADDSENT, rows_are_there=rows_are_there)
    if not has_figures:
        (tmp_path / "run" / "metrics.json").unlink()
        made = load_study([str(tmp_path / "run")])

    line = table(accuracy_under_attack(made), "accuracy-").rows[1]

    assert line[:2] == ("race", ADDSENT)
    assert line[3].value == pytest.approx(-25)
    assert (line[3].low is not None) == (rows_are_there or has_figures)


def test_released_set_alone_stands_as_a_corpus_and_says_why_there_is_no_change(
    tmp_path: Path, data: Path
) -> None:
    finding = accuracy_under_attack(study(tmp_path / "run", data, ADDSENT))

    (line,) = table(finding, "accuracy-").rows
    assert line[:2] == (ADDSENT, "original")
    assert line[3] is None
    expected = "advrace-original or race was not scored on the same rows by every run"
    assert any(expected in one for one in finding.missing_lines)


@pytest.mark.parametrize("rows_are_there", [True, False])
def test_change_is_over_the_rows_that_have_an_original(
    tmp_path: Path, data: Path, rows_are_there: bool
) -> None:
    """20 of 24 rows, 6 of them wrong; without rows, as metrics.json or the answers have it."""
    write_set(data, ORIGINAL, n=20)
    made = study(tmp_path / "run", data, ORIGINAL, ADDSENT, rows_are_there=rows_are_there)
    measured = accuracy_under_attack(made)
    (tmp_path / "run" / "metrics.json").unlink()
    alone = accuracy_under_attack(load_study([str(tmp_path / "run")]))

    for finding in (measured, alone):
        line = table(finding, "accuracy-").rows[1]
        assert line[:2] == (ORIGINAL, ADDSENT)
        assert line[2].value == pytest.approx(0.75)
        assert line[3].value == pytest.approx(-30)
    expected = f"4 of 24 answers are to questions that were not scored in {ORIGINAL}; the change is"
    assert any(expected in one for one in measured.missing_lines) == rows_are_there


def test_breakdowns_have_released_sets_beside_their_original(tmp_path: Path, data: Path) -> None:
    finding = question_type(study(tmp_path / "run", data, "race", ADDSENT))

    matrix = table(finding, "by-level")
    assert [column.name for column in matrix.columns] == ["group", "n", "original", ADDSENT]
    changes = {line[0]: line[3].change for line in matrix.rows if line[3] is not None}
    assert changes["high"].value == pytest.approx(-25)


def test_only_originals_are_tested_against_guessing(tmp_path: Path, data: Path) -> None:
    write_set(data, ADDSENT, wrong=range(24))

    missing = scored_runs(study(tmp_path / "run", data, ORIGINAL, ADDSENT)).missing_lines

    assert not any("not above guessing" in line for line in missing)


def test_report_without_released_sets_has_no_table_of_them(tmp_path: Path) -> None:
    run = run_folders.make_run(tmp_path / "run", ["sample", "sample-p-remove"])

    finding = accuracy_under_attack(load_study([str(run)]))

    assert not any(one.name.startswith("released-sets") for one in finding.tables)
