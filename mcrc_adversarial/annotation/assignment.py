"""Who is asked what, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from mcrc_adversarial.errors import ParameterError


class Asked(NamedTuple):
    """What assignment looks at: `name` of an item, its row's `id` and `passage_id`."""

    name: str
    id: str
    passage_id: str


def assign(
    items: Sequence[Asked], annotators: Sequence[str], votes: int, rng: Random
) -> dict[str, list[str]]:
    """Give each item to `votes` different annotators.

    An annotator gets a question, and then a passage, as few times as the numbers allow: whoever
    has read one version of it does not judge the next one freshly. Among equals the one with the
    fewest items is taken.

    Args:
        items: in any order.
        annotators: their names.
        votes: annotators of each item.
        rng: of ties.

    Returns:
        Names of the items of each annotator, in no particular order.

    Raises:
        ParameterError: there are fewer annotators than votes, or no vote.
    """
    if not 1 <= votes <= len(annotators):
        msg = (
            f"{votes} votes on each item, but {len(annotators)} annotators; votes must lie between"
            " 1 and the number of annotators"
        )
        raise ParameterError(msg)
    given: dict[str, list[str]] = {name: [] for name in annotators}
    # How often an annotator has got a question ("id"), or a passage, so far.
    met: Counter[tuple[str, str, str]] = Counter()
    for item in rng.sample(list(items), len(items)):
        costs = {
            name: (*(met[(name, *one)] for one in _met(item)), len(given[name]), rng.random())
            for name in annotators
        }
        for name in sorted(annotators, key=costs.__getitem__)[:votes]:
            given[name].append(item.name)
            met.update((name, *one) for one in _met(item))
    return given


def _met(item: Asked) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("id", item.id), ("passage", item.passage_id)


def spread(names: Sequence[str], passage_of: Mapping[str, str], rng: Random) -> list[str]:
    """A drawn order in which items on one passage stand apart.

    They stand next to each other only where one passage has more than half of the items.

    Args:
        names: of the items.
        passage_of: passage of each.
        rng: of the order.
    """
    by_passage: dict[str, list[str]] = {}
    for name in rng.sample(list(names), len(names)):
        by_passage.setdefault(passage_of[name], []).append(name)
    # The j-th of k items on a passage is due after j / k of the sheet, and a drawn part of that.
    due = []
    for passage, group in by_passage.items():
        start = rng.random()
        due += [((number + start) / len(group), passage) for number in range(len(group))]
    waiting = [passage for _, passage in sorted(due)]
    left, order, last = Counter(waiting), list[str](), ""
    while waiting:
        passage = _next(waiting, left, last)
        waiting.remove(passage)
        left[passage] -= 1
        order.append(by_passage[passage].pop())
        last = passage
    return order


def _next(waiting: Sequence[str], left: Mapping[str, int], last: str) -> str:
    most = max(left, key=left.__getitem__)
    # It has to come now, or its last items would have nothing left to stand between.
    if most != last and 2 * left[most] > len(waiting):
        return most
    return next((passage for passage in waiting if passage != last), waiting[0])
