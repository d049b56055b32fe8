from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import holm_adjusted, mcnemar_p_value


def _pairs(broken, mended, both=3, neither=2):
    clean = [True] * broken + [False] * mended + [True] * both + [False] * neither
    attacked = [False] * broken + [True] * mended + [True] * both + [False] * neither
    return np.array(clean), np.array(attacked)


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_closed_form(broken, mended):
    n = broken + mended
    tail = sum(comb(n, k) for k in range(min(broken, mended) + 1)) / 2**n
    assert mcnemar_p_value(*_pairs(broken, mended)) == pytest.approx(min(1.0, 2 * tail))


def test_mcnemar_of_equal_predictions_is_one():
    assert mcnemar_p_value(*_pairs(0, 0)) == 1.0


def test_mcnemar_ignores_rows_that_did_not_change():
    assert mcnemar_p_value(*_pairs(9, 2, 0, 0)) == mcnemar_p_value(*_pairs(9, 2, 50, 70))


@pytest.mark.parametrize(
    ("values", "adjusted"),
    [
        # 4 x 0.005, 3 x 0.01, 2 x 0.03, then 1 x 0.04 raised to its forerunner
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.2], [0.2]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ],
)
def test_holm_agrees_with_values_worked_by_hand(values, adjusted):
    named = {f"attack-{number}": value for number, value in enumerate(values)}
    assert list(holm_adjusted(named).values()) == pytest.approx(adjusted)
    assert list(holm_adjusted(named)) == list(named)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=15))
def test_holm_lies_between_the_value_and_bonferroni(values):
    named = {str(number): value for number, value in enumerate(values)}
    adjusted = holm_adjusted(named)
    for name, value in named.items():
        assert value <= adjusted[name] <= min(1.0, value * len(values))
    ranked = sorted(named, key=named.__getitem__)
    assert [adjusted[name] for name in ranked] == sorted(adjusted.values())


def test_holm_rejects_under_the_null_at_most_as_often_as_promised():
    rng = np.random.default_rng(3)
    families = rng.random((2000, 13))
    rejected = [
        min(holm_adjusted(dict(zip("abcdefghijklm", family, strict=True))).values()) <= 0.05
        for family in families
    ]
    assert np.mean(rejected) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 2000))


def test_holm_refuses_an_empty_family():
    with pytest.raises(ScoringError, match="no p-values"):
        holm_adjusted({})


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_holm_refuses_what_is_no_p_value(value):
    with pytest.raises(ScoringError, match=r"p-value of 'q-shuffle' is .*must lie in \[0, 1\]"):
        holm_adjusted({"p-shuffle": 0.1, "q-shuffle": value})


@pytest.mark.parametrize("value", [True, "0.5", None, [0.5]])
def test_holm_refuses_what_is_no_number(value):
    with pytest.raises(ScoringError, match=r"p-value of 'q-shuffle' is .*a number is needed"):
        holm_adjusted({"p-shuffle": 0.1, "q-shuffle": value})
