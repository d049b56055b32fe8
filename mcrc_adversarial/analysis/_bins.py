"""How the change of accuracy moves with a measure of the row: bin means, and row by row.

Paper A (Si et al. 2019, figures 5, 7, 8) plots the change within bins and prints Pearson's r over
these points, each counting alike. That hides how few rows some bins have, so every point has its
interval and its number of rows here, and beside r over bins stands r over rows, with an interval:
over rows that were right before, whose share that stays right is what the change is made of, and
over all, whose change in points also falls where there was less to lose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis._bin_correlations import correlations_of, in_words
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._paper_a import NAME, printed
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
    change_of,
    estimate,
    frame_of,
    joined,
)
from mcrc_adversarial.analysis._study import Stack, Study, System, each_corpus
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.scoring import RowScores, scores_by_group

# What the paper's figures 5, 7 and 8 are about.
ATTACK = "addsent2opt-shuffle"


_EDGES = {"[": " [a, b) holds a and not b.", "(": " (a, b] holds b and not a."}


class Bin(NamedTuple):
    """A bin: its label on the axis, its ends, and these in words."""

    label: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Binning:
    """A measure and its bins.

    Attributes:
        name: of the analysis.
        title: of its charts, the corpus and the system go before and behind.
        x_label: with the unit.
        measure: of a row.
        bins: by rising label.
        is_upper_closed: whether a bin holds its upper end and not its lower one.
        figure: the paper's, for notes.
    """

    name: str
    title: str
    x_label: str
    measure: Callable[[ConfigRows, int], float]
    bins: tuple[Bin, ...]
    is_upper_closed: bool
    figure: str

    @property
    def edges(self) -> str:
        """Which end a bin holds, where its words name ends."""
        return _EDGES.get(self.bins[0].words[0], "")

    def number(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Number of the bin that each value is in, -1 for none; shape (n,)."""
        found = np.full(len(x), -1, dtype=np.int64)
        for number, (_, low, high, _) in enumerate(self.bins):
            inside = (x > low) & (x <= high) if self.is_upper_closed else (x >= low) & (x < high)
            found[inside] = number
        return found


def binned(study: Study, binning: Binning) -> Finding:
    """Chart and tables of a measure, for every system and corpus with the attack."""
    found, summary = [], list[tuple[Value, ...]]()
    for system, corpus in each_corpus(study):
        finding, line = _of_corpus(study, system, corpus, binning)
        found.append(finding)
        summary += line
    whole = joined(found)
    if not summary:
        return whole
    return Finding((_summary(study, binning, summary), *whole.tables), whole.charts, whole.missing)


def _of_corpus(
    study: Study, system: System, corpus: str, binning: Binning
) -> tuple[Finding, list[tuple[Value, ...]]]:
    config = f"{corpus}-{ATTACK}"
    if not any(config in run.answers for run in system.plain_runs()):
        return _without("it was not scored", system, config, Weight.PART), []
    stack = study.stack(system, config)
    if isinstance(stack, str):
        return _without(stack, system, config), []
    if stack.clean is None:
        why = f"{corpus} itself was not scored on the same rows"
        return _without(why, system, config), []
    x = stack.each(binning.measure)
    x[~stack.attacked] = np.nan
    scores = _scores(stack, binning.number(x))
    points = _points(scores, binning)
    if not points:
        return _without("no row lies in a bin", system, config, Weight.PART), []
    correlations = correlations_of(stack, x, binning.number(x) >= 0, points)
    series = [Series(f"{system.name}, measured", points), *_printed(study, corpus, binning)]
    chart = Chart(
        name=f"{binning.name}-{system.slug}-{corpus}",
        title=f"{corpus}: {binning.title}",
        kind="points",
        x_label=binning.x_label,
        y_label=f"change under {ATTACK}, %",
        series=tuple(series),
        reference={"no change": 0.0},
        ticks=_ticks(binning, scores, len(stack.runs)),
        notes=(
            in_words(correlations),
            _where_rows_lie(stack, config, binning.number(x) >= 0),
            f"n: rows in the bin, of one run.{binning.edges}",
            "Lines: 95 % intervals, clustered by passage; those that reach the frame go on.",
        ),
        frame=frame_of(series),
    )
    return Finding((_table(system, corpus, binning, scores),), (chart,)), [
        (system.name, corpus, *correlations, _printed_r(corpus, binning))
    ]


def _where_rows_lie(stack: Stack, config: str, in_bins: npt.NDArray[np.bool_]) -> str:
    n_runs = len(stack.runs)
    unchanged = int(np.sum(~stack.attacked)) // n_runs
    outside = int(np.sum(stack.attacked & ~in_bins)) // n_runs
    inside = len(in_bins) // n_runs - outside - unchanged
    return (
        f"{config}: {inside} rows lie in a bin, {outside} were changed but lie in none, {unchanged}"
        " were not changed by the attack."
    )


