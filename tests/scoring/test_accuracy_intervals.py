"""Intervals of an accuracy: Wilson's, clustered by passage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from mcrc_adversarial.scoring import accuracy_interval, wilson_interval

Z95 = 1.959963984540054


@settings(deadline=None)
@given(st.integers(1, 500), st.data(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_accuracy_interval_of_independent_rows_is_scipys_wilson(n, data, level):
    n_right = data.draw(st.integers(0, n))
    right = np.arange(n) < n_right
    theirs = binomtest(n_right, n).proportion_ci(level, "wilson")
    assert accuracy_interval(right, None, level) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize(("n", "share"), [(120, 0.9), (50, 0.6), (600, 0.95)])
def test_wilson_interval_covers_by_the_exact_binomial(n, share):
    counts = np.arange(n + 1)
    held = [
        interval.low <= share <= interval.high
        for interval in (wilson_interval(k / n, n, Z95) for k in counts)
    ]
    assert np.sum(binom.pmf(counts, n, share)[held]) == pytest.approx(0.95, abs=0.015)


def test_wilson_interval_by_hand():
    # (0.5 + z^2 / 200 +- z sqrt(0.25 / 100 + z^2 / 40000)) / (1 + z^2 / 100) at z = 2
    assert wilson_interval(0.5, 100, 2.0) == pytest.approx((0.401942, 0.598058), abs=1e-6)


def test_accuracy_interval_of_passages_of_one_mind_counts_passages():
    passages = np.repeat(np.arange(2000), 4)
    right = (np.arange(2000) % 5 > 0)[passages]
    assert accuracy_interval(right, passages) == pytest.approx(
        wilson_interval(0.8, 2000, Z95), abs=2e-4
    )


def test_accuracy_interval_of_single_row_passages_is_that_of_rows():
    right = np.arange(3000) % 10 > 0
    rows, passages = accuracy_interval(right), accuracy_interval(right, np.arange(3000))
    assert passages == pytest.approx(rows, abs=2e-4)


def test_accuracy_interval_is_never_narrower_than_that_of_rows():
    # Every passage has one right row of two: less variance than independent rows have.
    passages = np.repeat(np.arange(50), 2)
    right = np.arange(100) % 2 == 0
    rows, clustered = accuracy_interval(right), accuracy_interval(right, passages)
    assert clustered.low < rows.low
    assert clustered.high > rows.high


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("clustered", [True, False])
def test_accuracy_interval_has_width_where_all_rows_agree(right, clustered):
    passages = np.repeat(np.arange(30), 4) if clustered else None
    interval = accuracy_interval(np.full(120, right), passages)
    assert interval.high == 1.0 if right else interval.low == 0.0
    assert 0.02 < interval.high - interval.low < 0.25


def test_accuracy_interval_all_right_is_wider_by_passages():
    passages = np.repeat(np.arange(30), 4)
    right = np.ones(120, dtype=bool)
    assert accuracy_interval(right, passages).low < accuracy_interval(right).low
