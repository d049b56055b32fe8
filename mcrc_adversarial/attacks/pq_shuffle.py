"""PQ-Shuffle: the words of the passage and those of the question, each in another order.

Source: paper A (arXiv:1910.12391), section 4.

The passage's order is shared by its questions. It is not that of `p-shuffle`: each attack draws
from streams of its own.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, in_order, register
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.attacks._whole_texts import shuffle_passage, shuffle_text
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "pq-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, section 4",
    touches=("passage", "question"),
    summary="passage := shuffle(passage), question := shuffle(question)",
    parameters=(SHUFFLE_DEGREE,),
)
def pq_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Shuffle the words of the passage, and those of the question."""
    passage = shuffle_passage(example.passage, draws.passage_seed(), shuffle_degree)
    question = shuffle_text(example.question, draws.question(), shuffle_degree)
    return Attacked(
        passage=passage.text,
        question=question.text,
        options=example.options,
        shuffle_degree=(passage.degree, question.degree),
        reasons=in_order({*passage.reasons, *question.reasons}),
    )
