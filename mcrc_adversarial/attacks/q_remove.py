"""Q-Remove: the question is emptied; paper C's setting P+A.

Sources: paper A (arXiv:1910.12391), section 4; paper C (arXiv:2203.06342), partial inputs.

Paper A empties the questions of the training split, paper C those of the test input.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "q-remove",
    version=1,
    paper="A, C",
    source="arXiv:1910.12391, section 4; arXiv:2203.06342, partial inputs",
    touches=("question",),
    summary="question := nothing",
)
def q_remove(example: Example, _: Draws) -> Attacked:
    """Empty the question."""
    return Attacked(
        passage=example.passage,
        question="",
        options=example.options,
        shuffle_degree=(None,),
        reasons=() if example.question else ("empty",),
    )
