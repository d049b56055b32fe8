"""Random-Span: each distractor becomes a random run of passage words, as long as the answer.

Source: paper B (AdvRACE, arXiv:2004.14004), an analysis beside its distractor extraction; the rule
is that of its code, Attacks/DE/combine.py (the paper's own text was not at hand).

It shows what an extracted distractor owes to standing in the passage, and what to being plausible.
Length is counted in the words of `mcrc_adversarial.words`; a passage with fewer words gives all of
them. A span is cut out as it stands, white space folded to single spaces. Where this departs from
the code: no span equals the answer or another span (case-folded, word by word), and each holds a
letter or digit; where the passage has no such span left, the original distractor stays.

    (answer "had lost his key") -> "to open the old", "dog barked . Then", ...
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import replace_distractors
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import n_words, word_key, words


@register(
    "random-span",
    version=1,
    paper="B",
    source="arXiv:2004.14004, distractor extraction (NoviScl/AdvRACE, Attacks/DE/combine.py)",
    touches=("options",),
    summary="distractor := random passage words, as many as the answer has",
)
def random_span(example: Example, draws: Draws) -> Attacked:
    """Put a random span of the passage in each distractor's place."""
    spans = _different_spans(example, draws.question())
    texts = [next(spans, None) for _ in example.distractors]
    return replace_distractors(example, texts, without_text="no-span")


# The questions on one passage follow one another in every corpus.
@lru_cache(maxsize=64)
def _word_spans(passage: str) -> tuple[tuple[int, int], ...]:
    """[start, end) of each word."""
    found, end = [], 0
    for word in words(passage):
        start = passage.index(word, end)
        end = start + len(word)
        found.append((start, end))
    return tuple(found)


def _different_spans(example: Example, rng: Random) -> Iterator[str]:
    """Spans of the answer's length in random order, none equal to the answer or to another."""
    places = _word_spans(example.passage)
    length = min(max(1, n_words(example.answer)), len(places))
    seen = {word_key(example.answer)}
    for first in _random_order(len(places) - length + 1 if places else 0, rng):
        start, end = places[first][0], places[first + length - 1][1]
        span = " ".join(example.passage[start:end].split())
        key = word_key(span)
        if key not in seen and any(map(str.isalnum, key)):
            seen.add(key)
            yield span


def _random_order(count: int, rng: Random) -> Iterator[int]:
    """0 to count - 1 in random order, drawn only as far as they are asked for."""
    moved: dict[int, int] = {}
    for place in range(count):
        partner = rng.randrange(place, count)
        yield moved.get(partner, partner)
        moved[partner] = moved.get(place, place)
