"""The formulas of AdvRACE (Si et al. 2021) and their paired companions, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import (
    BoolArray,
    Indices,
    check_clean_accuracy,
    check_number,
    check_rows,
)


class FlipRates(NamedTuple):
    """Shares of ALL rows, so that clean accuracy - accuracy = right_to_wrong - wrong_to_right."""

    right_to_wrong: float
    wrong_to_right: float


def rows_right(predictions: Indices, references: Indices) -> BoolArray:
    """Whether each row's predicted index is its answer's; shape (n,).

    Raises:
        ScoringError: there are no rows, the lengths differ, or an item is no option index.
    """
    predicted, answers = check_rows(predictions, references)
    right: BoolArray = predicted == answers
    return right


def accuracy(predictions: Indices, references: Indices) -> float:
    """Share of the rows that are right, from 0 to 1 (AdvRACE: correct / N).

    Raises:
        ScoringError: as in `rows_right`.

    >>> accuracy([0, 1, 2, 3], [0, 1, 2, 0])
    0.75
    """
    return float(np.mean(rows_right(predictions, references)))


def percentage_performance_drop(accuracy: float, clean_accuracy: float) -> float:
    """AdvRACE's (1 - accuracy / clean_accuracy) * 100, in percent of the clean accuracy.

    Positive when the attack hurts, 100 when nothing is right any more, negative when accuracy
    rises. Paper A (Si et al. 2019, table 2) prints the same quantity with the opposite sign.

    Raises:
        ScoringError: `clean_accuracy` is not in (0, 1], or `accuracy` not in [0, 1], or one is
            no number.

    >>> round(percentage_performance_drop(0.410, 0.756), 1)
    45.8
    """
    clean = check_clean_accuracy(clean_accuracy)
    attacked = check_number(accuracy, "accuracy")
    if not 0 <= attacked <= 1:
        msg = f"accuracy is {attacked!r}; a fraction from 0 to 1 is needed"
        raise ScoringError(msg)
    return (1 - attacked / clean) * 100


def flip_rates(clean_right: BoolArray, attacked_right: BoolArray) -> FlipRates:
    """How often an answer changed sides between the original and the attacked row.

    Args:
        clean_right: right on the original row, shape (n,), n > 0.
        attacked_right: right on the attacked row, shape (n,).
    """
    broken = np.mean(clean_right & ~attacked_right)
    mended = np.mean(~clean_right & attacked_right)
    return FlipRates(float(broken), float(mended))


def probabilities(logits: Sequence[float]) -> list[float]:
    """Softmax of the scores of one row's options.

    Only of a model that was trained with it are these probabilities; of any other scores they are
    shares that keep their order.

    >>> probabilities([0.0, 0.0])
    [0.5, 0.5]
    """
    found: list[float] = softmax(np.asarray(logits, dtype=np.float64)).tolist()
    return found
