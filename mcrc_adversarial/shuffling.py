"""ShuffleDegree, and drawing an order of words that has enough of it (paper A, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from mcrc_adversarial.errors import ParameterError

# Paper A states no threshold. Its footnote 1 says that the mean of every attack on every corpus is
# above 0.65, and its figure 8 starts there.
DEFAULT_SHUFFLE_DEGREE = 0.65
MAX_DRAWS = 100
# An edit distance takes as many steps as the square of the length: this many steps at most for a
# second order and all after it. Texts of up to 3,162 words, which all passages of the corpora are,
# have their hundred orders; one of 31,623 words or more has one.
_MAX_CELLS = 10**9
# So few words have at most 24 orders.
_FEW = 4


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
        text: the same, joined by single spaces.
        degree: ShuffleDegree.
        reached: whether the degree lies above the threshold.
        fault: what the judge held against it, empty for nothing.
    """

    words: tuple[str, ...]
    text: str
    degree: float
    reached: bool
    fault: str


_LONGEST = 1 << 12
# Each place from the last, and how many bits the random numbers have that its partner is among.
_PLACES = tuple((place, (place + 1).bit_length()) for place in range(_LONGEST - 1, 0, -1))


def shuffle(items: list[str], rng: Random) -> None:
    """Shuffle in place: the orders and the state of `Random.shuffle`, in half its time.

    Fisher and Yates, from the end; the partner of place i is drawn among places 0 to i by
    throwing away what is too large. Random.shuffle does the same with three calls more a place.
    """
    if len(items) > _LONGEST:
        rng.shuffle(items)
        return
    draw = rng.getrandbits
    for place, bits in _PLACES[_LONGEST - len(items) :]:
        partner = draw(bits)
        while partner > place:
            partner = draw(bits)
        items[place], items[partner] = items[partner], items[place]


def n_draws(length: int) -> int:
    """How many orders of `length` words may be drawn, from 1 to 100.

    >>> n_draws(20), n_draws(10_000), n_draws(100_000)
    (100, 10, 1)
    """
    return max(1, min(MAX_DRAWS, _MAX_CELLS // length**2))


def _no_fault(_: str) -> str:
    return ""


def draw_order(
    words: Sequence[str],
    rng: Random,
    threshold: float,
    *,
    judge: Callable[[str], str] = _no_fault,
    never: str = "",
) -> Order | None:
    """Shuffle `words` until the degree is above `threshold` and `judge` finds no fault.

    At most 100 orders are drawn, fewer of more than 3,162 words (`n_draws`). If none passes, the
    best one is kept: one without the fault `never` before one with it, then one above the
    threshold, then one without a fault, then the one of the greatest degree.

    Args:
        words: the words in their original order.
        rng: the stream to draw from.
        threshold: the degree must lie strictly above it.
        judge: names the fault of an order, or returns an empty string; it is given the words
            joined by single spaces, and its answer depends on nothing else.
        never: a fault that makes an order unusable.

    Returns:
        The order, or None where the words have no other order, or each one drawn had the fault
        `never`.
    """
    if not words or (words[0] == words[-1] and words.count(words[0]) == len(words)):
        return None
    rejected: list[Order] = []
    orders = _different_orders if len(words) <= _FEW else _any_orders
    for order in orders(list(words), rng):
        degree = shuffle_degree(words, order)
        # Most of those that are drawn once more are not far enough: for them no text is made.
        text = " ".join(order) if degree > threshold else ""
        fault = judge(text) if text else ""
        found = Order(order, text, degree, degree > threshold, fault)
        if found.reached and not fault:
            return found
        rejected.append(found)
    return _best(rejected, judge, never)


def _best(rejected: list[Order], judge: Callable[[str], str], never: str) -> Order | None:
    """The first of the best orders, where none passed."""
    judged = []
    for order in rejected:
        if not order.reached:
            text = " ".join(order.words)
            order = order._replace(text=text, fault=judge(text))
        if order.degree > 0 and not (never and order.fault == never):
            judged.append(order)
    return max(
        judged, key=lambda order: (order.reached, not order.fault, order.degree), default=None
    )


def _any_orders(drawn: list[str], rng: Random) -> Iterator[tuple[str, ...]]:
    """As many orders as there may be, each drawn from the one before."""
    for _ in range(n_draws(len(drawn))):
        shuffle(drawn, rng)
        yield tuple(drawn)


def _different_orders(drawn: list[str], rng: Random) -> Iterator[tuple[str, ...]]:
    """Those of a hundred that are new; once all have been, the rest only moves the stream on."""
    seen: set[tuple[str, ...]] = set()
    n_orders = 0
    for number in range(MAX_DRAWS):
        if n_orders and len(seen) == n_orders:
            _pass_over(len(drawn), MAX_DRAWS - number, rng)
            return
        shuffle(drawn, rng)
        order = tuple(drawn)
        if order not in seen:
            seen.add(order)
            yield order
            n_orders = n_orders or len(set(permutations(order)))


def _pass_over(length: int, times: int, rng: Random) -> None:
    """Leave `rng` where `times` shuffles of `length` items would."""
    draw = rng.getrandbits
    for _ in range(times):
        for place, bits in _PLACES[_LONGEST - length :]:
            while draw(bits) > place:
                pass
