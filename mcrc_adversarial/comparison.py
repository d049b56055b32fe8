"""How an altered set differs from the original that it was made from, question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcrc_adversarial.example import Example


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two sets of questions that share ids.

    Attributes:
        in_both: number of ids that both have.
        differing: what is compared -> ids of the questions in which it differs, or that only one
            of them has, in the order of the rows.
    """

    in_both: int
    differing: Mapping[str, Sequence[str]]


# Two readings of one text may differ in spaces alone.
def _folded(text: str) -> str:
    return " ".join(text.split())


_COMPARED: Mapping[str, Callable[[Example], object]] = {
    "label": lambda one: one.label,
    "answer": lambda one: one.answer,
    "answer, spaces aside": lambda one: _folded(one.answer),
    "passage": lambda one: one.passage,
    "question": lambda one: one.question,
    "options": lambda one: one.options,
}


def compare(altered: Iterable[Example], original: Iterable[Example]) -> Comparison:
    """Compare each question with the one of the same id.

    A set that keeps the right answers differs in neither label nor answer.
    """
    ours = {example.id: example for example in altered}
    theirs = {example.id: example for example in original}
    shared = [key for key in ours if key in theirs]
    differing = {
        "only in the altered set": [key for key in ours if key not in theirs],
        "only in the original": [key for key in theirs if key not in ours],
    }
    for what, part in _COMPARED.items():
        differing[what] = [key for key in shared if part(ours[key]) != part(theirs[key])]
    return Comparison(len(shared), differing)
