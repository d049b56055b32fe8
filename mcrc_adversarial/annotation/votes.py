"""Votes and what follows from them, item by item: pure functions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from mcrc_adversarial.annotation.items import Item
from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.reading import Answer

# Stands for no option among options' indices.
UNANSWERABLE = -1
# Paper C: two votes say whether a question is valid, the other three how well people do on it.
N_VOTES, N_FILTERING = 5, 2

Outcome = Literal["kept", "other", "unanswerable", "split"]


class Vote(NamedTuple):
    """One person's answer to one item.

    Attributes:
        annotator: who.
        option: index in the row's own options, or `UNANSWERABLE`.
        place: where that option was shown, or `UNANSWERABLE`.
        seconds: that it took, None where not measured.
        types: comprehension types that the annotator named.
    """

    annotator: str
    option: int
    place: int
    seconds: float | None = None
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """An item with at least one vote."""

    item: Item
    votes: tuple[Vote, ...]

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether each vote is for the answer."""
        return tuple(vote.option == self.item.label for vote in self.votes)

    @property
    def outcome(self) -> Outcome:
        """What more than half of the votes say: the answer (the label is kept), or what else."""
        chosen = majority([vote.option for vote in self.votes])
        if chosen is None:
            return "split"
        if chosen == UNANSWERABLE:
            return "unanswerable"
        return "kept" if chosen == self.item.label else "other"


def judged(key: Key, answers: Iterable[Answer], without: Iterable[str] = ()) -> dict[str, Judged]:
    """The votes on each item, by its name, in the key's order; items without votes are left out.

    Args:
        key: of the export.
        answers: as read.
        without: annotators whose votes do not count.
    """
    left_out = set(without)
    votes: dict[str, list[Vote]] = {name: [] for name in key.items}
    for answer in answers:
        if answer.annotator not in left_out:
            votes[answer.item].append(_vote(key.items[answer.item], answer))
    return {
        name: Judged(key.items[name], tuple(sorted(of_item, key=lambda vote: vote.annotator)))
        for name, of_item in votes.items()
        if of_item
    }


def _vote(item: Item, answer: Answer) -> Vote:
    place = UNANSWERABLE if answer.place is None else answer.place
    option = UNANSWERABLE if answer.place is None else item.order[answer.place]
    return Vote(answer.annotator, option, place, answer.seconds, answer.types)


def majority(choices: Sequence[int]) -> int | None:
    """What more than half of the votes chose; None where nothing has so many.

    >>> majority([2, 2, 0]), majority([2, 1, 0]), majority([1, 1, 0, 0])
    (2, None, None)
    """
    choice, count = Counter(choices).most_common(1)[0]
    return choice if 2 * count > len(choices) else None


class TwoVotes(NamedTuple):
    """Paper C's judgement of a question with five votes.

    Attributes:
        is_valid: at least one of the two filtering votes is right.
        is_agreed: both are ("high agreement").
        is_answered: more than half of the other three are right, which is human accuracy.
    """

    is_valid: bool
    is_agreed: bool
    is_answered: bool


def two_votes_rule(right: Sequence[bool], rng: Random) -> TwoVotes:
    """Draw two of five votes to judge the question by; the other three measure people.

    The paper does not say how a vote for "invalid question" and three different votes count: here
    both are not right, so that three different votes are a wrong answer.

    Args:
        right: whether each of five votes is for the answer.
        rng: draws the two.
    """
    assert len(right) == N_VOTES
    filtering = set(rng.sample(range(N_VOTES), N_FILTERING))
    first = [right[number] for number in sorted(filtering)]
    rest = [right[number] for number in range(N_VOTES) if number not in filtering]
    return TwoVotes(any(first), all(first), 2 * sum(rest) > len(rest))


def alpha(items: Iterable[Judged]) -> tuple[float | None, int, int]:
    """Krippendorff's alpha of the places chosen, nominal, by NLTK.

    Places as shown, not options of the row: shuffling makes them equally likely beforehand, so a
    corpus whose answers all stand at one index has no agreement by chance from that.

    Args:
        items: those with fewer than two votes do not count.

    Returns:
        Alpha, at most 1, or None where all votes name one place or there are none; the items and
        the votes that it rests on.
    """
    triples = [
        (vote.annotator, one.item.name, vote.place)
        for one in items
        if len(one.votes) > 1
        for vote in one.votes
    ]
    n_items = len({name for _, name, _ in triples})
    if len({place for _, _, place in triples}) < 2:
        return None, n_items, len(triples)
    # Only here: it takes a second to load, and nothing else needs it.
    from nltk.metrics.agreement import AnnotationTask

    return float(AnnotationTask(data=triples).alpha()), n_items, len(triples)


def common_types(votes: Sequence[Vote], names: Iterable[str]) -> list[str]:
    """The comprehension types that more than half of the votes name."""
    counts = Counter(name for vote in votes for name in vote.types)
    return [name for name in names if 2 * counts[name] > len(votes)]


def who_gave_types(items: Iterable[Judged]) -> set[str]:
    """The annotators who gave a type anywhere; the others left the column as it was."""
    return {vote.annotator for one in items for vote in one.votes if vote.types}


def votes_jsonl(items: Mapping[str, Judged], configs: Sequence[str], types: Iterable[str]) -> str:
    """The text of votes.jsonl: the package's docstring has its form."""
    typing = who_gave_types(items.values())
    names, order = list(types), {config: number for number, config in enumerate(configs)}
    asked = [one for one in items.values() if not one.item.is_catch]
    lines = []
    for one in sorted(asked, key=lambda one: (order[one.item.config], one.item.id)):
        record = {
            "id": one.item.id,
            "config": one.item.config,
            "votes": [
                {
                    "annotator": vote.annotator,
                    "option": None if vote.option == UNANSWERABLE else vote.option,
                    "seconds": vote.seconds,
                }
                for vote in one.votes
            ],
            "types": common_types([vote for vote in one.votes if vote.annotator in typing], names),
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
