"""Do more thoroughly shuffled distractors fool more? Paper A's figure 8."""

from __future__ import annotations

from itertools import pairwise

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._bins import Bin, Binning, binned
from mcrc_adversarial.analysis._measures import largest_degree

_STEP = 0.025
_N_BINS = 14


@register(
    "shuffle-degree",
    title="Change by the largest ShuffleDegree",
    order=43,
    source="Paper A (Si et al. 2019), figure 8; it does not state the bins' edges, here its labels"
    " are upper ends, so that the first bin begins at the threshold 0.65; two bins more, up to 1",
)
def shuffle_degree(study: Study) -> Finding:
    """Bins of 0.025 from 0.65 to 1, AddSent2Opt-Shuffle."""
    ends = [round(0.65 + _STEP * number, 3) for number in range(_N_BINS + 1)]
    bins = tuple(Bin(high, low, high, f"({low:.3f}, {high:.3f}]") for low, high in pairwise(ends))
    return binned(
        study,
        Binning(
            "shuffle-degree",
            "change by the largest ShuffleDegree",
            "largest ShuffleDegree among the question's options",
            largest_degree,
            bins,
            is_upper_closed=True,
            figure="figure 8",
        ),
    )
