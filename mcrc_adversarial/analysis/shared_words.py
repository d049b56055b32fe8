"""Does the drop follow how many words of the passage stand in the answer and in a distractor?"""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._groups import Breakdown, broken_down
from mcrc_adversarial.analysis._measures import answer_shared, content_words
from mcrc_adversarial.analysis._results import joined
from mcrc_adversarial.analysis._texts import ConfigRows

_MOST = 5


@register(
    "shared-words",
    title="By words shared with the passage",
    order=53,
    source="The keyword-matching hypothesis of paper A, section 5; content words: distinct words"
    " with a letter or digit that are no function words",
)
def shared_words(study: Study) -> Finding:
    """Content words of the passage in the answer; and in the original distractor with the most."""
    return joined(
        (
            broken_down(
                study,
                Breakdown("by-answer-shared", "by passage words in the answer", _in_answer),
            ),
            broken_down(
                study,
                Breakdown(
                    "by-distractor-shared",
                    "by passage words in an original distractor",
                    _in_distractor,
                ),
            ),
        )
    )


def _named(count: int) -> str:
    return f"{count}" if count < _MOST else f"{_MOST} and more"


def _in_answer(rows: ConfigRows, number: int) -> str:
    return _named(int(answer_shared(rows, number)))


def _in_distractor(rows: ConfigRows, number: int) -> str:
    example = rows.examples[number]
    passage = content_words(example.passage)
    return _named(max(len(content_words(text) & passage) for text in example.distractors))
