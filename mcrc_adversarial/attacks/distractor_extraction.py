"""Distractor-Extraction: each distractor becomes a span of the passage that a model took for one.

Source: paper B (AdvRACE, arXiv:2004.14004), distractor extraction; the rules are those of its code,
Attacks/DE (the paper's own text was not at hand).

An extractive question answering model gives its 20 best spans of the passage (`mcrc-adversarial
candidates --task span-extraction`); here they are chosen from. The first ones in order are taken,
as many as there are distractors, without spans that hold no letter or digit, are a stop word (of
a list of their own; its `may` is the month too), are contained in the answer, or contain, or are
contained in, one that was taken before. Too few: original distractors fill up, in order, without
repeats. Where the question asks which of the following is true, each distractor is altered until
it is false.

Where this departs from the code, besides what `_model_made` says: white space is folded to single
spaces, and any span without a letter or digit is left out, where the code leaves out those that
stand in a row of all ASCII punctuation.

    (passage "... Ann sold her boat to Tom ...", answer "a boat") -> "Tom", "Ann sold", ...
"""

from __future__ import annotations

from collections.abc import Sequence

from mcrc_adversarial.attacks._model_made import Pick, register_chooser
from mcrc_adversarial.candidates import SPANS
from mcrc_adversarial.example import Example
from mcrc_adversarial.stopwords import SPAN_STOPWORDS
from mcrc_adversarial.words import bare_key


@register_chooser(
    SPANS,
    version=3,
    code="Attacks/DE",
    summary="distractor := span of the passage that an extractive QA model takes for the answer",
)
def chosen_spans(
    example: Example, spans: Sequence[str], source: str
) -> tuple[list[Pick], set[str]]:
    """The first fit spans, at most as many as there are distractors.

    Args:
        example: the question.
        spans: of its passage, the best first.
        source: of the spans, for the lineage.
    """
    answer, answer_key = " ".join(example.answer.lower().split()), bare_key(example.answer)
    found: list[Pick] = []
    taken: list[str] = []
    for rank, raw in enumerate(spans, start=1):
        span = " ".join(raw.split())
        lower = span.lower()
        is_fit = (
            any(map(str.isalnum, span))
            and lower not in SPAN_STOPWORDS
            and lower not in answer
            and bare_key(span) != answer_key
            and not any(lower in one or one in lower for one in taken)
        )
        if is_fit:
            taken.append(lower)
            found.append(Pick(span, f"span {rank} of {source}"))
            if len(found) == len(example.options) - 1:
                break
    return found, set()
