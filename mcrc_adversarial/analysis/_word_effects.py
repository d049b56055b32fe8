"""Traces as tables and a chart: one question, and averages by class of word over many."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from mcrc_adversarial.analysis._asked import Asked, grown_note
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
    estimate,
    frame_of,
)
from mcrc_adversarial.analysis._word_trace import CLASSES, Trace
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.scoring import FEWEST_PASSAGES, clustered_difference, clustered_mean

_MOST_TOLD = 3
# Points; a smaller change is told as 0.0.
_LEAST_TOLD = 0.05
_NO_CLASS = "none of these"
_BEFORE = "(nothing)"
_OBSERVED = {
    "stop word": "Stop words",
    "word of the passage": "Words of the passage",
    "word of the original distractor": "Words of the original distractor",
    "word of the question": "Words of the question",
    "punctuation": "Punctuation marks",
    _NO_CLASS: "Words of none of these kinds",
}


def one_case(trace: Trace, whom: Asked) -> Finding:
    """The chart and the table of one question."""
    measure = whom.measure
    grown = "text in the passage" if trace.option is None else f"option {LETTERS[trace.option]}"
    title = f"{trace.id}, {whom.config}: {measure} as {grown} comes in"
    notes = (most_moving(trace, measure), grown_note([trace]), whom.sentence)
    table = ResultTable("case", title, _case_columns(trace), _case_rows(trace), notes)
    chart = Chart(
        name="case",
        title=title,
        kind="lines",
        x_label=f"words of {grown}, from the first",
        y_label=f"{measure}, %",
        series=tuple(_curve(trace, option) for option in range(len(trace.probabilities[0]))),
        reference={},
        ticks=dict(enumerate([_BEFORE, *trace.words])),
        notes=notes,
    )
    return Finding((table,), (chart,), tuple(_differs([trace])))


def _curve(trace: Trace, option: int) -> Series:
    steps = enumerate(trace.probabilities)
    points = tuple(Point(step, 100 * found[option]) for step, found in steps)
    return Series(_option_name(trace, option), points)


def _case_columns(trace: Trace) -> tuple[Column, ...]:
    options = (
        Column(f"option_{LETTERS[one].lower()}", f"{_option_name(trace, one)}, %", "fraction")
        for one in range(len(trace.probabilities[0]))
    )
    return (
        Column("step", "step", "count"),
        Column("word", "word"),
        *options,
        Column("change_of_right", "change of the right one, points", "points"),
        Column("classes", "kind of word"),
    )


def _case_rows(trace: Trace) -> tuple[tuple[Value, ...], ...]:
    changes: list[float | None] = [None, *(100 * one for one in trace.changes)]
    classes = ["", *(", ".join(sorted(one)) or _NO_CLASS for one in trace.classes)]
    steps = enumerate([_BEFORE, *trace.words])
    return tuple(
        (step, word, *trace.probabilities[step], changes[step], classes[step])
        for step, word in steps
    )


def _option_name(trace: Trace, option: int) -> str:
    marks = {trace.label: " (right)", trace.option: " (grows)"}
    return f"{LETTERS[option]}{marks.get(option, '')}"


def most_moving(trace: Trace, measure: str) -> str:
    """Which words moved the answer most, in a sentence; by what all options gained together."""
    steps = [
        tuple(now - before for before, now in zip(*pair, strict=True))
        for pair in pairwise(trace.probabilities)
    ]
    moved = [step for step, changes in enumerate(steps) if any(map(_is_told, changes))]
    order = sorted(moved, key=lambda step: -sum(map(abs, steps[step])))
    told = (f"{trace.words[step]!r} ({_moves(trace, steps[step])})" for step in order[:_MOST_TOLD])
    return f"What moved the answer most, {measure} in points: {', '.join(told) or 'no word'}."


def _moves(trace: Trace, changes: Sequence[float]) -> str:
    """Changes of the option that grew, or else moved most, and of the right one."""
    grown = trace.option
    if grown is None:
        grown = max(range(len(changes)), key=lambda one: (one != trace.label, abs(changes[one])))
    # Adding 0 makes 0 of a negative 0.
    return ", ".join(
        f"{LETTERS[one]} {round(100 * changes[one], 1) + 0.0:+.1f}" for one in (grown, trace.label)
    )


def _is_told(change: float) -> bool:
    return abs(100 * change) >= _LEAST_TOLD


def many_cases(traces: Sequence[Trace], whom: Asked) -> Finding:
    """What a word of each class does to the right option's share, on average."""
    items = [
        _Item(100 * change, classes, trace.passage_id)
        for trace in traces
        for change, classes in zip(trace.changes, trace.classes, strict=True)
    ]
    found = (_class_row(items, name) for name in (*CLASSES, _NO_CLASS))
    rows = tuple(line for line in found if line is not None)
    title = f"{whom.config}: what a word does to the right option's {whom.measure}"
    notes = (
        f"Over {len(traces)} questions; 95 % intervals, clustered by passage, none on fewer"
        f" than {FEWEST_PASSAGES}. Kinds overlap."
        " Stop words: this project's list of English function words.",
        grown_note(traces),
        whom.sentence,
    )
    table = ResultTable(
        "word-classes",
        title,
        (
            Column("word_class", "kind of word"),
            Column("n_words", "words", "count"),
            Column("n_passages", "passages", "count"),
            Column("mean_change", "mean change, points", "points"),
            Column("mean_size", "mean size of the change, points", "points"),
            Column("less_others", "mean change less that of all other words, points", "points"),
        ),
        rows,
        (*(statement(line, whom.measure) for line in rows), *notes),
    )
    charts = (_class_chart(rows, title, notes),) if rows else ()
    return Finding((table,), charts, tuple(_differs(traces)))


