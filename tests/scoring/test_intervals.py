from __future__ import annotations

from inspect import signature
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, multinomial, norm
from scipy.stats import t as student

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.scoring import accuracy_interval, drop_interval

# scipy 1.15 gave the argument a new name.
_RNG = "rng" if "rng" in signature(bootstrap).parameters else "random_state"
Z95 = 1.959963984540054


def _alike_passages(rng, n_passages, *, clean, kept, mended, alike):
    """Rows on passages of 3 to 5; with chance `alike` a row shares its passage's fate."""
    sizes = rng.choice([3, 4, 5], n_passages)
    passages = np.repeat(np.arange(n_passages), sizes)
    n = len(passages)
    shared = rng.random(n) < alike
    clean_right = np.where(shared, rng.random(n_passages)[passages], rng.random(n)) < clean
    draw = np.where(shared, rng.random(n_passages)[passages], rng.random(n))
    return clean_right, np.where(clean_right, draw < kept, draw < mended), passages


def _within_binomial_error(hits):
    return np.mean(hits) == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / len(hits)))


def test_intervals_need_two_passages():
    right, passages = np.array([True, False, True]), np.zeros(3, dtype=int)
    assert accuracy_interval(right, passages) is None
    assert drop_interval(right, right, passages) is None


def test_drop_interval_needs_two_rows_and_one_right_on_the_original():
    assert drop_interval(np.array([True]), np.array([False])) is None
    assert drop_interval(np.zeros(5, dtype=bool), np.ones(5, dtype=bool)) is None


@pytest.mark.parametrize(
    ("n_passages", "is_there"), [(3, False), (4, False), (5, False), (6, True)]
)
def test_drop_interval_needs_passages_enough_for_its_ends(n_passages, is_there):
    was, passages = np.ones(4 * n_passages, dtype=bool), np.repeat(np.arange(n_passages), 4)
    now = np.arange(len(was)) % 3 > 0
    assert (drop_interval(was, now, passages) is not None) is is_there
    assert (drop_interval(was, now, passages, n_resamples=200) is not None) is is_there
    assert drop_interval(was, now) is not None


def test_clustered_intervals_cover_where_those_of_rows_fail():
    rng = np.random.default_rng(12)
    clean, kept, mended = 0.9, 0.7, 0.3
    accuracy = clean * kept + (1 - clean) * mended
    drop = (1 - accuracy / clean) * 100
    hits = {"accuracy": [], "accuracy by rows": [], "drop": [], "drop by rows": []}
    for _ in range(800):
        was, now, passages = _alike_passages(
            rng, 30, clean=clean, kept=kept, mended=mended, alike=0.8
        )
        for suffix, by in (("", passages), (" by rows", None)):
            low, high = accuracy_interval(now, by)
            hits["accuracy" + suffix].append(low <= accuracy <= high)
            low, high = drop_interval(was, now, by, n_resamples=400)
            hits["drop" + suffix].append(low <= drop <= high)
    assert _within_binomial_error(hits["accuracy"])
    assert _within_binomial_error(hits["drop"])
    assert np.mean(hits["accuracy by rows"]) < 0.85
    assert np.mean(hits["drop by rows"]) < 0.85


@pytest.mark.parametrize(
    ("n", "clean", "kept", "mended"), [(120, 0.9, 0.67, 0.3), (120, 0.93, 0.97, 0.1)]
)
def test_drop_interval_of_independent_rows_covers(n, clean, kept, mended):
    rng = np.random.default_rng(12)
    drop = (1 - (clean * kept + (1 - clean) * mended) / clean) * 100
    hits = []
    for _ in range(500):
        was, draw = rng.random(n) < clean, rng.random(n)
        low, high = drop_interval(was, np.where(was, draw < kept, draw < mended), n_resamples=400)
        hits.append(low <= drop <= high)
    assert _within_binomial_error(hits)


def _exact_drops(outcomes, weights, n_drawn):
    """Every drop that a draw of units can give, rising, and the chance of one no greater."""
    draws = combinations_with_replacement(range(len(weights)), n_drawn)
    counts = np.array([np.bincount(draw, minlength=len(weights)) for draw in draws])
    chances = multinomial.pmf(counts, n_drawn, np.array(weights) / np.sum(weights))
    clean, attacked = (counts @ np.array(outcomes)).T
    defined = clean > 0
    drops, chances = (1 - attacked[defined] / clean[defined]) * 100, chances[defined]
    order = np.argsort(drops)
    return drops[order], np.cumsum(chances[order]) / np.sum(chances)


def _hesterberg_interval(drops, cumulated, level, n_units):
    quantile = student.ppf((1 + level) / 2, n_units - 1) * np.sqrt(n_units / (n_units - 1))
    ends = (norm.cdf(-quantile), norm.cdf(quantile))
    return [drops[np.searchsorted(cumulated, end)] for end in ends]


def test_drop_interval_of_few_rows_is_expanded_to_the_t_distribution():
    # Eight rows right before, five of them after, and half a row of each outcome.
    outcomes = [(1, 1), (1, 0), (0, 1), (0, 0)]
    exact = _exact_drops(outcomes, [5.5, 3.5, 0.5, 0.5], 8)
    found = drop_interval(
        np.ones(8, dtype=bool), np.arange(8) < 5, confidence_level=0.8, n_resamples=50_000
    )
    assert found == pytest.approx(_hesterberg_interval(*exact, 0.8, 8), abs=1e-6)


