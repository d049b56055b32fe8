"""AddSent2Opt-Shuffle: each distractor becomes shuffle(distractor + random passage sentence).

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2; printed examples in figures 3 and 9.

Where this departs from the paper, which leaves it open or shows otherwise: each distractor gets a
sentence of its own (figure 3 shows one for all three; the authors' later code draws one for each);
an altered distractor never equals the answer.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import (
    append_words,
    draw_sentences,
    shuffle_distractors,
)
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "addsent2opt-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := shuffle(distractor + random passage sentence)",
    parameters=(SHUFFLE_DEGREE,),
)
def addsent2opt_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Shuffle each distractor together with a sentence of the passage."""
    rng = draws.question()
    # The sentences are drawn before the first shuffle, so that they depend on no threshold.
    drawn = list(draw_sentences(example, rng))
    sequences = [
        None if sentence is None else append_words(distractor, sentence)
        for distractor, sentence in zip(example.distractors, drawn, strict=True)
    ]
    return shuffle_distractors(example, sequences, rng, shuffle_degree)
