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
is blank, is refused (the authors check neither); beams that fill up are none that was taken before;
words are those of `mcrc_adversarial.words`, case-folded.

    ("He went home", "He went home early", "She stays at school") -> the first, the third, then the
    second
"""

from __future__ import annotations

from collections.abc import Sequence

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._model_made import (
    Pick,
    falsifier_of,
    needs,
    parameters_of,
    with_distractors,
)
from mcrc_adversarial.candidates import GENERATED
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import word_key

_MOST_ALIKE = 0.5


@register(
    GENERATED.attack,
    version=1,
    paper="B",
    source="arXiv:2004.14004, distractor generation (NoviScl/AdvRACE, Attacks/DG)",
    touches=("options",),
    summary="distractor := what a sequence-to-sequence model writes as one",
    parameters=parameters_of(GENERATED),
    has_lineage=True,
    needs=needs,
    task=GENERATED,
)
def distractor_generation(
    example: Example, draws: Draws, *, generated: str, neighbours: str, true_questions: str
) -> Attacked:
    """Put generated texts in the distractors' place."""
    file = candidates.read(generated, GENERATED)
    picks, reasons = chosen_beams(example, file.of(example), file.source)
    return with_distractors(
        example, picks, reasons, falsifier_of(neighbours, true_questions, draws)
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
    wanted, reasons = len(example.options) - 1, set[str]()
    fit: dict[str, Pick] = {}
    for rank, raw in enumerate(beams, start=1):
        text = " ".join(raw.split())
        key = word_key(text)
        if text and key == word_key(example.answer):
            reasons.add("equals-answer")
        elif text:
            fit.setdefault(key, Pick(text, f"beam {rank} of {source}"))
    taken: list[str] = []
    for key in fit:
        if len(taken) < wanted and all(jaccard(key, one) < _MOST_ALIKE for one in taken):
            taken.append(key)
    missing = wanted - len(taken)
    alike = [key for key in fit if key not in taken][:missing]
    if alike:
        reasons.add("alike")
    return [fit[key] for key in (*taken, *alike)], reasons


def jaccard(first: str, second: str) -> float:
    """Words that two word keys share, by words that either has, from 0 to 1; no word twice.

    >>> jaccard("he went home", "he went to school")
    0.4
    """
    one, other = set(first.split(" ")), set(second.split(" "))
    return len(one & other) / len(one | other)
