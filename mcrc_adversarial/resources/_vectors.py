"""Nearest words by word vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

N_NEAREST = 100
_MOST_KEPT = 1 << 15


class VectorNeighbours:
    """`Neighbours` by Euclidean distance of vectors, the word itself left out.

    Args:
        words: in lower case, without repeats.
        vectors: (number of words, dimensions), float32.
    """

    def __init__(self, words: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._words = words
        self._place = {word: place for place, word in enumerate(words)}
        self._vectors = vectors
        self._squares = np.einsum("ij,ij->i", vectors, vectors)
        self._kept: dict[str, Sequence[str]] = {}

    def nearest(self, word: str) -> Sequence[str]:
        """Up to 100 words, the nearest first, those of equal distance by the alphabet."""
        key = word.lower()
        if key not in self._place:
            return ()
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._search(self._place[key])
        return self._kept[key]

    def _search(self, place: int) -> Sequence[str]:
        distances = self._squares - 2 * (self._vectors @ self._vectors[place])
        # Libraries of linear algebra differ in the last digits; words as near count as equal.
        distances = distances.round(4)
        distances[place] = np.inf
        count = min(N_NEAREST, len(self._words) - 1)
        if count < 1:
            return ()
        candidates = np.argpartition(distances, count - 1)[:count]
        order = sorted(candidates, key=lambda one: (float(distances[one]), self._words[one]))
        return tuple(self._words[one] for one in order)
