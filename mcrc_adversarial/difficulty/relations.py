"""Does a measure go with difficulty? Correlations, and easy against hard questions (paper C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import rankdata

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
)
from mcrc_adversarial.difficulty.describing import described
from mcrc_adversarial.difficulty.levels import EASY, HARD, WORDS, Levels, by_level
from mcrc_adversarial.difficulty.measures import Measure, Sources, absent, measured
from mcrc_adversarial.difficulty.questions import Questions
from mcrc_adversarial.scoring import (
    FEWEST_PASSAGES,
    Correlation,
    WelchTest,
    clustered_pearson,
    correlation,
    holm_adjusted,
    is_constant,
    welch_test,
)

# Of values of a side of a t-test, and of pairs for an r with an interval.
_FEWEST, _FEWEST_PAIRS = 2, 4


def relations(questions: Questions, sources: Sources, levels: Levels) -> Finding:
    """The table of correlations, that of tests, and a figure of the correlations."""
    measures = measured(questions, sources)
    missing = absent(measures)
    notes = sources.sentences(questions)
    correlated = {one.name: _correlated(questions, one, levels) for one in measures}
    tested = {one.name: _tested(questions, one, levels) for one in measures}
    for one in measures:
        missing += _undefined(questions, one, correlated[one.name], tested[one.name], levels)
    tables = (
        _correlation_table(questions, measures, correlated, levels, notes),
        _test_table(questions, measures, tested, levels, notes),
        described(questions, measures),
    )
    return Finding(tables, _chart(questions, measures, correlated, levels), tuple(missing))


@dataclass(frozen=True)
class _Correlated:
    """A correlation, its interval over passages, and that of ranks with its own."""

    found: Correlation | None
    clustered: Estimate | None
    ranks: Estimate | None
    n: int


@dataclass(frozen=True)
class _Tested:
    """Values of easy and of hard questions, and the test of both."""

    easy: list[float]
    hard: list[float]
    found: WelchTest | None

    def reason(self) -> str:
        """Why there is no test."""
        for name, values in (("easy", self.easy), ("hard", self.hard)):
            if len(values) < _FEWEST:
                return f"{name} questions with a value: {len(values)}, and {_FEWEST} are needed"
        return (
            f"it is {self.easy[0]:g} in all {len(self.easy)} easy and {self.hard[0]:g} in all"
            f" {len(self.hard)} hard questions"
        )


def _pairs(
    questions: Questions, measure: Measure, levels: Levels
) -> tuple[list[float], list[float], list[str]]:
    """Measure, difficulty and passage of each valid question that has both."""
    rows = [
        (value, difficulty, one.example.passage_id)
        for one, value in measure.of_valid(questions)
        if (difficulty := one.difficulty(levels.by)) is not None
    ]
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def _correlated(questions: Questions, measure: Measure, levels: Levels) -> _Correlated:
    x, y, passages = _pairs(questions, measure, levels)
    found = correlation(x, y)
    if found is None:
        return _Correlated(None, None, None, len(x))
    clustered = clustered_pearson(x, y, passages)
    estimate = None if clustered.interval is None else Estimate(found.r, *clustered.interval)
    # Spearman's is Pearson's of the ranks.
    ranks = clustered_pearson(rankdata(x), rankdata(y), passages)
    of_ranks = None if ranks.r is None else Estimate(ranks.r, *(ranks.interval or ()))
    return _Correlated(found, estimate, of_ranks, len(x))


def _tested(questions: Questions, measure: Measure, levels: Levels) -> _Tested:
    values = {id(one): value for one, value in zip(questions.items, measure.values, strict=True)}
    found = by_level(questions, levels)
    easy, hard = (
        [value for one in found[level] if (value := values[id(one)]) is not None]
        for level in (EASY, HARD)
    )
    return _Tested(easy, hard, welch_test(easy, hard))


def _undefined(
    questions: Questions,
    measure: Measure,
    correlated: _Correlated,
    tested: _Tested,
    levels: Levels,
) -> list[str]:
    """Why there is no r, or no test, in a sentence each."""
    lines = []
    if correlated.found is None:
        x, y, _ = _pairs(questions, measure, levels)
        if len(x) < _FEWEST_PAIRS:
            which = "valid questions" if questions.has_votes else "questions"
            why = f"{which} with both: {len(x)}, and {_FEWEST_PAIRS} are needed"
        elif is_constant(x):
            why = f"it is {x[0]:g} in all {len(x)} questions"
        else:
            why = f"{WORDS[levels.by]} is {y[0]:g} in all {len(y)} questions"
        lines.append(f"{measure.title}: r is not defined, since {why}.")
    if tested.found is None:
        lines.append(f"{measure.title}: no t-test; {tested.reason()}.")
    return lines


def _adjusted(p_values: dict[str, float]) -> dict[str, float]:
    return holm_adjusted(p_values) if p_values else {}


def _correlation_table(
    questions: Questions,
    measures: Sequence[Measure],
    correlated: dict[str, _Correlated],
    levels: Levels,
    notes: tuple[str, ...],
) -> ResultTable:
    adjusted = _adjusted(
        {name: one.found.p_value for name, one in correlated.items() if one.found is not None}
    )
    rows: list[tuple[Value, ...]] = []
    for measure in measures:
        one = correlated[measure.name]
        r = None if one.found is None else Estimate(one.found.r, *one.found.interval)
        p_value = None if one.found is None else one.found.p_value
        holm = adjusted.get(measure.name)
        rows.append((measure.title, one.n, r, p_value, holm, one.clustered, one.ranks))
    return ResultTable(
        "correlations",
        f"{questions.config}: Pearson's r with {WORDS[levels.by]}, {questions.which}",
        (
            Column("measure", "measure"),
            Column("n", "questions", "count"),
            Column("r", "r", "r"),
            Column("p_value", "p", "p"),
            Column("p_value_holm", "p, Holm", "p"),
            Column("r_by_passage", "r, interval by passage", "r"),
            Column("rank_r", "rank r (Spearman's)", "r"),
        ),
        tuple(rows),
        (
            "95 % intervals: Fisher's, and in the last two columns over passages drawn with"
            f" replacement (none on fewer than {FEWEST_PASSAGES}), which holds where several"
            " questions stand on one. Where r and rank r differ, a few values far out make r. A"
            " positive r: the more, the harder. Holm: over the measures of this table.",
            *notes,
        ),
    )


def _adjusted_tests(tested: dict[str, _Tested]) -> dict[str, float]:
    return _adjusted({name: one.found.p_value for name, one in tested.items() if one.found})


def _test_row(measure: Measure, tested: _Tested, adjusted: dict[str, float]) -> tuple[Value, ...]:
    one = tested.found
    if one is None:
        return (measure.title, len(tested.easy), len(tested.hard), *([None] * 7))
    return (
        measure.title,
        *one.n,
        *one.means,
        Estimate(one.difference, *one.interval),
        one.t,
        one.degrees,
        one.p_value,
        adjusted[measure.name],
    )


def _test_table(
    questions: Questions,
    measures: Sequence[Measure],
    tested: dict[str, _Tested],
    levels: Levels,
    notes: tuple[str, ...],
) -> ResultTable:
    rows = [_test_row(one, tested[one.name], _adjusted_tests(tested)) for one in measures]
    return ResultTable(
        "easy-against-hard",
        f"{questions.config}: Welch's t-test of easy against hard questions",
        (
            Column("measure", "measure"),
            Column("n_easy", "easy", "count"),
            Column("n_hard", "hard", "count"),
            Column("mean_easy", "mean of easy", "number"),
            Column("mean_hard", "mean of hard", "number"),
            Column("difference", "easy less hard", "number"),
            Column("t", "t", "number"),
            Column("degrees", "df", "number"),
            Column("p_value", "p", "p"),
            Column("p_value_holm", "p, Holm", "p"),
        ),
        tuple(rows),
        (
            f"{levels.sentence()} 95 % interval of the difference; questions count as independent."
            " Holm: over the measures of this table.",
            *notes,
        ),
    )


def _chart(
    questions: Questions,
    measures: Sequence[Measure],
    correlated: dict[str, _Correlated],
    levels: Levels,
) -> tuple[Chart, ...]:
    known = [(one, found) for one in measures if (found := correlated[one.name].found)]
    if not known:
        return ()
    # Told once where it is the same everywhere: labels take room from the plot.
    ns = {found.n for _, found in known}
    name = f"{questions.config} (n {min(ns)})" if len(ns) == 1 else questions.config
    points = [
        Point(number, found.r, *found.interval, found.n, f"{one.title}{_n(found.n, ns)}")
        for number, (one, found) in enumerate(known)
    ]
    return (
        Chart(
            name="correlations",
            title=f"Measures and {WORDS[levels.by]}",
            kind="bars",
            x_label="measure",
            y_label="Pearson's r",
            series=(Series(name, tuple(points)),),
            reference={"no relation": 0.0},
            ticks={},
            notes=("Lines: Fisher's 95 % intervals. To the right: the more, the harder.",),
        ),
    )


def _n(n: int, ns: set[int]) -> str:
    return f" (n {n})" if len(ns) > 1 else ""