def test_drop_interval_of_unequal_passages_is_expanded_by_their_effective_number():
    # All right before; after, the passages have 1 of 3, 2 of 2, 0 of 2, 1 of 1, 1 of 1, 0 of 1.
    sizes, kept = np.array([3, 2, 2, 1, 1, 1]), [1, 2, 0, 1, 1, 0]
    added = [(size, after) for size in (0, 10 / 6) for after in (0, 10 / 6)]
    exact = _exact_drops([*zip(sizes, kept, strict=True), *added], [1] * 6 + [0.25] * 4, 6)
    passages = np.repeat(np.arange(6), sizes)
    attacked = np.concatenate(
        [np.arange(size) < after for size, after in zip(sizes, kept, strict=True)]
    )
    found = drop_interval(
        np.ones(10, dtype=bool), attacked, passages, confidence_level=0.8, n_resamples=50_000
    )
    # (9 + 4 + 4 + 1 + 1 + 1)^2 / (81 + 16 + 16 + 1 + 1 + 1)
    assert found == pytest.approx(_hesterberg_interval(*exact, 0.8, 400 / 116), abs=1.0)


def test_drop_interval_is_scipys_bootstrap_of_passage_sums_where_passages_are_many():
    rng = np.random.default_rng(13)
    was, now, passages = _alike_passages(rng, 1400, clean=0.7, kept=0.6, mended=0.1, alike=0.5)
    sums = [np.bincount(passages, weights=part) for part in (was, now)]
    theirs = bootstrap(
        sums,
        lambda was, now, axis: (1 - now.sum(axis) / was.sum(axis)) * 100,
        paired=True,
        vectorized=True,
        n_resamples=4000,
        method="percentile",
        **{_RNG: np.random.default_rng(0)},
    ).confidence_interval
    assert drop_interval(was, now, passages) == pytest.approx(theirs, abs=0.2)


def test_drop_interval_of_many_rows_is_the_delta_method():
    rng = np.random.default_rng(14)
    was = rng.random(20000) < 0.8
    now = np.where(was, rng.random(20000) < 0.5, rng.random(20000) < 0.2)
    ratio = now.mean() / was.mean()
    spread = np.std(now - ratio * was) / was.mean() / np.sqrt(20000)
    expected = [(1 - ratio + sign * Z95 * spread) * 100 for sign in (-1, 1)]
    assert drop_interval(was, now) == pytest.approx(expected, abs=0.1)


def test_drop_interval_has_width_around_zero_for_equal_predictions():
    for passages in (None, np.repeat(np.arange(30), 4)):
        right = np.arange(120) % 10 > 0
        low, high = drop_interval(right, right, passages)
        assert -10 < low < 0 < high < 10


def test_drop_interval_reaches_a_hundred_where_nothing_is_right_any_more():
    for passages in (None, np.repeat(np.arange(30), 4)):
        low, high = drop_interval(np.ones(120, dtype=bool), np.zeros(120, dtype=bool), passages)
        assert 90 < low < high == 100


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=2, max_size=40),
    st.booleans(),
)
def test_intervals_are_finite_and_hold_the_estimate(rows, clustered):
    clean, attacked, names = (np.array(column) for column in zip(*rows, strict=True))
    passages = np.unique(names, return_inverse=True)[1] if clustered else None
    interval = accuracy_interval(attacked, passages)
    if interval is not None:
        assert 0 <= interval.low <= attacked.mean() <= interval.high <= 1
        assert interval.low < interval.high
    drops = drop_interval(clean, attacked, passages, n_resamples=400)
    if drops is not None:
        assert np.isfinite(drops).all()
        assert drops.low <= (1 - attacked.mean() / clean.mean()) * 100 + 1e-9
        assert drops.high >= (1 - attacked.mean() / clean.mean()) * 100 - 1e-9
        assert drops.high <= 100


def test_drop_interval_depends_on_the_seed_alone():
    rng = np.random.default_rng(15)
    was, now, passages = _alike_passages(rng, 60, clean=0.8, kept=0.6, mended=0.2, alike=0.5)
    first = drop_interval(was, now, passages, seed=4)
    assert drop_interval(was, now, passages, seed=4) == first
    assert drop_interval(was, now, passages, seed=5) != first


def test_intervals_do_not_depend_on_the_order_of_rows_or_passages():
    rng = np.random.default_rng(16)
    was, now, passages = _alike_passages(rng, 60, clean=0.8, kept=0.6, mended=0.2, alike=0.5)
    order = rng.permutation(len(was))
    renamed = rng.permutation(60)[passages]
    assert drop_interval(was[order], now[order], renamed[order]) == drop_interval(
        was, now, passages
    )
    assert accuracy_interval(now[order], renamed[order]) == pytest.approx(
        accuracy_interval(now, passages)
    )


def test_drop_interval_draws_in_parts_where_outcomes_are_many(monkeypatch):
    rng = np.random.default_rng(17)
    was, now, passages = _alike_passages(rng, 60, clean=0.8, kept=0.6, mended=0.2, alike=0.5)
    whole = drop_interval(was, now, passages, n_resamples=5000)
    monkeypatch.setattr("mcrc_adversarial.scoring.intervals._CELLS_AT_ONCE", 1000)
    assert drop_interval(was, now, passages, n_resamples=5000) == whole


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("confidence_level", 0.0),
        ("confidence_level", 1.0),
        ("confidence_level", 95),
        ("confidence_level", True),
        ("confidence_level", float("nan")),
        ("n_resamples", 99),
        ("n_resamples", 1000.0),
        ("n_resamples", True),
        ("seed", -1),
        ("seed", None),
        ("seed", True),
    ],
)
def test_drop_interval_refuses_settings_out_of_range(setting, value):
    right = np.array([True, False])
    with pytest.raises(ParameterError, match=f"{setting} is "):
        drop_interval(right, right, **{setting: value})
