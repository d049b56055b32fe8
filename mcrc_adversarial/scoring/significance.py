"""Tests of whether an attack changed anything, alone and in a family of attacks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.stats import binomtest

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import BoolArray, check_number


def mcnemar_p_value(clean_right: BoolArray, attacked_right: BoolArray) -> float:
    """Exact two-sided McNemar test that as many answers broke as mended; 1.0 if none changed.

    Rows count as independent. Where several questions share a passage they are not, and the
    clustered interval of the drop is the safer evidence.

    Args:
        clean_right: right on the original row, shape (n,).
        attacked_right: right on the attacked row, shape (n,).
    """
    broken = int(np.sum(clean_right & ~attacked_right))
    mended = int(np.sum(~clean_right & attacked_right))
    if broken + mended == 0:
        return 1.0
    return float(binomtest(broken, broken + mended).pvalue)


def holm_adjusted(p_values: Mapping[str, float]) -> dict[str, float]:
    """P-values of a family of tests, adjusted by Holm's (1979) step-down method.

    Rejecting where the adjusted value is at most 0.05 keeps the chance of any false rejection in
    the family at 5 %.

    Args:
        p_values: one p-value in [0, 1] for each test, by name (of the attack, say).

    Raises:
        ScoringError: the family is empty, or a value is no number in [0, 1].

    >>> holm_adjusted({"p-shuffle": 0.01, "q-shuffle": 0.04, "p-remove": 0.03})
    {'p-shuffle': 0.03, 'q-shuffle': 0.06, 'p-remove': 0.06}
    """
    if not p_values:
        msg = "there are no p-values to adjust"
        raise ScoringError(msg)
    for name, value in p_values.items():
        if not 0 <= check_number(value, f"the p-value of {name!r}") <= 1:
            msg = f"the p-value of {name!r} is {value!r}; it must lie in [0, 1]"
            raise ScoringError(msg)
    values = np.fromiter(p_values.values(), dtype=np.float64)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return dict(zip(p_values, adjusted.tolist(), strict=True))
