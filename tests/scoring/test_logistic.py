from __future__ import annotations

import math

import numpy as np
import pytest

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import logistic_regression

# Rows of a 2 x 2 table: (feature, outcome) -> count.
TABLE = {(0, False): 60, (0, True): 30, (1, False): 25, (1, True): 45}


def rows() -> tuple[list[bool], np.ndarray]:
    outcomes = [outcome for (_, outcome), count in TABLE.items() for _ in range(count)]
    feature = [float(value) for (value, _), count in TABLE.items() for _ in range(count)]
    return outcomes, np.array(feature)[:, None]


def test_coefficient_is_the_log_odds_ratio_of_a_table() -> None:
    outcomes, feature = rows()

    fit = logistic_regression(outcomes, feature, ["f"], list(range(len(outcomes))))

    (found,) = fit.coefficients
    assert (fit.n, fit.n_true, fit.fault) == (160, 75, "")
    assert found.log_odds / found.sd == pytest.approx(math.log(60 * 45 / (30 * 25)))


def test_interval_is_woolf_s_where_rows_are_independent() -> None:
    outcomes, feature = rows()

    fit = logistic_regression(outcomes, feature, ["f"], list(range(len(outcomes))))

    (found,) = fit.coefficients
    error = math.sqrt(sum(1 / count for count in TABLE.values()) * 160 / 159)
    half = (found.interval.high - found.interval.low) / 2 / found.sd
    # The t quantile of 159 degrees of freedom.
    assert half == pytest.approx(1.974996 * error, rel=1e-5)


def test_copies_of_a_passage_s_rows_add_nothing() -> None:
    outcomes, feature = rows()
    passages = list(range(len(outcomes)))

    once = logistic_regression(outcomes, feature, ["f"], passages)
    often = logistic_regression(outcomes * 4, np.tile(feature, (4, 1)), ["f"], passages * 4)

    assert often.n_passages == once.n_passages
    assert often.coefficients[0].interval == pytest.approx(once.coefficients[0].interval)


def test_coefficients_are_found_again() -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(20_000, 2)) * [2.0, 0.1] + [5.0, -1.0]
    odds = 0.3 + 0.5 * (features[:, 0] - 5) - 4 * (features[:, 1] + 1)
    outcomes = rng.random(20_000) < 1 / (1 + np.exp(-odds))

    fit = logistic_regression(outcomes.tolist(), features, ["a", "b"], list(range(20_000)))

    assert [one.log_odds for one in fit.coefficients] == pytest.approx([1.0, -0.4], abs=0.06)
    for one, truth in zip(fit.coefficients, (1.0, -0.4), strict=True):
        assert one.interval.low - 0.03 < truth < one.interval.high + 0.03


def test_feature_that_does_not_vary_is_left_out_and_named() -> None:
    outcomes, feature = rows()
    both = np.column_stack([feature, np.ones(len(feature))])

    fit = logistic_regression(outcomes, both, ["f", "one"], list(range(len(outcomes))))

    assert [one.name for one in fit.coefficients] == ["f"]
    assert fit.constant == ("one",)


@pytest.mark.parametrize(
    ("outcomes", "feature", "fault"),
    [
        ([True] * 50 + [False] * 3, list(range(53)), "only 3 rows of the rarer outcome"),
        ([True] * 40 + [False] * 40, [1.0] * 40 + [0.0] * 40, "tell the outcomes apart exactly"),
        ([True, False] * 40, [1.0] * 80, "no feature varies"),
    ],
)
def test_what_cannot_be_fitted_says_why(
    outcomes: list[bool], feature: list[float], fault: str
) -> None:
    matrix = np.array(feature, dtype=float)[:, None]

    fit = logistic_regression(outcomes, matrix, ["f"], list(range(len(outcomes))))

    assert fault in fit.fault
    assert fit.coefficients == ()


def test_doubled_feature_says_why() -> None:
    outcomes, feature = rows()
    fit = logistic_regression(outcomes, np.tile(feature, 2), ["a", "b"], list(range(160)))
    assert "depend on one another" in fit.fault


def test_feature_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ScoringError, match="not finite"):
        logistic_regression([True, False], np.array([[1.0], [np.inf]]), ["f"], ["a", "b"])
