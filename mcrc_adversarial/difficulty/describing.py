"""How the values of each measure lie: middle, ends, and those far out.

A text without full stops is one sentence to Flesch-Kincaid, and its grade beyond any school; one
such passage moves Pearson's r, and a rank correlation hardly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis import Column, ResultTable, Value
from mcrc_adversarial.difficulty.measures import Measure
from mcrc_adversarial.difficulty.questions import Questions
from mcrc_adversarial.scoring.intervals import FloatArray

# Tukey's outer fences, in interquartile ranges beyond the quartiles.
_FENCE = 3.0


def described(questions: Questions, measures: Sequence[Measure]) -> ResultTable:
    """A line a measure, over valid questions; the farthest value is named."""
    rows: list[tuple[Value, ...]] = []
    notes = [
        f"Far out: more than {_FENCE:g} interquartile ranges below the lower or above the upper"
        " quartile; these count like all others."
    ]
    for measure in measures:
        pairs = measure.of_valid(questions)
        if not pairs:
            continue
        values = np.array([value for _, value in pairs], dtype=np.float64)
        beyond, is_far = _beyond(values)
        ends = float(np.mean(values)), *np.quantile(values, [0.5, 0.0, 1.0]).tolist()
        rows.append((measure.title, len(pairs), *ends, int(np.sum(is_far))))
        if np.any(is_far):
            one, value = pairs[int(np.argmax(beyond))]
            where = f"on passage {one.example.passage_id!r}"
            notes.append(f"Farthest {measure.title}: {value:.4g}, {where}.")
    return ResultTable(
        "measures",
        f"{questions.config}: values of the measures, {questions.which}",
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


def _beyond(values: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """How far each value lies outside the quartiles, and whether that is far out."""
    low, high = np.quantile(values, [0.25, 0.75])
    beyond = np.maximum(low - values, values - high)
    return beyond, beyond > _FENCE * (high - low)
