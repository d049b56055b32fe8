"""Readying taggers and vectors for many questions at once, which a `Falsifier` asks one by one.

For speed alone: what is not readied is looked up when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from mcrc_adversarial.attacks._falsehoods import (
    TRIED,
    Falsifier,
    counts,
    is_number,
    near_words,
    negated,
)
from mcrc_adversarial.resources import Token


def ready(falsifier: Falsifier, distractors: Mapping[str, Sequence[str]]) -> None:
    """Ready what `falsifier` will ask for when it alters these questions, or distractors.

    Args:
        falsifier: whose tagger and vectors remember it.
        distractors: question -> what may be altered in its stead, where it may stay as it is.
    """
    tagger = falsifier.tagger
    tagger.prepare(distractors)
    staying = [text for text in distractors if _may_stay(tagger.tokens(text))]
    fillers = list(dict.fromkeys(one for text in staying for one in distractors[text]))
    tagger.prepare(fillers)
    asked = list(_words(falsifier, distractors))
    replaced = list(_words(falsifier, fillers))
    nearer = sorted({one.text for one in asked if one.is_entity})
    farther = sorted({one.text for one in replaced if one.is_entity or one.tag.startswith("NN")})
    # All are searched together, and then tagged together.
    falsifier.neighbours.nearest_many([*nearer, *farther])
    opposites = {word for one in (*asked, *replaced) for word in falsifier.opposites(one)}
    tagger.prepare_words(
        [
            *sorted(opposites),
            *_written(falsifier, nearer, farthest=False),
            *_written(falsifier, farther, farthest=True),
        ]
    )


def _may_stay(tokens: Sequence[Token]) -> bool:
    """Whether there may be nothing to alter in a question: it has no number, and no negation."""
    has_number = any(is_number(token.text) for token in filter(counts, tokens))
    return not has_number and next(negated(tokens), None) is None


def _words(falsifier: Falsifier, texts: Iterable[str]) -> Iterator[Token]:
    for text in texts:
        for token in filter(counts, falsifier.tagger.tokens(text)):
            if not is_number(token.text):
                yield token


def _written(falsifier: Falsifier, names: Sequence[str], *, farthest: bool) -> Iterator[str]:
    """The near words of each name that are tried first."""
    for name, nearest in zip(names, falsifier.neighbours.nearest_many(names), strict=True):
        for _, written in islice(near_words(name, nearest, farthest=farthest), TRIED):
            yield written
