"""Does the drop differ by the question's word, or where it is a blank to fill?"""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._groups import Breakdown, broken_down
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.words import words

BLANK, OTHER = "a blank (_)", "no question word"
_WORDS = ("what", "which", "who", "where", "when", "why", "how")
_SAME = {"whom": "who", "whose": "who"}
_COUNTS = {"many", "much"}


@register(
    "question-word",
    title="By question word",
    order=51,
    source="Paper C (Sugawara et al. 2022) parts questions by their first wh-word; blanks stand"
    " apart here",
)
def question_word(study: Study) -> Finding:
    """The first question word of the original question."""
    order = (*_WORDS, "how many, how much", OTHER, BLANK)
    return broken_down(
        study, Breakdown("by-question-word", "by question word", word_of_question, order)
    )


def word_of_question(rows: ConfigRows, number: int) -> str:
    """The question's first wh-word, a blank, or neither."""
    question = rows.examples[number].question
    if "_" in question:
        return BLANK
    found = [_SAME.get(word, word) for word in words(question.casefold())]
    for position, word in enumerate(found):
        if word in _WORDS:
            following = found[position + 1 : position + 2]
            is_count = word == "how" and following and following[0] in _COUNTS
            return "how many, how much" if is_count else word
    return OTHER
