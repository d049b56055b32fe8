"""Nearest words by word vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

N_NEAREST = 100
_MOST_KEPT = 1 << 15
# Words that are searched together, and rows of the table that are looked at together: what is
# made of them stays in the processor's own memory.
_QUERIES, _ROWS = 256, 1 << 12
# Words whose distances bound the search at first: vectors of this kind begin with frequent words.
_SAMPLE = 1 << 14
# Above the errors of single precision, as a share of the largest numbers that are added.
_ERROR = 2e-5
# Libraries of linear algebra differ in the last digits; words as near as this count as equal.
_DIGITS = 4


class VectorNeighbours:
    """`Neighbours` by Euclidean distance of vectors, the word itself left out.

    Candidates are found for many words at once by products of matrices in single precision, and
    then put in order by distances in double precision: which words are asked for together makes no
    difference.

    Args:
        words: in lower case, without repeats.
        vectors: (number of words, dimensions), float32, finite.
    """

    def __init__(self, words: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._words = words
        self._place = {word: place for place, word in enumerate(words)}
        self._vectors = vectors
        self._squares = np.einsum("ij,ij->i", vectors, vectors)
        self._error = _ERROR * (1 + float(self._squares.max(initial=0)))
        self._kept: dict[str, Sequence[str]] = {}

    def nearest(self, word: str) -> Sequence[str]:
        """Up to 100 words, the nearest first, those of equal distance by the alphabet."""
        return self.nearest_many([word])[0]

    def nearest_many(self, words: Sequence[str]) -> list[Sequence[str]]:
        """`nearest` of each word, in a fraction of the time that they take one by one."""
        keys = [word.lower() for word in words]
        known = [key for key in dict.fromkeys(keys) if key in self._place]
        new = [key for key in known if key not in self._kept]
        found = {key: self._kept[key] for key in known if key in self._kept}
        for start in range(0, len(new), _QUERIES):
            some = new[start : start + _QUERIES]
            found.update(zip(some, self._search([self._place[key] for key in some]), strict=True))
        if len(self._kept) + len(new) > _MOST_KEPT:
            self._kept.clear()
        self._kept.update((key, found[key]) for key in new)
        return [found.get(key, ()) for key in keys]

    def _search(self, places: Sequence[int]) -> Iterator[Sequence[str]]:
        for place, candidates in zip(places, self._candidates(places), strict=True):
            others = candidates[candidates != place]
            apart = self._vectors[others].astype(np.float64) - self._vectors[place]
            distances = np.einsum("ij,ij->i", apart, apart).round(_DIGITS)
            named = zip(distances.tolist(), (self._words[one] for one in others), strict=True)
            yield tuple(word for _, word in sorted(named)[:N_NEAREST])

    def _candidates(self, places: Sequence[int]) -> Iterator[NDArray[np.intp]]:
        """For each place, all that may be among the nearest, itself too."""
        queries = -2 * self._vectors[places].T
        bounds = self._bounds(self._apart(queries, slice(0, _SAMPLE)))
        parts = []
        for start in range(0, len(self._words), _ROWS):
            apart = self._apart(queries, slice(start, start + _ROWS))
            near = np.flatnonzero(apart <= bounds)
            rows, columns = np.divmod(near, len(places))
            parts.append((rows + start, columns, apart.ravel()[near]))
        rows, columns, apart = map(np.concatenate, zip(*parts, strict=True))
        order = np.argsort(columns, kind="stable")
        cuts = np.searchsorted(columns[order], np.arange(1, len(places)))
        for one in np.split(order, cuts):
            # The bound of the sample lets twenty times as many through as that of all.
            found = apart[one]
            yield rows[one[found <= self._bounds(found[:, None])]]

    def _bounds(self, apart: NDArray[np.float32]) -> NDArray[np.float32]:
        """For each query, how far a word may be: 100 others are as near, however they round."""
        nth = min(N_NEAREST, len(self._words) - 1)
        if nth >= len(apart):
            return np.full(apart.shape[1], np.inf, dtype=np.float32)
        margin = self._error + 10.0**-_DIGITS
        return np.asarray(np.partition(apart, nth, axis=0)[nth] + margin, dtype=np.float32)

    def _apart(self, queries: NDArray[np.float32], rows: slice) -> NDArray[np.float32]:
        """Squared distances less what is the same for all rows: (number of rows, queries)."""
        apart = self._vectors[rows] @ queries
        apart += self._squares[rows, None]
        return np.asarray(apart)
