"""AddSent2Pas-Shuffle: shuffle(question + all distractors) is appended to the passage.

Source: paper A (arXiv:1910.12391), sections 3.1 and 3.2; printed example in figure 1.

An order is also drawn anew while a distractor stands in it as a run of words, ignoring case (the
paper's "exact match"). Where this departs from the paper: a distractor of one word always stands
there, so the rule holds for two words or more, and at most 100 orders are drawn.
"""

from __future__ import annotations

from mcrc_adversarial.attacks import Attacked, in_order, register
from mcrc_adversarial.attacks._parameters import SHUFFLE_DEGREE
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.shuffling import draw_order
from mcrc_adversarial.words import word_key, word_tuple


@register(
    "addsent2pas-shuffle",
    version=1,
    paper="A",
    source="arXiv:1910.12391, sections 3.1 and 3.2",
    touches=("passage",),
    summary="passage := passage + shuffle(question + all distractors)",
    parameters=(SHUFFLE_DEGREE,),
)
def addsent2pas_shuffle(example: Example, draws: Draws, *, shuffle_degree: float) -> Attacked:
    """Append the shuffled words of the question and of all distractors to the passage."""
    distractors = example.distractors
    sequence = list(word_tuple(example.question))
    for distractor in distractors:
        sequence += word_tuple(distractor)
    runs = [f" {word_key(one)} " for one in distractors if len(word_tuple(one)) > 1]

    # Words stand between spaces, so that a run of whole words is a substring.
    def judge(text: str) -> str:
        padded = f" {text} ".casefold()
        return "option-intact" if any(run in padded for run in runs) else ""

    order = draw_order(sequence, draws.question(), shuffle_degree, judge=judge)
    if order is None:
        return _unchanged(example, "one-word" if sequence else "empty")
    reasons = {order.fault} if order.fault else set()
    if not order.reached:
        reasons.add("threshold-unreachable")
    return _appended(example, order.text, order.degree, reasons)


def _unchanged(example: Example, reason: str) -> Attacked:
    return Attacked(example.passage, example.question, example.options, (None,), (reason,))


def _appended(example: Example, text: str, degree: float, reasons: set[str]) -> Attacked:
    passage = f"{example.passage} {text}" if example.passage else text
    return Attacked(
        passage=passage,
        question=example.question,
        options=example.options,
        shuffle_degree=(degree,),
        reasons=in_order(reasons),
        inserted=((len(passage) - len(text), len(passage)),),
    )
