from __future__ import annotations

from dataclasses import replace

import needed
import numpy as np
import pytest
from difficult_questions import example, questions, right
from scipy import stats

from mcrc_adversarial.difficulty import Levels, Rules, Sources
from mcrc_adversarial.difficulty.levels import by_level, counts_of_levels
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.scoring import holm_adjusted

needed.package("readability", "extra difficulty")

WORDS = ["kite", "boat", "river", "market", "plum", "bridge", "stone", "Monday"]


def passage(n: int) -> str:
    return " ".join(WORDS[i % len(WORDS)] for i in range(n)) + "."


def many(n: int = 40) -> list[object]:
    rng = np.random.default_rng(7)
    return [
        example(
            i,
            passage=passage(int(rng.integers(5, 60))),
            question=f"What did Ed see {passage(int(rng.integers(1, 9)))}",
            models_right=right(int(rng.integers(0, 6))),
            writing_seconds=float(rng.integers(20, 90)),
            vote_seconds=[float(x) for x in rng.integers(5, 30, size=5)],
        )
        for i in range(n)
    ]


def test_correlations_are_those_of_scipy_and_holm_is_over_all() -> None:
    found = questions(many())  # type: ignore[arg-type]
    table = relate(found).tables[0]
    lengths = [len(one.example.passage.split()) for one in found.items]
    gaps = [one.gap for one in found.items]

    expected = stats.pearsonr(lengths, gaps)

    row = dict(zip([c.name for c in table.columns], table.rows[0], strict=True))
    assert row["measure"] == "passage length, words"
    assert row["n"] == 40
    assert row["r"].value == pytest.approx(expected.statistic)
    assert row["p_value"] == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval()
    assert row["r"][1:] == pytest.approx((low, high))
    p_values = {r[0]: r[3] for r in table.rows if r[2]}
    assert {r[0]: r[4] for r in table.rows if r[2]} == holm_adjusted(p_values)
    assert len(p_values) == 5


def relate(found, levels: Levels | None = None, sources: Sources | None = None):  # type: ignore[no-untyped-def]
    from mcrc_adversarial.difficulty.relations import relations

    return relations(found, sources or Sources(), levels or Levels())


def test_welch_is_that_of_scipy_on_easy_against_hard() -> None:
    found = questions(many())  # type: ignore[arg-type]
    table = relate(found).tables[1]
    levels = by_level(found, Levels())
    easy, hard = (
        [len(one.example.passage.split()) for one in levels[name]] for name in ("easy", "hard")
    )

    expected = stats.ttest_ind(easy, hard, equal_var=False)

    row = dict(zip([c.name for c in table.columns], table.rows[0], strict=True))
    assert (row["n_easy"], row["n_hard"]) == (len(easy), len(hard))
    assert row["t"] == pytest.approx(expected.statistic)
    assert row["p_value"] == pytest.approx(expected.pvalue)
    assert row["difference"].value == pytest.approx(np.mean(easy) - np.mean(hard))
    assert row["difference"].low < row["difference"].value < row["difference"].high


def test_constant_measure_is_said_and_is_no_nan() -> None:
    rows = [example(n, passage="Ed saw a kite.", models_right=right(n)) for n in range(6)]
    finding = relate(questions(rows))

    assert finding.tables[0].rows[0][2:] == (None,) * 5
    text = " ".join(finding.missing)
    assert "passage length, words: r is not defined, since it is 4 in all 6 questions." in text
    assert "nan" not in repr(finding)


def test_constant_gap_is_said() -> None:
    rows = [example(n, passage=passage(n + 3)) for n in range(6)]
    finding = relate(questions(rows))

    assert any(
        "the gap between people and M-avg is 0 in all 6 questions" in one for one in finding.missing
    )
    assert finding.charts == ()


def test_two_options_will_do() -> None:
    rows = [
        example(n, options=("yes", "no"), votes=[1] * 5, passage=passage(n + 3),
                models_right=right(n % 6))
        for n in range(12)
    ]  # fmt: skip

    assert relate(questions(rows)).tables[0].rows[0][1] == 12


def test_absent_measures_are_named() -> None:
    missing = relate(questions([example(1)])).missing

    assert "Answering time needs votes that tell their seconds." in missing
    assert "Syntactic and lexical surprisal need a parser's output." in missing


def test_missing_test_names_the_group_that_failed() -> None:
    one_hard = [
        example(n, passage=passage(n + 3), models_right=right(5 * (n > 0))) for n in range(5)
    ]
    finding = relate(questions(one_hard))

    reason = "passage length, words: no t-test; hard questions with a value: 1, and 2 are needed."
    assert reason in finding.missing
    assert finding.tables[1].rows[0] == ("passage length, words", 4, 1, *([None] * 7))
    same = [example(n, passage=passage(3), models_right=right(5 * (n > 1))) for n in range(5)]
    reason = "no t-test; it is 3 in all 3 easy and 3 in all 2 hard questions."
    assert f"passage length, words: {reason}" in relate(questions(same)).missing
    few = "r is not defined, since valid questions with both: 1, and 4 are needed."
    assert f"passage length, words: {few}" in relate(questions([example(1)])).missing


