from __future__ import annotations

import numpy as np
import pytest
from difficult_questions import example, questions, right
from scipy import stats

from mcrc_adversarial.difficulty import Levels, Sources
from mcrc_adversarial.difficulty.levels import by_level, counts_of_levels
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.scoring import holm_adjusted

pytest.importorskip("readability", reason="the extra 'difficulty' is not installed")

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

    assert finding.tables[0].rows[0][2:] == (None, None, None, None)
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

    assert "Answering time is not known of these votes." in missing
    assert "Syntactic and lexical surprisal need a parser's output." in missing


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
