"""Are questions with one-word answers attacked otherwise than the rest?"""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._groups import Breakdown, broken_down
from mcrc_adversarial.analysis._measures import answer_length
from mcrc_adversarial.analysis._texts import ConfigRows

_ORDER = ("one word", "2 to 4 words", "5 words and more")


@register(
    "answer-words",
    title="By one-word answers",
    order=52,
    source="A one-word answer cannot be shuffled; paper A does not say what becomes of it",
)
def answer_words(study: Study) -> Finding:
    """One word, a few, many; a number of marks and words as the attacks cut them."""
    return broken_down(study, Breakdown("by-answer-words", "by words of the answer", _size, _ORDER))


def _size(rows: ConfigRows, number: int) -> str:
    n_words = answer_length(rows, number)
    if n_words <= 1:
        return _ORDER[0]
    return _ORDER[1] if n_words <= 4 else _ORDER[2]
