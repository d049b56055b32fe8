"""Mean and spread of a figure over training seeds and attack seeds, kept apart."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import check_number


@dataclass(frozen=True)
class SeedSpread:
    """A figure over a full grid of training seeds and attack seeds.

    Attributes:
        mean: of all runs.
        sd_training: sample standard deviation between the training seeds' means over attack
            seeds; None with one training seed.
        sd_attack: sample standard deviation between attack seeds within a training seed, pooled
            over the training seeds; None with one attack seed.
        n_training_seeds: number of training seeds.
        n_attack_seeds: number of attack seeds.
    """

    mean: float
    sd_training: float | None
    sd_attack: float | None
    n_training_seeds: int
    n_attack_seeds: int


def spread_over_seeds(values: Mapping[tuple[int, int], float]) -> SeedSpread:
    """Mean and spread of `values`, keyed by (training seed, attack seed).

    Args:
        values: one figure a run (an accuracy, say), for every pair of the seeds in use.

    Raises:
        ScoringError: there is no value, one is no finite number, or a pair of seeds is missing.

    >>> spread_over_seeds({(1, 0): 0.6, (1, 1): 0.5, (2, 0): 0.8, (2, 1): 0.7}).mean
    0.65
    """
    if not values:
        msg = "there are no runs to average"
        raise ScoringError(msg)
    for seeds, value in values.items():
        name = f"the value of training seed {seeds[0]}, attack seed {seeds[1]}"
        if not math.isfinite(check_number(value, name)):
            msg = f"{name} is {value!r}; a finite number is needed"
            raise ScoringError(msg)
    training = sorted({seed for seed, _ in values})
    attack = sorted({seed for _, seed in values})
    for pair in ((first, second) for first in training for second in attack):
        if pair not in values:
            msg = (
                f"training seed {pair[0]} has no run with attack seed {pair[1]}; the mean and the"
                f" spread need all {len(training)} x {len(attack)} runs"
            )
            raise ScoringError(msg)
    # shape (training seeds, attack seeds)
    grid = np.array([[values[first, second] for second in attack] for first in training])
    means = np.mean(grid, axis=1)
    return SeedSpread(
        mean=float(np.mean(grid)),
        sd_training=float(np.std(means, ddof=1)) if len(training) > 1 else None,
        sd_attack=math.sqrt(np.mean(np.var(grid, axis=1, ddof=1))) if len(attack) > 1 else None,
        n_training_seeds=len(training),
        n_attack_seeds=len(attack),
    )