def _class_chart(rows: Sequence[Sequence[Value]], title: str, notes: tuple[str, ...]) -> Chart:
    """A line a class: what its words do, and how that differs from all other words."""
    means, others = list[Point](), list[Point]()
    for number, (name, n_words, _, mean, _, difference) in enumerate(rows):
        label = f"{name} (n {n_words})"
        for points, value in ((means, mean), (others, difference)):
            if isinstance(value, Estimate):
                points.append(Point(number, *value, label=label))
    series = (Series("mean change", tuple(means)), Series("less all other words", tuple(others)))
    return Chart(
        name="word-classes",
        title=title,
        kind="bars",
        x_label="kind of word",
        y_label="change by one word, points",
        series=tuple(one for one in series if one.points),
        reference={"no change": 0.0},
        ticks={},
        notes=notes,
        frame=frame_of(series, least_spread=1.0),
    )


class _Item(NamedTuple):
    """A word that came in: what it did to the right option, in points."""

    change: float
    classes: frozenset[str]
    passage: str


def _class_row(items: Sequence[_Item], name: str) -> tuple[Value, ...] | None:
    """A line of the table; None where no word is of the kind."""
    is_in = [name in one.classes or (name == _NO_CLASS and not one.classes) for one in items]
    inside = [one for one, belongs in zip(items, is_in, strict=True) if belongs]
    if not inside:
        return None
    values, own = [one.change for one in inside], [one.passage for one in inside]
    mean, size = clustered_mean(values, own), clustered_mean(list(map(abs, values)), own)
    every, passages = [one.change for one in items], [one.passage for one in items]
    difference = clustered_difference(every, is_in, passages)
    return (
        name,
        len(inside),
        len(set(own)),
        estimate(mean.mean, mean.interval),
        estimate(size.mean, size.interval),
        difference and estimate(difference.mean, difference.interval),
    )


def statement(line: Sequence[Value], measure: str) -> str:
    """One of the paper's observations, as a sentence with its interval."""
    name, n_words, _, mean, _, difference = line
    assert isinstance(mean, Estimate)
    first = (
        f"{_OBSERVED[str(name)]} change the right option's {measure} by {_with_interval(mean)}"
        " points each"
    )
    if not isinstance(difference, Estimate):
        return f"{first} ({n_words} words)."
    return f"{first}, {_with_interval(difference)} against all other words ({n_words} words)."


def _with_interval(value: Estimate) -> str:
    no_ends = value.low is None or value.high is None
    return f"{value.value:.2f}" + ("" if no_ends else f" [{value.low:.2f}, {value.high:.2f}]")


def _differs(traces: Sequence[Trace]) -> list[Gap]:
    other = sum(not trace.is_as_scored for trace in traces)
    if not other:
        return []
    why = (
        f"in {other} of {len(traces)} questions the model now answers otherwise than in the run's"
        " predictions: is it the same model, on the same precision?"
    )
    return [Gap(why, weight=Weight.MISLEADS)]
