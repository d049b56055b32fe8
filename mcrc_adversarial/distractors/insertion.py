"""Questions whose answer stands in the passage, made of questions with options.

Source: paper B (AdvRACE, arXiv:2004.14004), distractor extraction (Attacks/DE): all options are put
into the passage at random token positions, and the answer's span is the first occurrence of the
right option. So a model learns to find what could be an option. Tokens are what white space parts;
an option stays in one piece, and so the right one is always found, unless it is blank (such a
question is left out). An occurrence inside another word (`art` in `hearth`) is none: whether the
paper's code counts it is not known, and no span that is extracted is cut so.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from mcrc_adversarial.distractors.edges import find_whole
from mcrc_adversarial.seeding import stream_seed

_PURPOSE = "span-extraction-training"
_VERSION = 1


class SpanQuestion(NamedTuple):
    """A passage with the options in it, and where the answer's first occurrence is."""

    passage: str
    start: int
    end: int


def with_options(
    row_id: str, passage: str, options: Sequence[str], label: int, seed: int
) -> SpanQuestion | None:
    """Put the options into the passage; None where the right one is blank.

    Args:
        row_id: draws depend on it and the seed alone.
        passage: of the question; its white space becomes single spaces.
        options: of the question.
        label: index of the right one.
        seed: an int of at least 0.
    """
    tokens = passage.split()
    rng = Random(stream_seed(seed, _PURPOSE, _VERSION, "question", row_id))
    for option in options:
        if text := " ".join(option.split()):
            tokens.insert(rng.randint(0, len(tokens)), text)
    answer = " ".join(options[label].split())
    altered = " ".join(tokens)
    start = find_whole(altered, answer) if answer else -1
    return None if start < 0 else SpanQuestion(altered, start, start + len(answer))
