"""What paper C (Sugawara et al. 2022) computes of questions: gaps, correlations, Welch's t-tests.

Rows count as independent here, as they do in the paper, whose questions stand on one passage each;
where several stand on one, `clustered_pearson` has the interval to believe.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import pearsonr, ttest_ind

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.association import Numbers
from mcrc_adversarial.scoring.intervals import DEFAULT_CONFIDENCE_LEVEL, FloatArray, Interval

_FEWEST_PAIRS = 4
_FEWEST_A_SIDE = 2


class Correlation(NamedTuple):
    """Pearson's r from -1 to 1, Fisher's interval, the two-sided p-value, the number of pairs."""

    n: int
    r: float
    interval: Interval
    p_value: float


class WelchTest(NamedTuple):
    """Welch's t-test of two samples whose variances may differ.

    Attributes:
        n: sizes of both samples.
        means: of both.
        difference: the first mean less the second.
        interval: of the difference.
        t: the statistic.
        degrees: of freedom, Welch and Satterthwaite's.
        p_value: two-sided.
    """

    n: tuple[int, int]
    means: tuple[float, float]
    difference: float
    interval: Interval
    t: float
    degrees: float
    p_value: float


def human_model_gap(human: float, models: float) -> float:
    """Paper C's gap: human accuracy less the models' mean one, in the unit of both."""
    return human - models


def macro_average(values: Sequence[float]) -> float:
    """Plain mean over groups (sources), each counting once however many questions it has.

    Raises:
        ScoringError: there is no group.
    """
    if not len(values):
        msg = "there are no groups to average"
        raise ScoringError(msg)
    return float(np.mean(np.asarray(values, dtype=np.float64)))


def spread(values: Sequence[float]) -> float | None:
    """Population standard deviation over groups, as in paper C's 14.9 +/- 3.6; None below two."""
    if len(values) < _FEWEST_A_SIDE:
        return None
    return float(np.std(np.asarray(values, dtype=np.float64)))


def correlation(
    x: Numbers, y: Numbers, *, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
) -> Correlation | None:
    """Pearson's correlation; None where one side does not vary, or of fewer than four pairs.

    Raises:
        ScoringError: the lengths differ, or a number is not finite.

    >>> round(correlation([1, 2, 3, 4], [2, 4, 7, 8]).r, 4)
    0.9845
    """
    first, second = _finite(x, "x"), _finite(y, "y")
    if len(first) != len(second):
        msg = f"x has {len(first)} numbers, y {len(second)}; there must be as many"
        raise ScoringError(msg)
    if len(first) < _FEWEST_PAIRS or is_constant(first) or is_constant(second):
        return None
    found = pearsonr(first, second)
    ends = found.confidence_interval(confidence_level)
    return Correlation(
        len(first),
        float(found.statistic),
        Interval(float(ends.low), float(ends.high)),
        float(found.pvalue),
    )


def welch_test(
    a: Numbers, b: Numbers, *, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
) -> WelchTest | None:
    """Whether two samples have one mean; None below two values a side, or where neither varies.

    Raises:
        ScoringError: a number is not finite.
    """
    first, second = _finite(a, "a"), _finite(b, "b")
    if min(len(first), len(second)) < _FEWEST_A_SIDE:
        return None
    if is_constant(first) and is_constant(second):
        return None
    with warnings.catch_warnings():
        # It warns of a side that does not vary, whose variance is 0 all the same.
        warnings.filterwarnings("ignore", "Precision loss occurred", RuntimeWarning)
        found = ttest_ind(first, second, equal_var=False)
    ends = found.confidence_interval(confidence_level)
    means = float(np.mean(first)), float(np.mean(second))
    return WelchTest(
        (len(first), len(second)),
        means,
        means[0] - means[1],
        Interval(float(ends.low), float(ends.high)),
        float(found.statistic),
        float(found.df),
        float(found.pvalue),
    )


def is_constant(values: Numbers) -> bool:
    """Whether the values do not vary, beyond the rounding of one number."""
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        return True
    # scipy warns, and its r is noise, where the spread is that of rounding alone.
    return bool(np.ptp(numbers) <= 1e-12 * max(1.0, float(np.max(np.abs(numbers)))))


def _finite(values: Numbers, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if not np.all(np.isfinite(numbers)):
        msg = f"{name} holds a number that is not finite; leave such rows out"
        raise ScoringError(msg)
    return numbers
