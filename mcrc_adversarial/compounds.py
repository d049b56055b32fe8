"""Words as AdvRACE's attacks cut them: with the marks inside, as in `ice-cream` and `U.S`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from mcrc_adversarial.words import CONTRACTED_NOT, CONTRACTION, UNSPACED, UNSPACED_ASTRAL

# A run of letters and digits with single marks inside, as in `ice-cream` and `U.S`.
_COMPOUND = re.compile(
    rf"[^\W_{UNSPACED}{UNSPACED_ASTRAL}]+(?:[-./'\u2019][^\W_{UNSPACED}{UNSPACED_ASTRAL}]+)*"
)
_ASCII_COMPOUND = re.compile("[a-zA-Z0-9]+(?:[-./'][a-zA-Z0-9]+)*", re.ASCII)
# In parentheses, so that `split` keeps them.
_RUN, _ASCII_RUN = (
    re.compile(f"({one.pattern})", one.flags) for one in (_COMPOUND, _ASCII_COMPOUND)
)
_CONTRACTED_END = re.compile(rf"(?:{CONTRACTED_NOT}|{CONTRACTION})\Z")


def compounds(text: str) -> Iterator[tuple[int, int]]:
    """[start, end) of each word of `text` that holds a letter or digit, marks inside it included.

    These are the Penn Treebank's words rather than those of `words`: `ice-cream`, `3.5` and
    `o'clock` are one. A contraction's end (`n't`, `'s`) is left out. There are none in scripts
    written without spaces.

    >>> text = "The ice-cream doesn't melt."
    >>> [text[start:end] for start, end in compounds(text)]
    ['The', 'ice-cream', 'does', 'melt']
    """
    expression = _ASCII_COMPOUND if text.isascii() else _COMPOUND
    has_contractions = "'" in text or "\u2019" in text
    for match in expression.finditer(text):
        start, end = match.span()
        # Only a word with a mark inside can end in a contraction, and few have one.
        has_mark = has_contractions and not match.group().isalnum()
        if has_mark and (contracted := _CONTRACTED_END.search(text, start, end)):
            end = contracted.start()
        if start < end:
            yield start, end


class Runs(NamedTuple):
    """What `compounds` cuts words from, at most one from each, in order.

    Attributes:
        starts: where each starts.
        texts: the runs themselves, contractions' ends included.
    """

    starts: Sequence[int]
    texts: Sequence[str]


def runs(text: str) -> Runs:
    """The runs of letters and digits of `text`, single marks inside included.

    >>> runs("The ice-cream doesn't melt.")
    Runs(starts=[0, 4, 14, 22], texts=['The', 'ice-cream', "doesn't", 'melt'])
    """
    # By turns what stands between two runs, and a run.
    pieces = (_ASCII_RUN if text.isascii() else _RUN).split(text)
    ends = list(accumulate(map(len, pieces)))
    return Runs(ends[:-1:2], pieces[1::2])
