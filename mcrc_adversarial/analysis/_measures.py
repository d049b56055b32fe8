"""What a row is like, in numbers: lengths and shared words, as `mcrc_adversarial.words` cuts them.

A measure that a row does not have is nan.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from mcrc_adversarial.analysis._stop_words import STOP_WORDS
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.words import n_words, words


# Enough for the texts of one config, which are asked for several times.
@lru_cache(maxsize=1 << 17)
def length(text: str) -> int:
    """Words of a text, punctuation marks counted."""
    return n_words(text)


@lru_cache(maxsize=1 << 17)
def content_words(text: str) -> frozenset[str]:
    """Distinct words that hold a letter or digit and are no stop words, ignoring case."""
    found = (word for word in words(text.casefold()) if any(map(str.isalnum, word)))
    return frozenset(word for word in found if word not in STOP_WORDS)


def distractors(rows: ConfigRows, number: int) -> list[str]:
    """The wrong options that a row shows."""
    label = rows.examples[number].label
    return [text for index, text in enumerate(rows.options(number)) if index != label]


def distractor_length_change(rows: ConfigRows, number: int) -> float:
    """Change of the distractors' length, all of them together, in percent of the words before."""
    before = sum(map(length, rows.examples[number].distractors))
    return _change(before, sum(map(length, distractors(rows, number))))


def passage_length_change(rows: ConfigRows, number: int) -> float:
    """Change of the passage's length by what was put into it, in percent of the words before."""
    attacked = rows.attacked[number]
    if attacked is None:
        return math.nan
    before = length(rows.examples[number].passage)
    put_in = sum(length(attacked.passage[start:end]) for start, end in attacked.inserted)
    return _change(before, before + put_in)


def _change(before: int, after: int) -> float:
    return 100 * (after - before) / before if before else math.nan


def answer_length(rows: ConfigRows, number: int) -> float:
    """Words of the right option."""
    return length(rows.examples[number].answer)


def largest_degree(rows: ConfigRows, number: int) -> float:
    """The largest ShuffleDegree among a row's shuffled texts."""
    attacked = rows.attacked[number]
    degrees = [] if attacked is None else attacked.shuffle_degree
    return max((one for one in degrees if one is not None), default=math.nan)


def answer_shared(rows: ConfigRows, number: int) -> float:
    """Content words of the right option that the original passage holds."""
    example = rows.examples[number]
    return len(content_words(example.answer) & content_words(example.passage))


def distractor_shared(rows: ConfigRows, number: int) -> float:
    """Content words that one distractor shares with the original passage: the greatest number."""
    passage = content_words(rows.examples[number].passage)
    return _greatest(len(content_words(text) & passage) for text in distractors(rows, number))


def distractor_question_shared(rows: ConfigRows, number: int) -> float:
    """Content words that one distractor shares with the question: the greatest number."""
    question = content_words(rows.examples[number].question)
    return _greatest(len(content_words(text) & question) for text in distractors(rows, number))


def distractor_answer_shared(rows: ConfigRows, number: int) -> float:
    """Content words that one distractor shares with the right option: the greatest number."""
    answer = content_words(rows.examples[number].answer)
    return _greatest(len(content_words(text) & answer) for text in distractors(rows, number))


def _greatest(numbers: Iterable[int]) -> float:
    return float(max(numbers))
