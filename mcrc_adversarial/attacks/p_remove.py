"""P-Remove: the passage is emptied; paper C's setting Q+A.

Sources: paper A (arXiv:1910.12391), section 4; paper C (arXiv:2203.06342), partial inputs.

Paper A empties the passages of the training split, paper C those of the test input.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "p-remove",
    version=1,
    paper="A, C",
    source="arXiv:1910.12391, section 4; arXiv:2203.06342, partial inputs",
    touches=("passage",),
    summary="passage := nothing",
)
def p_remove(example: Example, _: Draws) -> Attacked:
    """Empty the passage."""
    return Attacked(
        passage="",
        question=example.question,
        options=example.options,
        shuffle_degree=(None,),
        reasons=() if example.passage else ("empty",),
    )
