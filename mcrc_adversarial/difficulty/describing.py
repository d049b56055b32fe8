"""How the values of each measure lie: middle, ends, and those far out.

A text without full stops is one sentence to Flesch-Kincaid, and its grade beyond any school; one
such passage moves Pearson's r, and a rank correlation hardly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcrc_adversarial.analysis import Column, ResultTable, Value
from mcrc_adversarial.difficulty.measures import Measure
from mcrc_adversarial.difficulty.questions import Questions

# Tukey's outer fences, in interquartile ranges beyond the quartiles.
_FENCE = 3.0


def described(questions: Questions, measures: Sequence[Measure]) -> ResultTable:
    """A line a measure, over valid questions; the farthest value is named."""
    valid = {id(one) for one in questions.valid}
    rows: list[tuple[Value, ...]] = []
    notes = [
        f"Far out: more than {_FENCE:g} interquartile ranges below the lower or above the upper"
        " quartile; these count like all others."
    ]
    for measure in measures:
        pairs = [
            (value, one.example.passage_id)
            for one, value in zip(questions.items, measure.values, strict=True)
            if id(one) in valid and value is not None
        ]
        if not pairs:
            continue
        values = np.array([value for value, _ in pairs], dtype=np.float64)
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
        beyond = np.maximum(low - values, values - high)
        far = beyond > _FENCE * (high - low)
        ends = float(np.mean(values)), float(middle), float(np.min(values)), float(np.max(values))
        rows.append((measure.title, len(pairs), *ends, int(np.sum(far))))
        if np.any(far):
            value, passage_id = pairs[int(np.argmax(beyond))]
            notes.append(f"Farthest {measure.title}: {value:.4g}, on passage {passage_id!r}.")
    which = "valid questions" if questions.has_votes else "all questions"
    return ResultTable(
        "measures",
        f"{questions.config}: values of the measures, {which}",
        (
            Column("measure", "measure"),
            Column("n", "questions", "count"),
            Column("mean", "mean", "number"),
            Column("median", "median", "number"),
            Column("least", "least", "number"),
            Column("greatest", "greatest", "number"),
            Column("n_far", "far out", "count"),
        ),
        tuple(rows),
        tuple(notes),
    )
