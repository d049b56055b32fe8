"""Whether a model has learned anything, by its answers to a corpus's original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from mcrc_adversarial.scoring.baselines import random_guess
from mcrc_adversarial.scoring.formulas import rows_right
from mcrc_adversarial.scoring.inputs import Indices

_CHANCE_LEVEL = 0.05


@dataclass(frozen=True)
class Chance:
    """Accuracy beside that of guessing.

    Attributes:
        chance: true where the accuracy is not above that of guessing, at the 5 % level.
        accuracy: on the original.
        guessing: expected accuracy of guessing.
        p_value: one-sided binomial test.
    """

    chance: bool
    accuracy: float
    guessing: float
    p_value: float


def chance_test(predictions: Indices, references: Indices, n_options: Indices) -> Chance:
    """Test answers against guessing; rows with fewer options count with their own odds.

    Args:
        predictions: index of the option chosen for each row, shape (n,), n > 0.
        references: index of the right option of each row, shape (n,).
        n_options: number of options of each row, shape (n,).

    Raises:
        ScoringError: there are no rows, or the lengths differ.
    """
    right = rows_right(predictions, references)
    guessing = random_guess(n_options).accuracy
    n_right = int(np.sum(right))
    p_value = float(binomtest(n_right, len(right), guessing, alternative="greater").pvalue)
    return Chance(p_value >= _CHANCE_LEVEL, n_right / len(right), guessing, p_value)
