from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.analysis._paper_a import printed
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import (
    FEWEST_PASSAGES,
    clustered_difference,
    clustered_mean,
    clustered_pearson,
    pearson_r,
)

FIGURES = printed()["figures"]
PRINTED = [
    (name, corpus, figure["x"][: len(values)], values, figure["r"][corpus])
    for name, figure in FIGURES.items()
    for corpus, values in figure["y"].items()
]
NUMBERS = st.lists(st.integers(-50, 50), min_size=3, max_size=30)


@pytest.mark.parametrize(("name", "corpus", "x", "y", "r"), PRINTED)
def test_pearson_r_gives_what_paper_a_prints(
    name: str, corpus: str, x: list[float], y: list[float], r: float
) -> None:
    assert pearson_r(x, y) == pytest.approx(r, abs=5e-5)


def test_paper_a_prints_six_correlations_of_bins() -> None:
    assert len(PRINTED) == 6


@given(NUMBERS, st.randoms(use_true_random=False))
def test_pearson_r_is_numpy_s_where_both_vary(x: list[int], rng: object) -> None:
    y = x.copy()
    rng.shuffle(y)  # type: ignore[attr-defined]
    if len(set(x)) == 1:
        assert pearson_r(x, y) is None
    else:
        assert pearson_r(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)


def test_pearson_r_is_exact_far_from_zero() -> None:
    x = np.arange(10) + 1e8
    assert pearson_r(x, -x) == pytest.approx(-1)


def test_two_points_have_no_correlation() -> None:
    assert pearson_r([1, 2], [1, 2]) is None


def test_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ScoringError, match="y holds a number that is not finite"):
        pearson_r([1, 2, 3], [1, 2, float("nan")])


def test_clustered_pearson_covers_the_truth() -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for seed in range(60):
        # A passage shifts all of its rows, so the rows are far fewer than they look.
        shift = np.repeat(
            rng.normal(size=(60, 2)) @ np.array([[1, 0.5], [0, 0.75**0.5]]), 5, axis=0
        )
        x, y = shift.T
        found = clustered_pearson(x, y, np.repeat(np.arange(60), 5), n_resamples=400, seed=seed)
        assert found.interval is not None
        covered += found.interval.low <= 0.5 <= found.interval.high
    assert covered >= 50


def test_clustered_pearson_counts_a_passage_once() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 40))
    passages = [f"p{number}" for number in range(40)]

    once = clustered_pearson(x, y, passages)
    often = clustered_pearson(np.tile(x, 9), np.tile(y, 9), passages * 9)

    assert (often.n, often.n_passages) == (360, 40)
    assert often.r == pytest.approx(once.r)
    assert often.interval == pytest.approx(once.interval)


def test_one_passage_has_no_interval() -> None:
    assert clustered_pearson([1, 2, 3], [1, 2, 4], ["a"] * 3).interval is None
    assert clustered_mean([1.0, 2.0], ["a", "a"]).interval is None


@pytest.mark.parametrize("n", [2, FEWEST_PASSAGES - 1, FEWEST_PASSAGES])
def test_few_passages_have_no_interval(n: int) -> None:
    rows = np.arange(3 * n)
    x, y, passages = rows.astype(float), np.sin(rows), rows % n
    found = (
        clustered_pearson(x, y, passages),
        clustered_mean(y, passages),
        clustered_difference(y, rows % 2 == 0, passages),
    )

    for one in found:
        assert one is not None
        assert (one.interval is None) == (n < FEWEST_PASSAGES)


def test_clustered_mean_has_the_standard_error_of_independent_rows() -> None:
    values = np.random.default_rng(2).normal(size=500)

    found = clustered_mean(values, list(range(500)), n_resamples=4000)

    assert found.interval is not None
    half = (found.interval.high - found.interval.low) / 2
    assert found.mean == pytest.approx(np.mean(values))
    assert half == pytest.approx(1.96 * np.std(values) / 500**0.5, rel=0.08)


def test_nothing_to_average_is_refused() -> None:
    with pytest.raises(ScoringError, match="no values to average"):
        clustered_mean([], [])


def test_clustered_difference_has_the_standard_error_of_two_independent_groups() -> None:
    rng = np.random.default_rng(4)
    values = np.concatenate([rng.normal(2.0, 1.0, 400), rng.normal(0.5, 2.0, 600)])
    is_in = [True] * 400 + [False] * 600

    found = clustered_difference(values, is_in, list(range(1000)), n_resamples=4000)

    assert found is not None
    assert found.interval is not None
    assert found.n == 400
    assert found.mean == pytest.approx(np.mean(values[:400]) - np.mean(values[400:]))
    error = (np.var(values[:400]) / 400 + np.var(values[400:]) / 600) ** 0.5
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(1.96 * error, rel=0.08)
    assert found.interval.low < found.mean < found.interval.high


def test_difference_needs_both_kinds() -> None:
    assert clustered_difference([1.0, 2.0], [True, True], ["a", "b"]) is None
    assert clustered_difference([1.0, 2.0], [False, False], ["a", "b"]) is None
