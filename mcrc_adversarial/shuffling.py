"""ShuffleDegree, and drawing an order of words that has enough of it (paper A, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from mcrc_adversarial.errors import ParameterError

# Paper A states no threshold. Its footnote 1 says that the mean of every attack on every corpus is
# above 0.65, and its figure 8 starts there.
DEFAULT_SHUFFLE_DEGREE = 0.65
MAX_DRAWS = 100


def check_shuffle_degree(value: object) -> float:
    """Return `value` as a float if it is a number from 0 up to, not including, 1.

    Raises:
        ParameterError: it is anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
        msg = (
            f"shuffle_degree is {value!r}; it must be a number of at least 0 and below 1, since a"
            " shuffled text must lie strictly above it"
        )
        raise ParameterError(msg)
    return float(value)


def shuffle_degree(original: Sequence[str], shuffled: Sequence[str]) -> float:
    """Word-level edit distance (unit costs) over the number of words, from 0 to 1.

    Args:
        original: at least one word.
        shuffled: the same words in another order.

    >>> shuffle_degree(["a", "b", "c", "d"], ["b", "a", "c", "d"])
    0.5
    """
    return Levenshtein.distance(original, shuffled) / len(original)


class Order(NamedTuple):
    """A shuffled sequence of words.

    Attributes:
        words: the words in their new order.
        degree: ShuffleDegree.
        reached: whether the degree lies above the threshold.
        fault: what the judge held against it, empty for nothing.
    """

    words: tuple[str, ...]
    degree: float
    reached: bool
    fault: str


def shuffle(items: list[str], rng: Random) -> None:
    """Shuffle in place: the orders and the state of `Random.shuffle`, in half its time.

    Fisher and Yates, from the end; the partner of place i is drawn among places 0 to i by
    throwing away what is too large. Random.shuffle does the same with two calls more a place.
    """
    draw = rng.getrandbits
    last = len(items) - 1
    while last > 0:
        # One length of random number serves all places down to the next power of two.
        bits = (last + 1).bit_length()
        first = max(1, (1 << (bits - 1)) - 1)
        for place in range(last, first - 1, -1):
            partner = draw(bits)
            while partner > place:
                partner = draw(bits)
            items[place], items[partner] = items[partner], items[place]
        last = first - 1


def _no_fault(_: list[str]) -> str:
    return ""


def draw_order(
    words: Sequence[str],
    rng: Random,
    threshold: float,
    *,
    judge: Callable[[list[str]], str] = _no_fault,
    never: str = "",
) -> Order | None:
    """Shuffle `words` until the degree is above `threshold` and `judge` finds no fault.

    At most 100 orders are drawn. If none passes, the best one is kept: one without the fault
    `never` before one with it, then one above the threshold, then one without a fault, then the
    one of the greatest degree.

    Args:
        words: the words in their original order.
        rng: the stream to draw from.
        threshold: the degree must lie strictly above it.
        judge: names the fault of an order, or returns an empty string.
        never: a fault that makes an order unusable.

    Returns:
        The order, or None where the words have no other order, or each one drawn had the fault
        `never`.
    """
    if len(set(words)) < 2:
        return None
    best: Order | None = None
    best_rank: tuple[bool, bool, float] | None = None
    drawn = list(words)
    for _ in range(MAX_DRAWS):
        shuffle(drawn, rng)
        degree = shuffle_degree(words, drawn)
        fault = judge(drawn)
        if degree == 0 or (never and fault == never):
            continue
        rank = (degree > threshold, not fault, degree)
        if best_rank is None or rank > best_rank:
            best, best_rank = Order(tuple(drawn), degree, rank[0], fault), rank
        if rank[0] and not fault:
            break
    return best
