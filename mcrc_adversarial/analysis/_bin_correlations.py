"""Pearson's r of a binned measure: over the bins' points, and over rows, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis._results import Estimate, Point, estimate
from mcrc_adversarial.analysis._study import Stack
from mcrc_adversarial.scoring import Association, clustered_pearson, pearson_r


class Correlations(NamedTuple):
    """Each r is None where it is not defined; the columns of the table of correlations."""

    n_bins: int
    over_bins: float | None
    over_right: Estimate | None
    n_right: int
    over_rows: Estimate | None
    n_rows: int
    n_passages: int


def correlations_of(
    stack: Stack,
    x: npt.NDArray[np.float64],
    in_bins: npt.NDArray[np.bool_],
    points: Sequence[Point],
) -> Correlations:
    """The correlations of a measure and what becomes of rows.

    Args:
        stack: answers of some runs, with those on the originals.
        x: the measure, nan where the attack changed nothing or it is not defined, shape (n,).
        in_bins: whether the item lies in a bin, shape (n,).
        points: of the chart.
    """
    assert stack.clean is not None
    after = (stack.predictions == stack.labels).astype(np.float64)
    before = (stack.clean == stack.labels).astype(np.float64)

    def over(y: npt.NDArray[np.float64], chosen: npt.NDArray[np.bool_]) -> Association:
        passages = [one for one, is_in in zip(stack.passage_ids, chosen, strict=True) if is_in]
        return clustered_pearson(x[chosen], y[chosen], passages)

    right, rows = over(after, in_bins & (before > 0)), over(after - before, np.isfinite(x))
    return Correlations(
        len(points),
        pearson_r([point.x for point in points], [point.y for point in points]),
        estimate(right.r, right.interval),
        right.n,
        estimate(rows.r, rows.interval),
        rows.n,
        rows.n_passages,
    )


def in_words(found: Correlations) -> str:
    """A sentence for the chart's notes."""
    bins = "not defined" if found.over_bins is None else f"{found.over_bins:+.3f}"
    return (
        f"r over bins {bins}; over rows right before, in bins: staying right {_r(found.over_right)}"
        f"; over all rows: change in points {_r(found.over_rows)}."
    )


def _r(found: Estimate | None) -> str:
    if found is None:
        return "not defined"
    value, low, high = found
    return f"{value:+.3f}" + ("" if low is None else f" [{low:+.3f}, {high:+.3f}]")