def test_rank_correlation_is_that_of_scipy() -> None:
    found = questions(many())  # type: ignore[arg-type]
    lengths = [len(one.example.passage.split()) for one in found.items]

    rank_r = relate(found).tables[0].rows[0][6]

    expected = stats.spearmanr(lengths, [one.gap for one in found.items]).statistic
    assert rank_r.value == pytest.approx(expected)
    assert rank_r.low < rank_r.value < rank_r.high


def test_figure_tells_n_once_where_it_is_the_same() -> None:
    (chart,) = relate(questions(many())).charts  # type: ignore[arg-type]
    assert chart.series[0].name == "crowd-protocols (n 40)"
    assert chart.series[0].points[0].label == "passage length, words"

    (chart,) = relate(questions([*many(), example(99, models_right=right(2))])).charts  # type: ignore[list-item]
    assert chart.series[0].name == "crowd-protocols"
    assert chart.series[0].points[0].label == "passage length, words (n 41)"


def test_values_far_out_are_counted_and_the_farthest_named() -> None:
    lengths = [10, 11, 12, 13, 14, 15, 200]
    found = questions([example(n, passage=passage(length)) for n, length in enumerate(lengths)])

    table = relate(found).tables[2]

    assert table.name == "measures"
    row = dict(zip([c.name for c in table.columns], table.rows[0], strict=True))
    assert (row["n"], row["median"], row["greatest"], row["n_far"]) == (7, 13, 200, 1)
    assert "Farthest passage length, words: 200, on passage 'test/6'." in table.notes


@pytest.mark.parametrize(("n_right", "level"), [(5, "easy"), (4, "easy"), (3, "hard"), (0, "hard")])
def test_limits_belong_to_easy_and_to_hard(n_right: int, level: str) -> None:
    (one,) = questions([example(1, models_right=right(n_right))]).items

    assert Levels().of(one) == level
    assert Levels(easy=10, hard=50).of(one) == {4: "mid", 3: "mid"}.get(n_right, level)


def test_only_high_agreement_has_levels() -> None:
    rows = [example(1), example(2, votes=[2, 0, 2, 2, 2]), example(3, models_right=right(0))]
    table = counts_of_levels(questions(rows), Levels()).tables[0]

    assert table.rows == (("all", 2, 1, 0, 1, 0.5, 0.0, 0.5),)
    assert "moves in steps of 20 %" in table.notes[1]


@pytest.mark.parametrize(
    ("levels", "rules", "impossible"),
    [
        (Levels(), {}, True),
        (Levels(easy=20, hard=41), {}, False),
        (Levels(), {"human": "mean"}, False),
        (Levels(), {"no_majority": "share"}, False),
        (Levels(easy=-50, hard=-30), {}, False),
        (Levels("models"), {}, True),
        (Levels("models", easy=10), {}, False),
        (Levels("human"), {}, True),
    ],
)
def test_no_question_can_be_mid_is_said(
    levels: Levels, rules: dict[str, str], impossible: bool
) -> None:
    found = replace(questions([example(1)]), rules=Rules(**rules))  # type: ignore[arg-type]
    notes = counts_of_levels(found, levels).tables[0].notes

    assert any("No question can be mid" in one for one in notes) == impossible
    assert ("steps of" in " ".join(notes)) == (levels.by != "human")


def test_source_without_known_difficulty_is_named_and_not_drawn() -> None:
    rows = [
        example(1, source="race"),
        example(2, votes=[2, 2], filter_votes=None, human_votes=None),
        example(3, source="wiki"),
    ]
    finding = counts_of_levels(questions(rows), Levels())

    assert finding.missing == (
        "The gap between people and M-avg is not known of 1 of 3 questions with high agreement,"
        " among them all of slate.",
    )
    points = finding.charts[0].series[0].points
    assert [(one.x, one.label) for one in points] == [
        (0, "race (n 1)"), (1, "wiki (n 1)"), (2, "all (n 2)"),
    ]  # fmt: skip


def test_without_high_agreement_no_question_has_a_level() -> None:
    finding = counts_of_levels(questions([example(1, votes=[0, 2, 2, 2, 2])]), Levels())

    assert finding.missing == (
        "No question is known to have high agreement, so none is easy, mid or hard.",
    )


def test_difficulty_may_be_people_or_models_alone() -> None:
    wrong = example(1, votes=[2, 2, 0, 0, 2], models_right=right(4))
    (one,) = questions([wrong]).items

    assert one.gap == -0.8
    assert Levels().of(one) == "easy"
    assert Levels("human").of(one) == "hard"
    assert Levels("models").of(one) == "easy"


@pytest.mark.parametrize("ends", [(40, 20), (20, 20), (-200, 0), (0, 101)])
def test_wrong_limits_are_refused(ends: tuple[float, float]) -> None:
    with pytest.raises(ParameterError, match="easy < hard"):
        Levels(easy=ends[0], hard=ends[1])
