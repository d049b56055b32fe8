"""An interval of Krippendorff's alpha, by passages.

Alpha is 1 - observed / expected disagreement (Krippendorff, Content Analysis, 2004, chapter 11);
both are sums over items, so whole passages can be drawn again by adding up their sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.annotation.votes import Judged
from mcrc_adversarial.scoring import Interval

_N_RESAMPLES = 2000
_FEWEST_PASSAGES = 6


def alpha_interval(items: Iterable[Judged]) -> Interval | None:
    """95 % percentile bootstrap over passages; None for fewer than six, or without alpha.

    Args:
        items: those with fewer than two votes do not count.
    """
    sums = _passage_sums([one for one in items if len(one.votes) > 1])
    n = len(sums)
    if n < _FEWEST_PASSAGES:
        return None
    drawn = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=_N_RESAMPLES) @ sums
    found = alphas(drawn)
    defined = found[np.isfinite(found)]
    if not len(defined) or not np.isfinite(alphas(np.sum(sums, axis=0, keepdims=True))[0]):
        return None
    return Interval(*np.quantile(defined, [0.025, 0.975]).tolist())


def alphas(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Alpha of each line of (disagreement, votes for each place); nan where all name one place."""
    votes = sums[:, 1:]
    n = np.sum(votes, axis=1)
    expected = np.sum(votes * (n[:, None] - votes), axis=1) / np.maximum(n - 1, 1)
    safe = np.where(expected > 0, expected, np.nan)
    found: npt.NDArray[np.float64] = 1 - sums[:, 0] / safe
    return found


def _passage_sums(items: list[Judged]) -> npt.NDArray[np.float64]:
    """A line a passage: pairs that disagree, weighted as alpha does, and votes for each place."""
    places = {vote.place for one in items for vote in one.votes}
    columns = {place: number for number, place in enumerate(sorted(places, key=str), start=1)}
    lines: dict[str, npt.NDArray[np.float64]] = {}
    for one in items:
        line = lines.setdefault(one.item.passage_id, np.zeros(1 + len(columns)))
        m, counts = len(one.votes), Counter(vote.place for vote in one.votes)
        for place, count in counts.items():
            line[0] += count * (m - count) / (m - 1)
            line[columns[place]] += count
    return np.array(list(lines.values())).reshape(len(lines), 1 + len(columns))
