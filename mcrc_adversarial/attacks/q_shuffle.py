"""Q-Shuffle: the words of the question in another order.

Source: paper A (arXiv:1910.12391), section 4.

The paper states no ShuffleDegree rule for these attacks on training data; here the same threshold
holds as for all.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, in_order, register
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.attacks._whole_texts import shuffle_text
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "q-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, section 4",
    touches=("question",),
    summary="question := shuffle(question)",
    parameters=(SHUFFLE_DEGREE,),
)
def q_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Shuffle the words of the question."""
    question = shuffle_text(example.question, draws.question(), shuffle_degree)
    return Attacked(
        passage=example.passage,
        question=question.text,
        options=example.options,
        shuffle_degree=(question.degree,),
        reasons=in_order(set(question.reasons)),
    )
