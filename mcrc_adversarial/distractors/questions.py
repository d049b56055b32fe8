"""What a model that makes candidates is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from mcrc_adversarial.candidates import content_key
from mcrc_adversarial.example import Example

# Scores differ in their last digits between batches of other shapes; only these ones count.
DIGITS = 4


# Called with the number of items done, and to do.
Report: TypeAlias = Callable[[int, int], None]


class Asked(NamedTuple):
    """A question as a model sees it, without its options, and the first row that it stands in."""

    key: str
    id: str
    passage: str
    question: str


class CandidateModel(Protocol):
    """A model that makes candidates."""

    def candidates(self, questions: Sequence[Asked], report: Report) -> list[list[dict[str, Any]]]:
        """For each question `text` and `score` of each candidate, the best first."""


def asked(examples: Iterable[Example]) -> list[Asked]:
    """The different questions among examples, in their order."""
    found: dict[str, Asked] = {}
    for example in examples:
        key = content_key(example.passage, example.question)
        found.setdefault(key, Asked(key, example.id, example.passage, example.question))
    return list(found.values())
