"""Distractor-Generation: each distractor becomes a text that a model wrote as one.

Source: paper B (AdvRACE, arXiv:2004.14004), distractor generation; the rules are those of its code,
Attacks/DG (the paper's own text was not at hand).

A model that was fine-tuned to write a distractor for passage and question gives the texts of 50
beams (`mcrc-adversarial candidates --task distractor-generation`); here they are chosen from. The
first is the best beam; each further one is the first later beam whose set of words has a Jaccard
index below 0.5 with that of each one before. Where there is none, the second beam and those behind
it are taken in order. Where the question asks which of the following is true, each distractor is
altered until it is false.

Where this departs from the code, besides what `_model_made` says: a text that equals the answer, or
is blank, is refused (the authors check neither; the reason is given where they would have taken the
answer); beams that fill up are none that was taken before; words are those of
`mcrc_adversarial.words`, case-folded.

    ("He went home", "He went home early", "She stays at school") -> the first, the third, then the
    second
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from mcrc_adversarial.attacks._model_made import Pick, register_chooser
from mcrc_adversarial.candidates import GENERATED
from mcrc_adversarial.example import Example
from mcrc_adversarial.words import bare_key, word_key

_MOST_ALIKE = 0.5


@register_chooser(
    GENERATED,
    version=2,
    code="Attacks/DG",
    summary="distractor := what a sequence-to-sequence model writes as one",
)
def chosen_beams(
    example: Example, beams: Sequence[str], source: str
) -> tuple[list[Pick], set[str]]:
    """The beams to take, at most as many as there are distractors, and what was wrong with them.

    Args:
        example: the question.
        beams: texts, the best first.
        source: of the texts, for the lineage.
    """
    wanted, answer = len(example.options) - 1, bare_key(example.answer)
    found: dict[str, Pick] = {}
    for rank, raw in enumerate(beams, start=1):
        if text := " ".join(raw.split()):
            found.setdefault(word_key(text), Pick(text, f"beam {rank} of {source}"))
    refused = {key for key, pick in found.items() if bare_key(pick.text) == answer}
    unlike, alike = _by_rule([key for key in found if key not in refused], wanted)
    reasons = {"alike"} if alike else set()
    if refused and not refused.isdisjoint(chain(*_by_rule(list(found), wanted))):
        # Only where the authors, who refuse none, would have taken it.
        reasons.add("equals-answer")
    return [found[key] for key in (*unlike, *alike)], reasons


def _by_rule(keys: Sequence[str], wanted: int) -> tuple[list[str], list[str]]:
    """The first keys that are unlike all before, and the first others, to fill up."""
    unlike: list[str] = []
    for key in keys:
        if len(unlike) < wanted and all(jaccard(key, one) < _MOST_ALIKE for one in unlike):
            unlike.append(key)
    others = [key for key in keys if key not in unlike]
    return unlike, others[: wanted - len(unlike)]


def jaccard(first: str, second: str) -> float:
    """Words that two word keys share, by words that either has, from 0 to 1; no word twice.

    >>> jaccard("he went home", "he went to school")
    0.4
    """
    one, other = set(first.split(" ")), set(second.split(" "))
    return len(one & other) / len(one | other)
