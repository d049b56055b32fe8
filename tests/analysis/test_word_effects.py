"""What words do to the options, of one question and on average."""

from __future__ import annotations

import pytest

from mcrc_adversarial.analysis import Estimate
from mcrc_adversarial.analysis._asked import Asked
from mcrc_adversarial.analysis._word_effects import many_cases, most_moving, one_case
from mcrc_adversarial.analysis._word_trace import PASSAGE, STOP, Trace


def whom(kind: str = "multiple-choice") -> Asked:
    return Asked("sample-addsent2opt-shuffle", kind, f"Run r: m ({kind}).")


def test_most_moving_words_come_first() -> None:
    one = Trace(
        "q", "p", 0, 1, "altered", ("a", "b", "c", "d"), (frozenset(),) * 4,
        tuple((p, 1 - p) for p in (0.5, 0.6, 0.2, 0.21, 0.71)), True,
    )  # fmt: skip
    note = one_case(one, whom("causal")).tables[0].notes[0]
    assert note == (
        "What moved the answer most, softmax of the scores in points: 'd' (B -50.0, A +50.0), 'b'"
        " (B +40.0, A -40.0), 'a' (B -10.0, A +10.0)."
    )


def test_word_that_moves_only_wrong_options_is_told() -> None:
    steps = ((0.001, 0.9, 0.099), (0.001, 0.1, 0.899), (0.002, 0.1, 0.898))
    one = Trace("q", "p", 0, 2, "altered", ("a", "b"), (frozenset(),) * 2, steps, True)
    assert "'a' (C +80.0, A +0.0), 'b' (C -0.1, A +0.1)" in most_moving(one, "x")
    inserted = Trace("q", "p", 0, None, "inserted", ("a", "b"), (frozenset(),) * 2, steps, True)
    assert "'a' (B -80.0, A +0.0)" in most_moving(inserted, "x")


def test_word_that_moves_nothing_is_not_told() -> None:
    steps = ((0.5, 0.5), (0.5, 0.5), (0.5004, 0.4996), (0.6, 0.4))
    one = Trace("q", "p", 0, 1, "altered", ("a", "b", "c"), (frozenset(),) * 3, steps, True)
    assert most_moving(one, "x").endswith("in points: 'c' (B -10.0, A +10.0).")
    still = Trace("q", "p", 0, 1, "altered", ("a",), (frozenset(),), steps[:2], True)
    assert most_moving(still, "x").endswith("in points: no word.")


def test_averages_are_those_of_the_words() -> None:
    def made(passage: str, classes: list[str], steps: list[float]) -> Trace:
        return Trace(
            passage, passage, 0, 1, "altered", tuple(classes),
            tuple(frozenset({one}) if one else frozenset() for one in classes),
            tuple((p, 1 - p) for p in steps), True,
        )  # fmt: skip

    # Three times alike: six passages are the fewest with an interval.
    traces = [
        trace
        for n in range(3)
        for trace in (
            made(f"a{n}", [STOP, PASSAGE, ""], [0.9, 0.8, 0.4, 0.5]),
            made(f"b{n}", [PASSAGE, STOP], [0.6, 0.4, 0.4]),
            made(f"c{n}", [PASSAGE], [0.5, 0.5]),
        )
    ]

    finding = many_cases(traces, whom())

    (table,), (chart,) = finding.tables, finding.charts

    rows = {row[0]: row for row in table.rows}
    assert rows[STOP][1:3] == (6, 6)
    assert rows[STOP][3].value == pytest.approx(-5)
    assert rows[PASSAGE][3].value == pytest.approx(-20)
    assert rows[PASSAGE][4].value == pytest.approx(20)
    assert rows[PASSAGE][5].value == pytest.approx(-20)
    assert rows["none of these"][3] == Estimate(pytest.approx(10))
    start = "Stop words change the right option's probability by -5.00 ["
    assert table.notes[0].startswith(start)
    means, others = chart.series
    assert [point.y for point in means.points] == [row[3].value for row in table.rows]
    assert means.points[0][2:4] == rows[STOP][3][1:]
    assert means.points[1].label == f"{PASSAGE} (n 9)"
    assert others.points[1].y == pytest.approx(-20)
    assert chart.notes[-1] == "Run r: m (multiple-choice)."
