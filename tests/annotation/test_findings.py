"""The tables of an import, on votes whose figures one knows beforehand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import needed
import pytest
from annotation_sets import CONFIGS, Fill, fill_all, letter, right, small_export

from mcrc_adversarial.analysis import Estimate, Finding
from mcrc_adversarial.annotation import Item, Results, Thresholds, findings, read_sheets
from mcrc_adversarial.annotation.records import answers_table, other_files
from mcrc_adversarial.annotation.votes import votes_jsonl

needed.package("nltk", "extra annotate")
N = 12


def wrong(item: Item) -> int:
    return (item.label + 1) % 4


def told(who: str, item: Item) -> Mapping[str, str]:
    """All are right, but nobody under p-shuffle; annotator-6 misses every second catch item."""
    if item.is_catch and who == "annotator-6" and item.name[-1] in "02468":
        return {"answer": letter(item, wrong(item))}
    if item.config == "sample-p-shuffle":
        unanswerable = int(item.id.split("/")[1].split("-")[0]) % 3 == 0
        return {"answer": letter(item, None if unanswerable else wrong(item))}
    return {"answer": letter(item, item.label), "seconds": "10"}


def results(
    folder: Path, fill: Fill = told, *, drop: int = 0, types: bool = False, **settings: Any
) -> Results:
    key, sheets = small_export(N, types=types)
    paths = fill_all(folder, key, sheets, fill)
    read = read_sheets(paths[drop:], key)
    assert read.problems == ()
    return findings(key, read, Thresholds(), **settings)


def table(finding: Finding, name: str) -> list[dict[str, Any]]:
    (found,) = [one for one in finding.tables if one.name == name]
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value


def test_human_accuracy_counts_items_and_votes(tmp_path: Path) -> None:
    rows = table(results(tmp_path).finding, "human-accuracy")
    assert [row["config"] for row in rows] == list(CONFIGS)
    assert [row["items"] for row in rows] == [N] * 3
    assert [row["votes"] for row in rows] == [5 * N] * 3
    assert [value(row["majority_accuracy"]) for row in rows] == [1.0, 1.0, 0.0]
    assert [value(row["vote_accuracy"]) for row in rows] == [1.0, 1.0, 0.0]
    assert [value(row["unanswerable_rate"]) for row in rows] == [0.0, 0.0, pytest.approx(1 / 3)]
    assert all(row["majority_accuracy"].low < row["majority_accuracy"].high for row in rows)


@pytest.mark.parametrize(("annotators", "is_said"), [(6, True), (15, False)])
def test_versions_of_one_question_on_a_sheet_are_said(
    tmp_path: Path, annotators: int, is_said: bool
) -> None:
    key, sheets = small_export(N, annotators=annotators)
    read = read_sheets(fill_all(tmp_path, key, sheets, right), key)
    finding = findings(key, read, Thresholds()).finding

    assert bool(key.n_met_again) is is_said
    for name in ("human-accuracy", "label-kept"):
        (found,) = [one for one in finding.tables if one.name == name]
        sentence = f"{key.n_met_again} of {sum(map(len, key.sheets.values()))} times an item was"
        assert found.notes[-1].startswith(sentence) is is_said


def test_chart_states_its_items_intervals_and_threshold(tmp_path: Path) -> None:
    (chart,) = results(tmp_path).finding.charts
    assert [point.label for point in chart.series[0].points] == [
        f"{one} (n {N})" for one in CONFIGS
    ]
    assert chart.reference == {"80%": 80.0}
    assert "95 % intervals" in chart.notes[0]
    assert "keeps the label" in chart.notes[1]


def test_label_kept_tells_attacks_apart(tmp_path: Path) -> None:
    charswap, p_shuffle = table(results(tmp_path).finding, "label-kept")
    assert (charswap["kept"], charswap["other"], charswap["unanswerable"]) == (N, 0, 0)
    assert (p_shuffle["kept"], p_shuffle["other"], p_shuffle["unanswerable"]) == (0, 8, 4)
    assert charswap["clean_right"] == p_shuffle["clean_right"] == N
    assert p_shuffle["verdict"] == "does not keep the label"
    # Twelve items of twelve leave an interval from 76 %: too few to say.
    assert charswap["verdict"] == "undecided"


def test_label_kept_rests_on_items_right_on_the_original(tmp_path: Path) -> None:
    def fill(who: str, item: Item) -> Mapping[str, str]:
        is_hard = item.id in {"test/0-0", "test/1-0", "test/2-0"}
        if is_hard and item.config != "sample-p-shuffle":
            return {"answer": letter(item, wrong(item))}
        return right(who, item)

    charswap, p_shuffle = table(results(tmp_path, fill).finding, "label-kept")
    assert (charswap["kept"], charswap["clean_right"]) == (N - 3, N - 3)
    assert value(charswap["kept_rate"]) == 1.0
    assert (p_shuffle["kept"], p_shuffle["clean_right"]) == (N, N - 3)
    assert value(p_shuffle["kept_rate"]) == 1.0


@pytest.mark.parametrize(
    ("threshold", "verdict"),
    [(0.5, "keeps the label"), (0.8, "undecided")],
)
def test_label_kept_needs_the_whole_interval(
    tmp_path: Path, threshold: float, verdict: str
) -> None:
    key, sheets = small_export(N)
    read = read_sheets(fill_all(tmp_path, key, sheets, right), key)
    found = findings(key, read, Thresholds(kept_from=threshold)).finding
    assert {row["verdict"] for row in table(found, "label-kept")} == {verdict}


def test_against_clean_is_paired(tmp_path: Path) -> None:
    charswap, p_shuffle = table(results(tmp_path).finding, "human-against-clean")
    assert value(charswap["drop"]) == 0.0
    assert value(p_shuffle["drop"]) == 100.0
    assert charswap["p"] == 1.0
    # Twelve changes of one kind: 2 / 2^12, and twice that among two tests.
    assert p_shuffle["p"] == pytest.approx(2 / 2**12)
    assert p_shuffle["p_holm"] == pytest.approx(4 / 2**12)


def test_agreement_names_its_items(tmp_path: Path) -> None:
    rows = table(results(tmp_path).finding, "agreement")
    assert [row["config"] for row in rows] == [*CONFIGS, "all"]
    assert [row["items"] for row in rows] == [N, N, N, 3 * N]
    assert [row["votes"] for row in rows] == [5 * N, 5 * N, 5 * N, 15 * N]
    assert all(row["alpha"] == Estimate(1.0, 1.0, 1.0) for row in rows)


def test_two_votes_rule_needs_five_votes(tmp_path: Path) -> None:
    clean, _, p_shuffle = table(results(tmp_path / "all").finding, "two-votes-rule")
    assert (clean["items"], clean["left_out"]) == (N, 0)
    assert value(clean["valid"]) == value(clean["high_agreement"]) == 1.0
    assert value(clean["accuracy_valid"]) == 1.0
    assert value(p_shuffle["valid"]) == 0.0
    assert p_shuffle["accuracy_valid"] is None
    fewer = table(results(tmp_path / "fewer", drop=1).finding, "two-votes-rule")
    assert all(0 < row["items"] < N and row["items"] + row["left_out"] == N for row in fewer)
    none = results(tmp_path / "none", drop=3).finding
    assert "two-votes-rule" not in {one.name for one in none.tables}


def test_annotators_are_listed_with_their_standing(tmp_path: Path) -> None:
    rows = table(results(tmp_path).finding, "annotators")
    assert [row["annotator"] for row in rows] == [f"annotator-{k}" for k in range(1, 7)]
    assert [row["standing"] for row in rows] == ["bonus"] * 5 + ["below the threshold"]
    assert rows[-1]["catch_rate"] < 0.6
    assert {row["counts"] for row in rows} == {"yes"}
    assert {row["seconds"] for row in rows} == {10.0}


def test_disqualified_are_left_out_on_request_alone(tmp_path: Path) -> None:
    kept = results(tmp_path / "kept")
    out = results(tmp_path / "out", exclude_disqualified=True)
    assert kept.left_out == []
    assert out.left_out == ["annotator-6"]
    before, after = (
        sum(row["votes"] for row in table(one.finding, "human-accuracy")) for one in (kept, out)
    )
    assert before == 15 * N
    assert after == 15 * N - sum(
        vote.annotator == "annotator-6"
        for one in kept.items.values()
        if not one.item.is_catch
        for vote in one.votes
    )
    assert table(out.finding, "annotators")[-1]["counts"] == "no"


def test_missing_sheets_and_answers_are_said(tmp_path: Path) -> None:
    def fill(who: str, item: Item) -> Mapping[str, str]:
        return {} if who == "annotator-2" and item.is_catch else right(who, item)

    missing = results(tmp_path, fill, drop=1).finding.missing
    assert missing[0].startswith("annotator-1: no answer to any of ")
    assert missing[1].startswith("annotator-2: ")
    assert missing[1].endswith("items have no answer")
    assert len(missing) == 2


def test_items_without_votes_are_said(tmp_path: Path) -> None:
    def fill(who: str, item: Item) -> Mapping[str, str]:
        return {} if item.config == "sample-charswap" else right(who, item)

    finding = results(tmp_path, fill).finding
    assert f"sample-charswap: {N} of {N} items have no vote that counts" in finding.missing
    assert "sample-charswap" not in [row["config"] for row in table(finding, "human-accuracy")]


def test_catch_items_alone_give_no_figures_on_configs(tmp_path: Path) -> None:
    found = results(tmp_path, lambda who, item: right(who, item) if item.is_catch else {})
    assert [one.name for one in found.finding.tables] == ["annotators"]
    assert found.finding.charts == ()


def test_types_are_reported_where_they_were_asked_for(tmp_path: Path) -> None:
    def fill(who: str, item: Item) -> Mapping[str, str]:
        types = "factoid" if who in ("annotator-1", "annotator-2") else "factoid; Spatial/temporal"
        return {**right(who, item), "types": types}

    rows = table(results(tmp_path, fill, types=True).finding, "comprehension-types")
    assert len(rows) == 3 * 7
    shares = {row["type"]: value(row["item_rate"]) for row in rows if row["config"] == "sample"}
    assert shares["factoid"] == 1.0
    assert shares["spatial-temporal"] == 1.0
    assert shares["logical"] == 0.0
    votes = {row["type"]: value(row["vote_rate"]) for row in rows if row["config"] == "sample"}
    assert 0 < votes["spatial-temporal"] < 1


def test_types_that_nobody_gave_have_no_table(tmp_path: Path) -> None:
    found = results(tmp_path, right, types=True).finding

    assert "comprehension-types" not in [one.name for one in found.tables]
    assert sum("the column 'types' was left empty" in line for line in found.missing) == 6


def test_types_count_the_votes_of_those_who_gave_any(tmp_path: Path) -> None:
    def fill(who: str, item: Item) -> Mapping[str, str]:
        return {**right(who, item), "types": "logical" if who == "annotator-2" else ""}

    found = results(tmp_path, fill, types=True)
    rows = table(found.finding, "comprehension-types")

    logical = [row for row in rows if row["type"] == "logical"]
    assert {value(row["vote_rate"]) for row in logical} == {1.0}
    assert {value(row["item_rate"]) for row in logical} == {1.0}
    given = [
        any(vote.annotator == "annotator-2" for vote in one.votes)
        for one in found.items.values()
        if not one.item.is_catch
    ]
    assert sum(row["items"] for row in logical) == sum(given) < len(given)
    lines = votes_jsonl(found.items, CONFIGS, ["logical"]).splitlines()
    assert sum(json.loads(line)["types"] == ["logical"] for line in lines) == sum(given)


def test_other_files_have_every_answer(tmp_path: Path) -> None:
    key, sheets = small_export(N)
    read = read_sheets(fill_all(tmp_path, key, sheets, told), key)
    found = findings(key, read, Thresholds())
    files = other_files(key, read, found)
    content = json.loads(files["results.json"])
    assert content["export"] == key.export
    assert content["answers"] == sum(map(len, key.sheets.values()))
    assert content["tables"]["human-accuracy"][0]["majority_accuracy"]["value"] == 1.0
    answers = answers_table(key, read)
    assert len(answers.rows) == content["answers"]
    assert files["answers.csv"].count("\n") == content["answers"] + 1
    assert len(files["votes.jsonl"].splitlines()) == 3 * N
