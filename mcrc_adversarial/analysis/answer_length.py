"""Is a longer answer safer? Paper A's figure 7."""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._bins import Bin, Binning, binned
from mcrc_adversarial.analysis._measures import answer_length as words_of_answer

_LONGEST = 10


@register(
    "answer-length",
    title="Change by the answer's length",
    order=42,
    source="Paper A (Si et al. 2019), figure 7; it does not state the unit, here words",
)
def answer_length(study: Study) -> Finding:
    """Answers of 1 to 10 words, AddSent2Opt-Shuffle."""
    bins = tuple(Bin(n, n - 0.5, n + 0.5, str(n)) for n in range(1, _LONGEST + 1))
    return binned(
        study,
        Binning(
            "answer-length",
            "change by the length of the answer",
            "length of the right option, words",
            words_of_answer,
            bins,
            is_upper_closed=False,
            figure="figure 7",
        ),
    )
