"""Intervals of accuracy and of the percentage performance drop, with and without passages.

Questions on one passage tend to be right or wrong together, so rows are not independent. With
passage numbers the passage is the unit: it is drawn, or its variance is used, as a whole.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.scoring.inputs import BoolArray, IntArray
from mcrc_adversarial.seeding import check_seed

DEFAULT_CONFIDENCE_LEVEL = 0.95
DEFAULT_N_RESAMPLES = 10_000
MIN_RESAMPLES = 100

# Half a row of each of the four outcomes: Agresti and Min, Statistics in Medicine 24 (2005). It
# gives rare flips their width back: without it, two flips in 1,000 rows are covered 85 % of the
# time instead of 95 %, and equal predictions would have an interval of no width.
_ADDED_ROWS = 0.5
# A passage is several rows, so half of one is too much: in simulations of 30 to 1,000 passages a
# quarter stayed nearest to the nominal level.
_ADDED_PASSAGES = 0.25
# An end with fewer resamples beyond it is their extreme, which is another with every seed.
_FEWEST_BEYOND_AN_END = 10
_CELLS_AT_ONCE = 4_000_000

FloatArray = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """Two finite ends, low <= high, in the unit of what they enclose."""

    low: float
    high: float


class _Units(NamedTuple):
    """What is drawn: rows or passages. `effective` <= len(clean) allows for unequal passages."""

    clean: IntArray
    attacked: IntArray
    size: float
    added: float
    effective: float


def check_resampling(confidence_level: object, n_resamples: object, seed: object) -> None:
    """Raise unless the three settings of an interval are in range.

    Raises:
        ParameterError: the level is not in (0, 1), there are fewer than 100 resamples, or the
            seed is no integer of at least 0.
    """
    if not isinstance(confidence_level, float) or not 0 < confidence_level < 1:
        msg = f"confidence_level is {confidence_level!r}; a fraction between 0 and 1 is needed"
        raise ParameterError(msg)
    if type(n_resamples) is not int or n_resamples < MIN_RESAMPLES:
        msg = f"n_resamples is {n_resamples!r}; an integer of at least {MIN_RESAMPLES} is needed"
        raise ParameterError(msg)
    check_seed(seed)


def wilson_interval(proportion: float, n: float, quantile: float) -> Interval:
    """Wilson's score interval of a proportion (JASA 22, 1927), within [0, 1].

    Args:
        proportion: from 0 to 1.
        n: number of independent observations it rests on, above 0; need not be whole.
        quantile: of the normal or t distribution, 1.96 for 95 %.
    """
    pull = quantile**2 / n
    centre = (proportion + pull / 2) / (1 + pull)
    half = math.sqrt(pull * (proportion * (1 - proportion) + pull / 4)) / (1 + pull)
    return Interval(
        max(0.0, min(centre - half, proportion)), min(1.0, max(centre + half, proportion))
    )


def effective_passages(sizes: FloatArray) -> float:
    """How many equal passages vary as much as these, at least 2: (sum m^2)^2 / sum m^4."""
    return max(float(np.sum(sizes**2) ** 2 / np.sum(sizes**4)), 2.0)


def accuracy_interval(
    right: BoolArray,
    passages: IntArray | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Interval | None:
    """Interval of the accuracy; None where all rows stand on one passage.

    Without passages: Wilson's score interval. With passages: the same with the effective number
    of rows, n / design effect, and a t quantile (as Korn and Graubard, Survey Methodology 24,
    1998, do for exact limits). The design effect, at least 1, is the linearised variance between
    passages over the binomial one, both with a quarter of an average passage all right and a
    quarter all wrong added; all right or all wrong thus gives an interval with width.

    Args:
        right: shape (n,), n > 0.
        passages: number of each row's passage from 0, without gaps, shape (n,).
        confidence_level: between 0 and 1.
    """
    upper = (1 + confidence_level) / 2
    if passages is None:
        return wilson_interval(float(np.mean(right)), len(right), float(ndtri(upper)))
    sizes, sums = _passage_sums(passages, None), _passage_sums(passages, right)
    if len(sizes) < 2:
        return None
    quantile = float(stdtrit(effective_passages(sizes) - 1, upper))
    n_effective = len(right) / _design_effect(sums, sizes)
    return wilson_interval(float(np.mean(right)), n_effective, quantile)


def _passage_sums(passages: IntArray, values: BoolArray | None) -> FloatArray:
    """Sum of `values` over the rows of each passage, or the number of rows; (n_passages,)."""
    return np.bincount(passages, weights=values).astype(np.float64)


def _design_effect(sums: FloatArray, sizes: FloatArray) -> float:
    """Variance of the accuracy between passages over that of as many independent rows."""
    average = float(np.mean(sizes))
    weights = np.append(np.ones(len(sizes)), [_ADDED_PASSAGES, _ADDED_PASSAGES])
    sums = np.append(sums, [average, 0.0])
    sizes = np.append(sizes, [average, average])
    n_units, n_rows = float(np.sum(weights)), float(weights @ sizes)
    share = float(weights @ sums) / n_rows
    squares = float(weights @ (sums - share * sizes) ** 2)
    variance = n_units / (n_units - 1) * squares / n_rows**2
    return max(variance * n_rows / (share * (1 - share)), 1.0)


def drop_interval(
    clean_right: BoolArray,
    attacked_right: BoolArray,
    passages: IntArray | None = None,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    n_resamples: int = DEFAULT_N_RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """Percentile bootstrap interval of the percentage performance drop, paired.

    Rows, or whole passages, are drawn with replacement. Units with equal outcomes are
    exchangeable, so the number of each distinct outcome is drawn from one multinomial instead.
    Two corrections for few units: half a row (a quarter of an average passage) of each of the
    four outcomes right/right, right/wrong, wrong/right and wrong/wrong is added before drawing;
    and the level is expanded from the normal to the t distribution (Hesterberg, American
    Statistician 69, 2015). Both vanish as the number of units grows. A resample in which nothing
    is right on the original rows has no drop and is left out.

    Args:
        clean_right: right on the original row, shape (n,).
        attacked_right: right on the attacked row, shape (n,).
        passages: number of each row's passage from 0, without gaps, shape (n,).
        confidence_level: between 0 and 1.
        n_resamples: at least 100.
        seed: of the draws; equal seeds give equal intervals.

    Returns:
        Ends in percent, at most 100; None where no row is right on the original, of one row, or of
        too few passages, below six at 95 %: under ten of 10,000 resamples lie beyond an end.
    """
    check_resampling(confidence_level, n_resamples, seed)
    units = _units(clean_right, attacked_right, passages)
    if len(units.clean) < 2 or not np.any(clean_right):
        return None
    tail = _expanded_tail(confidence_level, units.effective)
    if passages is not None and _is_extreme(tail, n_resamples):
        return None
    drops = _drops(*_resampled_sums(units, n_resamples, np.random.default_rng(seed)))
    return Interval(*np.quantile(drops, [tail, 1 - tail]).tolist())


def _drops(clean: FloatArray, attacked: FloatArray) -> FloatArray:
    defined = clean > 0
    found: FloatArray = (1 - attacked[defined] / clean[defined]) * 100
    return found


def _is_extreme(tail: float, n_resamples: int) -> bool:
    return tail * max(n_resamples, DEFAULT_N_RESAMPLES) < _FEWEST_BEYOND_AN_END


def _units(clean: BoolArray, attacked: BoolArray, passages: IntArray | None) -> _Units:
    if passages is None:
        n = len(clean)
        return _Units(clean.astype(np.int64), attacked.astype(np.int64), 1.0, _ADDED_ROWS, n)
    sizes = _passage_sums(passages, None)
    return _Units(
        _passage_sums(passages, clean).astype(np.int64),
        _passage_sums(passages, attacked).astype(np.int64),
        float(np.mean(sizes)),
        _ADDED_PASSAGES,
        effective_passages(sizes),
    )


def _expanded_tail(confidence_level: float, n_units: float) -> float:
    """Share of the resamples to leave out at either end."""
    quantile = stdtrit(n_units - 1, (1 + confidence_level) / 2)
    return float(ndtr(-math.sqrt(n_units / (n_units - 1)) * quantile))


def _resampled_sums(
    units: _Units, n_resamples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Sums of right answers over all drawn units, original and attacked; shape (n_resamples,)."""
    base = int(np.max(units.attacked)) + 1
    codes, counts = np.unique(units.clean * base + units.attacked, return_counts=True)
    size = units.size
    clean = np.append(codes // base, [size, size, 0.0, 0.0])
    attacked = np.append(codes % base, [size, 0.0, size, 0.0])
    weights = np.append(counts, [units.added] * 4)
    # The draw stops at the last unit placed, so the common outcomes come first.
    order = np.argsort(-weights, kind="stable")
    outcomes = np.stack([clean[order], attacked[order]], axis=1)
    shares = weights[order] / np.sum(weights)
    at_once = max(1, _CELLS_AT_ONCE // len(shares))
    sums = [
        rng.multinomial(len(units.clean), shares, size=min(at_once, n_resamples - start)) @ outcomes
        for start in range(0, n_resamples, at_once)
    ]
    both = np.concatenate(sums)
    return both[:, 0], both[:, 1]
