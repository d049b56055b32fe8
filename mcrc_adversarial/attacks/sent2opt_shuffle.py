"""Sent2Opt-Shuffle: each distractor becomes shuffle(random passage sentence).

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2; printed example in figure 3.

Where this departs from the paper: each distractor gets a sentence of its own, drawn among those
whose words allow an order above 0.65, whatever the threshold; others only where there is none.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import draw_sentences, shuffle_distractors
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import word_tuple


@register(
    "sent2opt-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := shuffle(random passage sentence)",
    parameters=(SHUFFLE_DEGREE,),
)
def sent2opt_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Replace each distractor by a shuffled sentence of the passage."""
    rng = draws.question()
    drawn = list(draw_sentences(example, rng, shuffleable=True))
    sequences = [None if sentence is None else word_tuple(sentence) for sentence in drawn]
    return shuffle_distractors(example, sequences, rng, shuffle_degree)
