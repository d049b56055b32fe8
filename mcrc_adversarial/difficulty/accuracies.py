"""Paper C's table 1: people, models, M-avg and the gap, by source and collection method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

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
from mcrc_adversarial.difficulty.paper_c import GROUPS
from mcrc_adversarial.difficulty.questions import ALL, MACRO, NOT_NAMED, Question, Questions
from mcrc_adversarial.scoring import (
    accuracy_interval,
    as_keys,
    clustered_mean,
    macro_average,
    spread,
)
from mcrc_adversarial.scoring.inputs import numbered

_PERCENT = 100


@dataclass(frozen=True)
class Cell:
    """One line of the table.

    Attributes:
        source: or `all`, or `MACRO`.
        method: or `all`.
        n: questions.
        n_human: of them, those with a human answer and answers of all models of M-avg.
        human: accuracy on these, from 0 to 1.
        each: model -> accuracy on the questions of `n` that it answered.
        models: M-avg, on the questions of `n_human`, or of `n` without votes.
        gap: human less M-avg, in points.
    """

    source: str
    method: str
    n: int
    n_human: int
    human: Estimate | None
    each: dict[str, float | None]
    models: Estimate | None
    gap: Estimate | None

    @property
    def between(self) -> float | None:
        """The best model's accuracy less the worst one's, in points."""
        known = [one for one in self.each.values() if one is not None]
        return _PERCENT * (max(known) - min(known)) if len(known) > 1 else None


def cells(questions: Questions, chosen: Sequence[Question]) -> list[Cell]:
    """A line for each source and method, for each source, for all, and the means over sources."""
    sources, methods = _names(chosen, "source"), _names(chosen, "method")
    by_place = {
        (source, method): found
        for source in (*sources, ALL)
        for method in (*methods, ALL)
        if (found := [one for one in chosen if _is_of(one, source, method)])
    }
    lines = [_cell(questions, place, found) for place, found in by_place.items()]
    named = [one for one in sources if one != NOT_NAMED]
    lines += [
        _macro(questions, method, [one for one in lines if one.source in named])
        for method in (*methods, ALL)
        if len(named) > 1
    ]
    return lines


def _names(chosen: Sequence[Question], field: str) -> list[str]:
    """Sources or methods, where there are several."""
    found = dict.fromkeys(str(getattr(one, field)) for one in chosen)
    return list(found) if len(found) > 1 else []


def _is_of(one: Question, source: str, method: str) -> bool:
    return source in (ALL, one.source) and method in (ALL, one.method)


def _cell(questions: Questions, place: tuple[str, str], found: Sequence[Question]) -> Cell:
    measured = [one for one in found if one.gap is not None]
    average = measured if questions.has_votes else [one for one in found if one.models is not None]
    each = {name: _accuracy(found, name) for name in questions.models}
    return Cell(
        *place,
        len(found),
        len(measured),
        _mean(measured, [one.judgement.human for one in measured]),
        each,
        _mean(average, [one.models for one in average]),
        _mean(measured, [_PERCENT * one.gap for one in measured if one.gap is not None]),
    )


def _accuracy(found: Sequence[Question], model: str) -> float | None:
    right = [one.right[model] for one in found if model in one.right]
    return sum(right) / len(right) if right else None


def _mean(found: Sequence[Question], values: Sequence[float | None]) -> Estimate | None:
    """With an interval over passages; of an accuracy where every value is right or wrong."""
    known = [one for one in values if one is not None]
    if not known:
        return None
    passages = [one.example.passage_id for one in found]
    if all(one in (0, 1) for one in known):
        right = np.array(known, dtype=np.bool_)
        interval = accuracy_interval(right, numbered(as_keys(passages, "passage_ids")))
        return Estimate(float(np.mean(right)), *(interval or ()))
    mean = clustered_mean(known, passages)
    return Estimate(mean.mean, *(mean.interval or ()))


def _macro(questions: Questions, method: str, lines: Sequence[Cell]) -> Cell:
    """Each source counts once; no interval, as the paper has none."""
    of_method = [one for one in lines if one.method == method]
    each = {name: _averaged([one.each[name] for one in of_method]) for name in questions.models}
    values = [
        _averaged([getattr(one, field) and getattr(one, field).value for one in of_method])
        for field in ("human", "models", "gap")
    ]
    human, models, gap = (None if one is None else Estimate(one) for one in values)
    n, n_human = (sum(getattr(one, field) for one in of_method) for field in ("n", "n_human"))
    return Cell(MACRO, method, n, n_human, human, each, models, gap)


def _averaged(values: Sequence[float | None]) -> float | None:
    """None unless every source has a value."""
    known = [one for one in values if one is not None]
    return macro_average(known) if known and len(known) == len(values) else None


def accuracies(questions: Questions) -> Finding:
    """The table on valid questions, the one on high agreement; one on all without votes."""
    if not questions.has_votes:
        lines = cells(questions, questions.items)
        return Finding(
            (_table(questions, "all-questions", "all questions", lines),),
            _charts(questions, "all-questions", "all questions", lines),
            ("There are no votes: no human accuracy and no gap; models are compared alone.",),
        )
    tables: list[ResultTable] = []
    charts: list[Chart] = []
    missing: list[str] = []
    for group, title in GROUPS.items():
        chosen = questions.valid if group == "valid" else questions.high_agreement
        slug = group.replace("_", "-")
        if not chosen:
            missing.append(f"No question is among the {title}.")
            continue
        lines = cells(questions, chosen)
        tables.append(_table(questions, slug, title, lines))
        charts += _charts(questions, slug, title, lines)
        missing += _unmeasured(title, chosen, lines)
    return Finding(tuple(tables), tuple(charts), tuple(missing))


def _unmeasured(title: str, chosen: Sequence[Question], lines: Sequence[Cell]) -> Iterator[str]:
    """What the numbers are not over, and why some are not there."""
    bare = [one.source for one in lines if one.gap is None and one.source != MACRO]
    if bare:
        yield (
            f"{title}: no human answer or no M-avg on any question of"
            f" {', '.join(dict.fromkeys(bare))}, so there is no mean over all sources."
        )
    without = sum(one.judgement.human is None for one in chosen)
    if without:
        yield (
            f"{title}: {without} of {len(chosen)} questions have too few votes for a human answer;"
            " human, M-avg and gap are over the others."
        )
    unanswered = sum(one.judgement.human is not None and one.models is None for one in chosen)
    if unanswered:
        yield f"{title}: {unanswered} questions lack the answer of a model of M-avg."


def _table(questions: Questions, slug: str, title: str, lines: Sequence[Cell]) -> ResultTable:
    has_votes = questions.has_votes
    human = (Column("human", "human", "fraction"),) if has_votes else ()
    columns = (
        Column("source", "source"),
        Column("method", "collected"),
        Column("n", "questions", "count"),
        *((Column("n_human", "with human answer", "count"),) if has_votes else ()),
        *human,
        *(Column(name, name, "fraction") for name in questions.models),
        Column("m_avg", "M-avg", "fraction"),
        Column("gap", "gap, points", "points")
        if has_votes
        else Column("between", "best less worst model, points", "points"),
    )
    rows = []
    for line in lines:
        people: tuple[Value, ...] = (line.n_human, line.human) if has_votes else ()
        last = line.gap if has_votes else line.between
        rows.append(
            (line.source, line.method, line.n, *people, *line.each.values(), line.models, last)
        )
    what = "human, M-avg and gap" if has_votes else "models"
    return ResultTable(
        slug,
        f"{questions.config}, {title}: accuracy of {what} (%)",
        columns,
        tuple(rows),
        _notes(questions, lines),
    )


def _notes(questions: Questions, lines: Sequence[Cell]) -> tuple[str, ...]:
    left_out = f" without {', '.join(sorted(questions.left_out))}" if questions.left_out else ""
    notes = [f"M-avg: mean of {len(questions.counted)} models{left_out}."]
    if questions.has_votes:
        notes += [*questions.rules.sentences(), "Gap: human less M-avg."]
        if any(one.n_human < one.n for one in lines):
            notes.append(
                "Human, M-avg and gap are over the questions with a human answer and answers of all"
                " models of M-avg; each model's own column is over all questions that it answered."
            )
    notes.append(
        "95 % intervals, clustered by passage: Wilson's of accuracies, else of means over passages"
        " drawn with replacement."
    )
    gaps = [one.gap.value for one in lines if one.gap and one.source not in (ALL, MACRO, NOT_NAMED)
            and one.method == ALL]  # fmt: skip
    if (deviation := spread(gaps)) is not None:
        notes.append(
            f"Gaps of the {len(gaps)} sources: {macro_average(gaps):.1f} on average, population"
            f" standard deviation {deviation:.1f} points."
        )
    elif questions.has_votes:
        named = {one.source for one in questions.items} - {NOT_NAMED}
        what = {0: "No question names a source", 1: "There is one source"}
        few = what.get(len(named), "There is one source with a gap")
        notes.append(f"{few}, so no spread over sources.")
    if any(one.source == NOT_NAMED for one in lines):
        notes.append(f"{NOT_NAMED}: no source; not in the mean over sources, nor in the spread.")
    return tuple(notes)


def _charts(
    questions: Questions, slug: str, title: str, lines: Sequence[Cell]
) -> tuple[Chart, ...]:
    """The gap of each source, a series a method; M-avg where there are no votes."""
    field, y_label = ("gap", "gap, points") if questions.has_votes else ("models", "M-avg, %")
    scale = 1 if questions.has_votes else _PERCENT
    shown = [one for one in lines if one.source != MACRO and getattr(one, field) is not None]
    sources = list(dict.fromkeys(one.source for one in shown))
    series = []
    for method in dict.fromkeys(one.method for one in shown):
        points = []
        for one in (one for one in shown if one.method == method):
            value: Estimate = getattr(one, field)
            low, high = (None if end is None else scale * end for end in value[1:])
            label = _label(shown, one.source)
            place = sources.index(one.source)
            n = one.n_human if questions.has_votes else one.n
            points.append(Point(place, scale * value.value, low, high, n, label))
        series.append(Series(f"collected: {method}" if method != ALL else "all", tuple(points)))
    if not series:
        return ()
    what = "Gap between people and M-avg" if questions.has_votes else "Accuracy of M-avg"
    return (
        Chart(
            name=f"{slug}-by-source",
            title=f"{what}, {title}",
            kind="bars",
            x_label="source",
            y_label=y_label,
            series=tuple(series),
            reference={"people as good as models": 0.0} if questions.has_votes else {},
            ticks={},
            notes=("Lines: 95 % intervals over passages; n in questions of all methods.",),
        ),
    )


def _label(shown: Sequence[Cell], source: str) -> str:
    has_gap = any(one.gap for one in shown)
    n = next(one.n_human if has_gap else one.n for one in shown
             if one.source == source and one.method == ALL)  # fmt: skip
    return f"{source} (n {n})"
