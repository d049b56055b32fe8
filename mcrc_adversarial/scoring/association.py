"""How one quantity moves with another: over the means of bins, and over single rows.

Paper A (Si et al. 2019, figures 5, 7 and 8) prints Pearson correlations over bin means, each bin
counting as one point. Such a number says nothing of how much the rows within a bin vary, so a
correlation over rows, with an interval clustered by passage, belongs beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import (
    Flags,
    IntArray,
    Keys,
    as_flags,
    as_keys,
    check_length,
    numbered,
)
from mcrc_adversarial.scoring.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    FloatArray,
    Interval,
    check_resampling,
)

Numbers: TypeAlias = Sequence[float] | npt.NDArray[np.float64]

# Draws behind an interval: a correlation needs fewer than a published drop.
ASSOCIATION_RESAMPLES = 2000
# Of fewer passages, the ends of a percentile interval are the extremes of the resamples; the drop
# has none below as many (see `intervals`).
FEWEST_PASSAGES = 6
# Of fewer passages, the ends of a percentile interval are the extremes of the resamples; the drop
# has none below as many (see `intervals`).
FEWEST_PASSAGES = 6
_CELLS_AT_ONCE = 4_000_000
_FEWEST_POINTS = 3


class Association(NamedTuple):
    """A correlation over rows.

    Attributes:
        n: number of rows.
        n_passages: number of passages that the interval is clustered by.
        r: Pearson's, from -1 to 1; None where one of both does not vary, or of under three rows.
        interval: None where `r` is, or the rows stand on fewer than `FEWEST_PASSAGES`.
    """

    n: int
    n_passages: int
    r: float | None
    interval: Interval | None


class Mean(NamedTuple):
    """A mean over rows; the interval is None where they stand on under `FEWEST_PASSAGES`."""

    n: int
    n_passages: int
    mean: float
    interval: Interval | None


def pearson_r(x: Numbers, y: Numbers) -> float | None:
    """Pearson's correlation, each pair counting once; None for fewer than three or no variation.

    Raises:
        ScoringError: the lengths differ, or a number is not finite.

    >>> round(pearson_r([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    """
    first, second = _numbers(x, "x"), _numbers(y, "y")
    check_length("y", len(second), len(first), "x")
    if len(first) < _FEWEST_POINTS:
        return None
    value = float(_correlations(np.sum(_moments(first, second), axis=0, keepdims=True))[0])
    return None if np.isnan(value) else value


def clustered_pearson(
    x: Numbers,
    y: Numbers,
    passage_ids: Keys,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    n_resamples: int = ASSOCIATION_RESAMPLES,
    seed: int = 0,
) -> Association:
    """Pearson's correlation over rows, with a percentile bootstrap interval over passages.

    Args:
        x: shape (n,).
        y: shape (n,).
        passage_ids: of each row; whole passages are drawn.
        confidence_level: of the interval.
        n_resamples: of the bootstrap.
        seed: of the draws.

    Raises:
        ScoringError: the lengths differ, or a number is not finite.
        ParameterError: a setting of the interval is out of range.
    """
    check_resampling(confidence_level, n_resamples, seed)
    first, second = _numbers(x, "x"), _numbers(y, "y")
    names = as_keys(passage_ids, "passage_ids")
    check_length("y", len(second), len(first), "x")
    check_length("passage_ids", len(names), len(first), "x")
    r = pearson_r(first, second)
    n_passages = len(set(names))
    if r is None or n_passages < FEWEST_PASSAGES:
        return Association(len(first), n_passages, r, None)
    sums = _passage_sums(numbered(names), _moments(first, second))
    drawn = _correlations(_resampled(sums, n_resamples, np.random.default_rng(seed)))
    return Association(len(first), n_passages, r, _percentiles(drawn, confidence_level))


def clustered_mean(
    values: Numbers,
    passage_ids: Keys,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    n_resamples: int = ASSOCIATION_RESAMPLES,
    seed: int = 0,
) -> Mean:
    """Mean over rows, with a percentile bootstrap interval over passages (None of too few).

    Raises:
        ScoringError: there are no rows, the lengths differ, or a number is not finite.
        ParameterError: a setting of the interval is out of range.

    >>> clustered_mean([1.0, 3.0], ["a", "a"]).mean
    2.0
    """
    check_resampling(confidence_level, n_resamples, seed)
    numbers = _numbers(values, "values")
    names = as_keys(passage_ids, "passage_ids")
    check_length("passage_ids", len(names), len(numbers), "values")
    if not len(numbers):
        msg = "there are no values to average"
        raise ScoringError(msg)
    n_passages = len(set(names))
    mean = float(np.mean(numbers))
    if n_passages < FEWEST_PASSAGES:
        return Mean(len(numbers), n_passages, mean, None)
    sums = _passage_sums(numbered(names), np.stack([np.ones(len(numbers)), numbers], axis=1))
    drawn = _resampled(sums, n_resamples, np.random.default_rng(seed))
    interval = _percentiles(drawn[:, 1] / drawn[:, 0], confidence_level)
    return Mean(len(numbers), n_passages, mean, interval)


def clustered_difference(
    values: Numbers,
    is_in: Flags,
    passage_ids: Keys,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    n_resamples: int = ASSOCIATION_RESAMPLES,
    seed: int = 0,
) -> Mean | None:
    """Mean of the rows that are in less that of the others, with an interval over passages.

    Returns:
        The difference, `n` the rows that are in; None unless there are rows of both kinds.

    Raises:
        ScoringError: the lengths differ, or a number is not finite.
        ParameterError: a setting of the interval is out of range.

    >>> clustered_difference([1.0, 2.0, 4.0], [False, False, True], ["a", "a", "a"]).mean
    2.5
    """
    check_resampling(confidence_level, n_resamples, seed)
    numbers, flags = _numbers(values, "values"), as_flags(is_in, "is_in")
    names = as_keys(passage_ids, "passage_ids")
    check_length("is_in", len(flags), len(numbers), "values")
    check_length("passage_ids", len(names), len(numbers), "values")
    if not np.any(flags) or np.all(flags):
        return None
    difference = float(np.mean(numbers[flags]) - np.mean(numbers[~flags]))
    n_passages = len(set(names))
    if n_passages < FEWEST_PASSAGES:
        return Mean(int(np.sum(flags)), n_passages, difference, None)
    inside = flags.astype(np.float64)
    columns = (inside, inside * numbers, 1 - inside, (1 - inside) * numbers)
    sums = _passage_sums(numbered(names), np.stack(columns, axis=1))
    drawn = _resampled(sums, n_resamples, np.random.default_rng(seed))
    both = drawn[(drawn[:, 0] > 0) & (drawn[:, 2] > 0)]
    differences = both[:, 1] / both[:, 0] - both[:, 3] / both[:, 2]
    interval = _percentiles(differences, confidence_level)
    return Mean(int(np.sum(flags)), n_passages, difference, interval)


def _numbers(values: Numbers, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if not np.all(np.isfinite(numbers)):
        msg = f"{name} holds a number that is not finite; leave such rows out"
        raise ScoringError(msg)
    return numbers


def _moments(x: FloatArray, y: FloatArray) -> FloatArray:
    """1, x, y, x*x, y*y, x*y of each row, x and y centred, which keeps the sums exact; (n, 6)."""
    x, y = x - np.mean(x), y - np.mean(y)
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def _passage_sums(codes: IntArray, columns: FloatArray) -> FloatArray:
    """Sums of each column over the rows of each passage; (n_passages, n_columns)."""
    sums = [np.bincount(codes, weights=column) for column in columns.T]
    return np.stack(sums, axis=1)


def _correlations(sums: FloatArray) -> FloatArray:
    """Correlations from rows of (n, x, y, xx, yy, xy) sums; nan where nothing varies."""
    n, x, y, xx, yy, xy = sums.T
    spread = np.maximum(xx - x * x / n, 0) * np.maximum(yy - y * y / n, 0)
    # Rounding leaves a little variance where there is none.
    safe = np.where(spread > 1e-18 * xx * yy, spread, np.nan)
    found: FloatArray = np.clip((xy - x * y / n) / np.sqrt(safe), -1.0, 1.0)
    return found


def _resampled(sums: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Sums over as many passages as there are, drawn with replacement; (n_resamples, columns)."""
    n = len(sums)
    shares = np.full(n, 1 / n)
    at_once = max(1, _CELLS_AT_ONCE // n)
    parts = [
        rng.multinomial(n, shares, size=min(at_once, n_resamples - start)) @ sums
        for start in range(0, n_resamples, at_once)
    ]
    return np.concatenate(parts)


def _percentiles(drawn: FloatArray, confidence_level: float) -> Interval | None:
    defined = drawn[np.isfinite(drawn)]
    if not len(defined):
        return None
    tail = (1 - confidence_level) / 2
    return Interval(*np.quantile(defined, [tail, 1 - tail]).tolist())
