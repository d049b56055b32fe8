"""AddAns2Opt: each distractor becomes distractor + answer, unshuffled.

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2.

The altered distractor holds the answer word for word; whether a person would call it right is a
limit of the attack that the paper shares.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import append, replace_distractors
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "addans2opt",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := distractor + answer",
)
def addans2opt(example: Example, _: Draws) -> Attacked:
    """Put the answer behind each distractor."""
    is_blank = not example.answer.strip()
    texts = (
        None if is_blank else append(distractor, example.answer)
        for distractor in example.distractors
    )
    return replace_distractors(example, texts, without_text="empty")
