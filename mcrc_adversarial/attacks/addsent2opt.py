"""AddSent2Opt: each distractor becomes distractor + random passage sentence, unshuffled.

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2; printed example in figure 3.

Where this departs from the paper: each distractor gets a sentence of its own (figure 3 shows one
for all three). White space inside the sentence is folded to single spaces.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, register
from mcrc_adversarial.attacks._distractors import append, draw_sentences, replace_distractors
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws


@register(
    "addsent2opt",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("options",),
    summary="distractor := distractor + random passage sentence",
)
def addsent2opt(example: Example, draws: Draws) -> Attacked:
    """Put a sentence of the passage behind each distractor."""
    texts = (
        sentence and append(distractor, sentence)
        for distractor, sentence in zip(
            example.distractors, draw_sentences(example, draws.question()), strict=True
        )
    )
    return replace_distractors(example, texts)