def _without(why: str, system: System, config: str, weight: Weight = Weight.LACKS_DATA) -> Finding:
    gap = Gap(why, system.name, (config,), "there is no chart of its changes", weight)
    return Finding(missing=(gap,))


def _scores(stack: Stack, bins: npt.NDArray[np.int64]) -> dict[int, RowScores]:
    """Scores of the rows in each bin that has any."""
    assert stack.clean is not None
    inside = bins >= 0
    if not np.any(inside):
        return {}
    passages = [one for one, is_in in zip(stack.passage_ids, inside, strict=True) if is_in]
    found = scores_by_group(
        stack.predictions[inside],
        stack.labels[inside],
        bins[inside],
        clean_predictions=stack.clean[inside],
        passage_ids=passages,
    )
    return {int(number): scores for number, scores in sorted(found.items())}


def _points(scores: dict[int, RowScores], binning: Binning) -> tuple[Point, ...]:
    found = []
    for number, one in scores.items():
        change = change_of(one.percentage_performance_drop, one.drop_interval)
        if change is not None:
            found.append(Point(binning.bins[number].label, *change, one.n))
    return tuple(found)


def _ticks(binning: Binning, scores: dict[int, RowScores], n_runs: int) -> dict[float, str]:
    return {
        one.label: f"{one.words} (n {scores[number].n // n_runs if number in scores else 0})"
        for number, one in enumerate(binning.bins)
    }


def _printed(study: Study, corpus: str, binning: Binning) -> list[Series]:
    if NAME not in study.papers:
        return []
    figure = printed()["figures"][binning.name]
    values = figure["y"].get(corpus, [])
    points = tuple(Point(x, y) for x, y in zip(figure["x"], values, strict=False))
    return [Series(f"paper A, {figure['source']}, read off", points, True)] if points else []


def _table(
    system: System, corpus: str, binning: Binning, scores: dict[int, RowScores]
) -> ResultTable:
    rows: list[tuple[Value, ...]] = [
        (
            binning.bins[number].words,
            one.n,
            one.n_passages,
            one.clean_accuracy,
            estimate(one.accuracy, one.accuracy_interval),
            change_of(one.percentage_performance_drop, one.drop_interval),
        )
        for number, one in scores.items()
    ]
    return ResultTable(
        f"{binning.name}-{system.slug}-{corpus}",
        f"{corpus}: {binning.title} ({system.name})",
        (
            Column("bin", binning.x_label),
            Column("n", "answers", "count"),
            Column("n_passages", "passages", "count"),
            Column("clean_accuracy", "accuracy on originals, %", "fraction"),
            Column("accuracy", f"under {ATTACK}, %", "fraction"),
            Column("change", "change, %", "percent"),
        ),
        tuple(rows),
        (
            "Accuracies before and after are those of the bin's own rows.",
            "A change on fewer than about six passages has no interval.",
        ),
    )


def _printed_r(corpus: str, binning: Binning) -> float | None:
    found: float | None = printed()["figures"][binning.name]["r"].get(corpus)
    return found


def _summary(study: Study, binning: Binning, lines: list[tuple[Value, ...]]) -> ResultTable:
    columns = (
        Column("system", "model"),
        Column("corpus", "corpus"),
        Column("n_bins", "bins", "count"),
        Column("r_over_bins", "r over bins", "r"),
        Column("r_over_right", "r over rows right before", "r"),
        Column("n_right", "right before, in bins", "count"),
        Column("r_over_rows", "r over rows", "r"),
        Column("n_answers", "answers", "count"),
        Column("n_passages", "passages", "count"),
        Column("r_printed", "r printed (paper A)", "r"),
    )
    is_compared = NAME in study.papers
    width = len(columns) if is_compared else len(columns) - 1
    return ResultTable(
        f"{binning.name}-correlations",
        f"{binning.title[0].upper()}{binning.title[1:]}: correlations",
        columns[:width],
        tuple(line[:width] for line in lines),
        (
            "r over bins: Pearson's, unweighted, over the points of the chart"
            f" (paper A, {binning.figure}).",
            "r over rows right before: Pearson's between the measure and whether the row stays"
            " right under attack, over rows in bins that were right on the original; 95 % interval"
            " clustered by passage. Of the three it is nearest to the chart's relative change.",
            "r over rows: Pearson's between the measure and the change of the row (right under"
            " attack less right on the original), over all attacked rows, also those in no bin;"
            " 95 % interval clustered by passage. Its sign can differ from that over bins: rows"
            " that were wrong before cannot fall, so it also follows how accuracy on the originals"
            " changes with the measure; and bins of few rows weigh as much as any other.",
        ),
    )
