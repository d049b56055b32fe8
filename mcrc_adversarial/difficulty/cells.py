"""The lines of paper C's table 1: accuracies by source and method, and means over sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mcrc_adversarial.analysis import Estimate
from mcrc_adversarial.difficulty.questions import ALL, MACRO, NOT_NAMED, Question, Questions
from mcrc_adversarial.scoring import (
    accuracy_interval,
    as_keys,
    clustered_mean,
    is_constant,
    macro_average,
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
        n_human: of them, those with a human answer and answers of all models of M-avg, if any.
        n_passages: that M-avg and gap are over.
        human: accuracy on these, from 0 to 1.
        each: model -> accuracy on the questions of `n` that it answered.
        models: M-avg, on the questions of `n_human`, or of `n` without votes; None without models.
        gap: human less M-avg, in points.
    """

    source: str
    method: str
    n: int
    n_human: int
    n_passages: int
    human: Estimate | None
    each: dict[str, float | None]
    models: Estimate | None
    gap: Estimate | None

    @property
    def is_whole(self) -> bool:
        """Whether it has what the table is about: people's accuracy, or M-avg without votes."""
        return self.human is not None or self.models is not None

    @property
    def between(self) -> float | None:
        """The best model's accuracy less the worst one's, in points."""
        known = [one for one in self.each.values() if one is not None]
        return _PERCENT * (max(known) - min(known)) if len(known) > 1 else None


def cells(questions: Questions, chosen: Sequence[Question]) -> list[Cell]:
    """A line for each source and method, for each source, for all, and the means over sources."""
    by_place = places(chosen)
    lines = [_cell(questions, place, found) for place, found in by_place.items()]
    for method in dict.fromkeys(one.method for one in lines):
        of_method = [one for one in lines if one.source != ALL and one.method == method]
        whole = [one for one in of_method if one.source != NOT_NAMED and one.is_whole]
        if len(whole) > 1:
            lines.append(_macro(questions, method, whole))
    return lines


def places(chosen: Sequence[Question]) -> dict[tuple[str, str], list[Question]]:
    """Each source and method with its questions, each source, each method, and all."""
    sources, methods = _names(chosen, "source"), _names(chosen, "method")
    return {
        (source, method): found
        for source in (*sources, ALL)
        for method in (*methods, ALL)
        if (found := [one for one in chosen if _is_of(one, source, method)])
    }


def _names(chosen: Sequence[Question], field: str) -> list[str]:
    """Sources or methods, where there are several."""
    found = dict.fromkeys(str(getattr(one, field)) for one in chosen)
    return list(found) if len(found) > 1 else []


def _is_of(one: Question, source: str, method: str) -> bool:
    return source in (ALL, one.source) and method in (ALL, one.method)


def _cell(questions: Questions, place: tuple[str, str], found: Sequence[Question]) -> Cell:
    measured = [one for one in found if _is_measured(questions, one)]
    average = measured if questions.has_votes else [one for one in found if one.models is not None]
    each = {name: _accuracy(found, name) for name in questions.models}
    return Cell(
        *place,
        len(found),
        len(measured),
        len({one.example.passage_id for one in average}),
        mean_of(
            measured,
            [one.judgement.human for one in measured],
            is_accuracy=questions.rules.is_right_or_wrong,
        ),
        each,
        mean_of(average, [one.models for one in average], is_accuracy=len(questions.counted) == 1),
        _gap(measured),
    )


def _is_measured(questions: Questions, one: Question) -> bool:
    """Whether people's answer is known, and M-avg where there are models."""
    known = one.judgement.human is not None
    return known and (one.models is not None or not questions.counted)


def _accuracy(found: Sequence[Question], model: str) -> float | None:
    right = [one.right[model] for one in found if model in one.right]
    return sum(right) / len(right) if right else None


def mean_of(
    found: Sequence[Question], values: Sequence[float | None], *, is_accuracy: bool
) -> Estimate | None:
    """With an interval over passages; of an accuracy, whose values are 0 or 1, Wilson's."""
    known = [one for one in values if one is not None]
    if not known:
        return None
    passages = [one.example.passage_id for one in found]
    if is_accuracy:
        right = np.array(known, dtype=np.bool_)
        interval = accuracy_interval(right, numbered(as_keys(passages, "passage_ids")))
        return Estimate(float(np.mean(right)), *(interval or ()))
    return _with_interval(known, passages)


def _gap(measured: Sequence[Question]) -> Estimate | None:
    """In points; never taken for an accuracy, though all may be 0 or 1."""
    known = [
        (_PERCENT * one.gap, one.example.passage_id) for one in measured if one.gap is not None
    ]
    if not known:
        return None
    return _with_interval([gap for gap, _ in known], [passage for _, passage in known])


def _with_interval(values: Sequence[float], passages: Sequence[str]) -> Estimate:
    """Over passages drawn with replacement; none of values that do not vary."""
    mean = clustered_mean(values, passages)
    return Estimate(mean.mean, *(() if is_constant(values) else mean.interval or ()))


def _macro(questions: Questions, method: str, of_method: Sequence[Cell]) -> Cell:
    """Each source counts once; no interval, as the paper has none."""
    each = {name: _averaged([one.each[name] for one in of_method]) for name in questions.models}
    values = [
        _averaged([getattr(one, field) and getattr(one, field).value for one in of_method])
        for field in ("human", "models", "gap")
    ]
    human, models, gap = (None if one is None else Estimate(one) for one in values)
    n, n_human, n_passages = (
        sum(getattr(one, field) for one in of_method) for field in ("n", "n_human", "n_passages")
    )
    return Cell(MACRO, method, n, n_human, n_passages, human, each, models, gap)


def _averaged(values: Sequence[float | None]) -> float | None:
    """None unless every source has a value."""
    known = [one for one in values if one is not None]
    return macro_average(known) if known and len(known) == len(values) else None
