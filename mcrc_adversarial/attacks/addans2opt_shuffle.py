"""AddAns2Opt-Shuffle: each distractor becomes shuffle(distractor + answer).

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2.

Where this departs from the paper: an altered distractor never equals the answer, which only an
empty distractor could bring about.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import append_words, shuffle_distractors
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "addans2opt-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := shuffle(distractor + answer)",
    parameters=(SHUFFLE_DEGREE,),
)
def addans2opt_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Shuffle each distractor together with the answer."""
    answer = example.answer
    sequences = [append_words(distractor, answer) for distractor in example.distractors]
    return shuffle_distractors(example, sequences, draws.question(), shuffle_degree)
