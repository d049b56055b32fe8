"""Questions with votes and models' answers, made for tests of difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcrc_adversarial.difficulty import Questions, Rules, gather
from mcrc_adversarial.example import Example

MODELS = ("one", "two", "three", "four", "five")


def example(number: int, **facts: Any) -> Example:
    """A question whose third option is right; five votes, of which the first two filter."""
    options = tuple(facts.pop("options", ("a boat", "a bus", "a kite", "a horse")))
    passage = facts.pop("passage", f"Ed saw kite {number}. It was red.")
    question = facts.pop("question", "What did Ed see?")
    whole = {
        "source": "slate",
        "method": "standard",
        "votes": [2, 2, 2, 2, 2],
        "filter_votes": [0, 1],
        "human_votes": [2, 3, 4],
        "models": list(MODELS),
        "models_right": [True] * len(MODELS),
        **facts,
    }
    label = min(2, len(options) - 1)
    return Example(f"test/{number}-0", f"test/{number}", passage, question, options, label, whole)


def right(n: int) -> list[bool]:
    """The first `n` of the models are right."""
    return [number < n for number in range(len(MODELS))]


def questions(examples: Sequence[Example], **settings: Any) -> Questions:
    return gather("crowd-protocols", examples, rules=Rules(), **settings)
