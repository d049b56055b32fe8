from __future__ import annotations

import math
import statistics

import pytest

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import spread_over_seeds


def test_spread_keeps_training_and_attack_seeds_apart():
    values = {(1, 0): 0.60, (1, 1): 0.50, (2, 0): 0.80, (2, 1): 0.70, (3, 0): 0.70, (3, 1): 0.60}
    spread = spread_over_seeds(values)
    assert spread.mean == pytest.approx(statistics.mean(values.values()))
    assert spread.sd_training == pytest.approx(statistics.stdev([0.55, 0.75, 0.65]))
    # Each training seed has the sample variance 0.005 between its two attack seeds.
    assert spread.sd_attack == pytest.approx(math.sqrt(0.005))
    assert (spread.n_training_seeds, spread.n_attack_seeds) == (3, 2)


def test_spread_does_not_depend_on_the_order_of_runs():
    values = {(1, 0): 0.6, (1, 1): 0.5, (2, 0): 0.8, (2, 1): 0.75}
    assert spread_over_seeds(dict(reversed(values.items()))) == spread_over_seeds(values)


@pytest.mark.parametrize(
    ("values", "sd_training", "sd_attack"),
    [
        ({(1, 0): 0.6}, None, None),
        ({(1, 0): 0.6, (2, 0): 0.8}, pytest.approx(math.sqrt(0.02)), None),
        ({(1, 0): 0.6, (1, 1): 0.8}, None, pytest.approx(math.sqrt(0.02))),
    ],
)
def test_spread_over_one_seed_is_none(values, sd_training, sd_attack):
    spread = spread_over_seeds(values)
    assert spread.sd_training == sd_training
    assert spread.sd_attack == sd_attack


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "no runs"),
        ({(1, 0): 0.5, (1, 1): 0.5, (2, 0): 0.5}, "training seed 2 has no run with attack seed 1"),
        ({(1, 0): float("nan")}, "training seed 1, attack seed 0 is nan"),
        ({(1, 0): True}, r"training seed 1, attack seed 0 is True \(bool\); a number is needed"),
        ({(1, 0): "0.5"}, r"training seed 1, attack seed 0 is '0.5' \(str\); a number is needed"),
        ({(1, 0): None}, r"training seed 1, attack seed 0 is None .*a number is needed"),
    ],
)
def test_spread_refuses_gaps(values, message):
    with pytest.raises(ScoringError, match=message):
        spread_over_seeds(values)
