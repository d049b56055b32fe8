"""PQ-Remove: passage and question are emptied; paper C's setting A.

Sources: paper A (arXiv:1910.12391), section 4; paper C (arXiv:2203.06342), partial inputs.

Paper A does so to the training split, paper C to the test input. The reason `empty` also stands
where only one of the two was empty before.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "pq-remove",
    version=1,
    paper="A, C",
    source="arXiv:1910.12391, section 4; arXiv:2203.06342, partial inputs",
    touches=("passage", "question"),
    summary="passage := nothing, question := nothing",
)
def pq_remove(example: Example, _: Draws) -> Attacked:
    """Empty the passage and the question."""
    return Attacked(
        passage="",
        question="",
        options=example.options,
        shuffle_degree=(None, None),
        reasons=() if example.passage and example.question else ("empty",),
    )
