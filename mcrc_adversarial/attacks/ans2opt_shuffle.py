"""Ans2Opt-Shuffle: each distractor becomes shuffle(answer).

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2.

Where this departs from the paper, which does not say what happens to answers of one word (13 to
37 % of them, by corpus): there the distractors stay as they are, with the reason `equals-answer`.
An answer of two words has one other order, so its distractors are equal, with the reason
`duplicate-distractors`.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import shuffle_distractors
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import word_tuple


@register(
    "ans2opt-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := shuffle(answer)",
    parameters=(SHUFFLE_DEGREE,),
)
def ans2opt_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Replace each distractor by the answer's words in another order."""
    sequences = [word_tuple(example.answer)] * len(example.distractors)
    return shuffle_distractors(example, sequences, draws.question(), shuffle_degree)
