"""Plain recomputations, to check the package's own results against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance with unit costs, by the textbook's table."""
    above = list(range(len(second) + 1))
    for row, left in enumerate(first, start=1):
        current = [row]
        for column, right in enumerate(second, start=1):
            change = above[column - 1] + (left != right)
            current.append(min(change, above[column] + 1, current[-1] + 1))
        above = current
    return above[-1]


def degree(original: Sequence[str], shuffled: Sequence[str]) -> float:
    """ShuffleDegree as paper A defines it."""
    return edit_distance(original, shuffled) / len(original)


def share_above(sequence: Sequence[str], threshold: float) -> float:
    """The share of all orders of a short sequence whose ShuffleDegree is above `threshold`."""
    orders = list(permutations(sequence))
    return sum(degree(sequence, order) > threshold for order in orders) / len(orders)


def key(text: Iterable[str]) -> str:
    """What two texts share that count as equal: their words, case-folded."""
    return " ".join(text).casefold()
