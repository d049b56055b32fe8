"""P-Shuffle: the words of the passage in another order.

Source: paper A (arXiv:1910.12391), section 4; printed example in figure 4.

One order is drawn for each passage, and all its questions share it. The paper states no
ShuffleDegree rule for these attacks on training data; here the same threshold holds as for all.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, in_order, register
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.attacks._whole_texts import shuffle_passage
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "p-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, section 4",
    touches=("passage",),
    summary="passage := shuffle(passage)",
    parameters=(SHUFFLE_DEGREE,),
)
def p_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Shuffle the words of the passage."""
    passage = shuffle_passage(example.passage, draws.passage_seed(), shuffle_degree)
    return Attacked(
        passage=passage.text,
        question=example.question,
        options=example.options,
        shuffle_degree=(passage.degree,),
        reasons=in_order(set(passage.reasons)),
    )
