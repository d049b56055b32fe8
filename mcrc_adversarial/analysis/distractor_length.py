"""Do longer distractors explain the drop? Paper A's figure 5."""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._bins import Bin, Binning, binned
from mcrc_adversarial.analysis._measures import distractor_length_change

_STEP = 50
_LABELS = range(200, 801, _STEP)


@register(
    "distractor-length",
    title="Change by the change of the distractors' length",
    order=40,
    source="Paper A (Si et al. 2019), figure 5; it states neither the unit nor the bins' edges,"
    " here words and edges 25 to both sides of its labels",
)
def distractor_length(study: Study) -> Finding:
    """Bins of 50 percent of length around 200 to 800, AddSent2Opt-Shuffle."""
    bins = tuple(
        Bin(label, label - _STEP / 2, label + _STEP / 2, f"[{label - 25}, {label + 25})")
        for label in _LABELS
    )
    return binned(
        study,
        Binning(
            "distractor-length",
            "change by how much longer the distractors became",
            "change of the distractors' length in words, %",
            distractor_length_change,
            bins,
            is_upper_closed=False,
            figure="figure 5",
        ),
    )
