"""Lines of sources and methods, and means over sources."""

from __future__ import annotations

from difficult_questions import example, questions, right

from mcrc_adversarial.difficulty.accuracies import accuracies, cells
from mcrc_adversarial.difficulty.questions import MACRO, NOT_NAMED


def test_sources_count_once_in_the_mean_over_sources() -> None:
    rows = [example(n, source="slate", models_right=right(5)) for n in range(3)]
    rows.append(example(9, source="race", models_right=right(0)))
    found = questions(rows)

    lines = {one.source: one for one in cells(found, found.valid)}

    gaps = {source: line.gap.value for source, line in lines.items() if line.gap}
    assert gaps == {"slate": 0.0, "race": 100.0, "all": 25.0, MACRO: 50.0}
    table = accuracies(found).tables[0]
    assert "Gaps of the 2 sources: 50.0 on average" in table.notes[-1]
    assert "population standard deviation 50.0" in table.notes[-1]
    assert table.rows[0][0] == "slate"


def test_methods_of_each_source_have_lines() -> None:
    rows = [
        example(n, source=source, method=method)
        for n, (source, method) in enumerate(
            (source, method) for source in ("slate", "race") for method in ("standard", "adv")
        )
    ]
    found = questions(rows)

    places = [(one.source, one.method) for one in cells(found, found.valid)]

    assert places == [
        *((source, method) for source in ("slate", "race", "all") for method in
          ("standard", "adv", "all")),
        *((MACRO, method) for method in ("standard", "adv", "all")),
    ]  # fmt: skip


def test_one_source_has_no_spread_and_says_so() -> None:
    found = questions([example(1), example(2)])

    table = accuracies(found).tables[0]

    assert [row[0] for row in table.rows] == ["all"]
    assert "There is one source, so no spread over sources." in table.notes


def test_questions_without_a_source_are_no_source() -> None:
    rows = [
        example(1, source="slate"),
        example(2, source="race", models_right=right(0)),
        example(3, source=None, models_right=right(0)),
    ]
    found = questions(rows)

    lines = {one.source: one for one in cells(found, found.valid)}

    assert {source: line.n for source, line in lines.items()} == {
        "slate": 1, "race": 1, NOT_NAMED: 1, "all": 3, MACRO: 2,
    }  # fmt: skip
    assert lines[MACRO].gap is not None
    assert lines[MACRO].gap.value == 50.0
    notes = accuracies(found).tables[0].notes
    assert "Gaps of the 2 sources" in notes[-2]
    assert notes[-1].startswith("(not named): no source")


def test_source_called_like_a_line_is_told_from_it() -> None:
    rows = [example(1, source="all"), example(2, source="race", method="all"), example(3)]
    found = questions(rows)

    places = [(one.source, one.n) for one in cells(found, found.valid) if one.method == "all"]

    assert places == [('"all"', 1), ("race", 1), ("slate", 1), ("all", 3), (MACRO, 3)]
    assert found.items[1].method == '"all"'


def test_source_without_human_answers_is_not_in_the_mean_over_sources() -> None:
    few = {"votes": [2, 2], "filter_votes": None, "human_votes": None, "source": "eggan"}
    rows = [example(1), example(2, source="race", models_right=right(0)), example(3, **few)]
    finding = accuracies(questions(rows))

    last = finding.tables[0].rows[-1]
    assert (last[0], last[2], last[3]) == (MACRO, 2, 2)
    assert last[6] is not None
    assert last[6].value == 50.0  # type: ignore[union-attr]
    assert (
        "valid questions: no human answer or no M-avg on any question of eggan: not in the mean"
        " over sources, nor in the spread."
    ) in finding.missing
