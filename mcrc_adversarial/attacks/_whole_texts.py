"""Shuffling a whole passage or a whole question, for p-shuffle, q-shuffle and pq-shuffle."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from mcrc_adversarial.shuffling import draw_order
from mcrc_adversarial.words import word_tuple


class ShuffledText(NamedTuple):
    """A text after shuffling.

    Attributes:
        text: the words in their new order, joined by single spaces; the original where it has no
            other order.
        degree: ShuffleDegree, None where nothing was shuffled.
        reasons: why nothing was shuffled, or too little.
    """

    text: str
    degree: float | None
    reasons: frozenset[str]


def shuffle_text(text: str, rng: Random, threshold: float) -> ShuffledText:
    """Shuffle the words of `text` until its ShuffleDegree lies above `threshold`."""
    sequence = word_tuple(text)
    order = draw_order(sequence, rng, threshold)
    if order is None:
        reason = "one-word" if sequence else "empty"
        return ShuffledText(text, None, frozenset({reason}))
    reasons = frozenset() if order.reached else frozenset({"threshold-unreachable"})
    return ShuffledText(order.text, order.degree, reasons)


# The questions on one passage follow one another in every corpus, so a short memory is enough to
# shuffle each passage once.
@lru_cache(maxsize=64)
def shuffle_passage(passage: str, seed: int, threshold: float) -> ShuffledText:
    """Shuffle a passage in the one order that all its questions share.

    Args:
        passage: the text.
        seed: of the passage's own stream (`Draws.passage_seed`).
        threshold: the ShuffleDegree must lie strictly above it.
    """
    return shuffle_text(passage, Random(seed), threshold)
