"""Logistic regression with intervals that hold for rows in clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, stdtrit

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import (
    Flags,
    Key,
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
    effective_passages,
)

_MOST_STEPS = 50
_CONVERGED = 1e-10
# Beyond this many log odds a one-SD step, the maximum lies at infinity: the outcomes are separated.
_LARGEST = 15.0


class Coefficient(NamedTuple):
    """One coefficient.

    Attributes:
        name: of the feature.
        log_odds: change of the log odds for one standard deviation of the feature.
        interval: of it.
        sd: standard deviation of the feature, in its own unit.
        mean: of the feature.
    """

    name: str
    log_odds: float
    interval: Interval
    sd: float
    mean: float


class LogisticFit(NamedTuple):
    """A fitted logistic regression; no coefficients where it could not be fitted.

    Attributes:
        n: number of rows.
        n_true: rows whose outcome is true.
        n_passages: number of clusters.
        coefficients: one a feature that varies, without the intercept.
        constant: names of the features that do not vary, which are left out.
        fault: why there are no coefficients, empty where there are.
    """

    n: int
    n_true: int
    n_passages: int
    coefficients: tuple[Coefficient, ...]
    constant: tuple[str, ...]
    fault: str


def logistic_regression(
    outcomes: Flags,
    features: npt.NDArray[np.float64],
    names: Sequence[str],
    passage_ids: Keys,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> LogisticFit:
    """Maximum likelihood by Newton's method, features standardised, errors clustered by passage.

    The covariance is the cluster-robust sandwich with the usual factor G / (G - 1) for G clusters
    (Liang and Zeger, Biometrika 73, 1986); quantiles are of the t distribution with the effective
    number of passages less one.

    Args:
        outcomes: shape (n,).
        features: shape (n, n_features), in their own units.
        names: of the features.
        passage_ids: of each row, shape (n,).
        confidence_level: of the intervals.

    Raises:
        ScoringError: the lengths differ, or a feature is not finite.
    """
    truths, keys = as_flags(outcomes, "outcomes"), as_keys(passage_ids, "passage_ids")
    _check(features, len(truths), len(keys), len(names))
    sds = np.std(features, axis=0) if len(features) else np.zeros(len(names))
    varies = sds > 0
    kept = [name for name, one in zip(names, varies, strict=True) if one]
    constant = tuple(name for name in names if name not in kept)
    counts = (len(truths), int(np.sum(truths)), len(set(keys)))
    if fault := _fault(*counts, len(kept)):
        return LogisticFit(*counts, (), constant, fault)
    scaled = (features - np.mean(features, axis=0))[:, varies] / sds[varies]
    design = np.column_stack([np.ones(len(scaled)), scaled])
    weights = _fitted(design, truths.astype(np.float64))
    if weights is None:
        fault = "the features tell the outcomes apart exactly, or depend on one another"
        return LogisticFit(*counts, (), constant, fault)
    errors = _clustered_errors(design, truths.astype(np.float64), weights, numbered(keys))
    reach = errors * _quantile(keys, confidence_level)
    means = np.mean(features, axis=0)[varies]
    numbers = np.stack([weights[1:], reach[1:], sds[varies], means], axis=1).tolist()
    found = (
        Coefficient(name, value, Interval(value - half, value + half), sd, mean)
        for name, (value, half, sd, mean) in zip(kept, numbers, strict=True)
    )
    return LogisticFit(*counts, tuple(found), constant, "")


def _quantile(keys: list[Key], confidence_level: float) -> float:
    clusters = effective_passages(np.bincount(numbered(keys)).astype(np.float64))
    return float(stdtrit(clusters - 1, (1 + confidence_level) / 2))


def _check(features: npt.NDArray[np.float64], n: int, n_keys: int, n_names: int) -> None:
    check_length("features", len(features), n, "outcomes")
    check_length("passage_ids", n_keys, n, "outcomes")
    check_length("names", n_names, features.shape[1], "features")
    if not np.all(np.isfinite(features)):
        msg = "a feature holds a number that is not finite; leave such rows out"
        raise ScoringError(msg)


def _fault(n: int, n_true: int, n_passages: int, n_features: int) -> str:
    """Why nothing can be fitted; empty where it can. Ten of the rarer outcome a coefficient."""
    fewest = 10 * (n_features + 1)
    if min(n_true, n - n_true) < fewest:
        rarer = min(n_true, n - n_true)
        return f"only {rarer} rows of the rarer outcome, {fewest} are needed"
    if n_passages <= n_features + 1:
        return f"only {n_passages} passages for {n_features + 1} coefficients"
    return "" if n_features else "no feature varies"


def _fitted(design: FloatArray, outcomes: FloatArray) -> FloatArray | None:
    """The maximum; None where it lies at infinity or is not unique."""
    weights = np.zeros(design.shape[1])
    for _ in range(_MOST_STEPS):
        chance = expit(design @ weights)
        bread = design.T @ (design * (chance * (1 - chance))[:, None])
        if np.linalg.cond(bread) > 1 / _CONVERGED:
            return None
        step = np.linalg.solve(bread, design.T @ (outcomes - chance))
        weights = weights + step
        if np.max(np.abs(weights)) > _LARGEST:
            return None
        if np.max(np.abs(step)) < _CONVERGED:
            return weights
    return None


def _clustered_errors(
    design: FloatArray, outcomes: FloatArray, weights: FloatArray, codes: npt.NDArray[np.int64]
) -> FloatArray:
    chance = expit(design @ weights)
    bread = np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, None]))
    scores = design * (outcomes - chance)[:, None]
    sums = np.stack([np.bincount(codes, weights=column) for column in scores.T], axis=1)
    n_clusters = len(sums)
    covariance = bread @ (sums.T @ sums) @ bread * n_clusters / (n_clusters - 1)
    errors: FloatArray = np.sqrt(np.diag(covariance))
    return errors
