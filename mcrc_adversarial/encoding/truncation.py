"""Which part of a passage is left when it has to be shortened.

The end of the ORIGINAL passage goes first, by whole words, and text that an attack inserted never
goes: dropping tokens from the very end would silently undo an attack that appends to the passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.words import words

Spans: TypeAlias = Sequence[Sequence[int]]
IntArray: TypeAlias = npt.NDArray[np.int32]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def word_starts(text: str) -> list[int]:
    """Character offset of each word of `text`, as `mcrc_adversarial.words` cuts them.

    >>> word_starts("Ann left.")
    [0, 4, 8]
    """
    starts = []
    position = 0
    for word in words(text):
        position = text.index(word, position)
        starts.append(position)
        position += len(word)
    return starts


def inserted_tokens(offsets: IntArray, inserted: Spans) -> BoolArray:
    """Whether each token shares a character with an inserted span; shape (n_tokens,).

    Args:
        offsets: [start, end) of each token in the passage, shape (n_tokens, 2).
        inserted: [start, end) of what an attack put into the passage.
    """
    found = np.zeros(len(offsets), dtype=np.bool_)
    for start, end in inserted:
        found |= (offsets[:, 0] < end) & (offsets[:, 1] > start)
    return found


class Cut(NamedTuple):
    """Where a passage is cut.

    Attributes:
        position: character offset behind which only inserted text stays; the start of a word.
        kept: whether each token stays, shape (n_tokens,).
    """

    position: int
    kept: BoolArray


def cut_passage(text: str, offsets: IntArray, inserted: Spans, room: int) -> Cut:
    """Drop words from the end of the original passage until at most `room` tokens are left.

    Args:
        text: the passage.
        offsets: [start, end) of each token in it, shape (n_tokens, 2).
        inserted: [start, end) of what an attack put into it.
        room: tokens that may stay; at least the number of inserted ones, less than all.
    """
    protected = inserted_tokens(offsets, inserted)
    original = np.flatnonzero(~protected)
    first_dropped = original[room - int(np.sum(protected))]
    position = _start_of_word(text, int(offsets[first_dropped, 0]))
    for start, end in inserted:
        if start < position < end:
            position = start
    # A sentence piece may be the space before a word and nothing else: it goes with the word.
    kept = offsets[:, 1] <= len(text[:position].rstrip())
    kept[first_dropped:] = False
    return Cut(position, kept | protected)


def _start_of_word(text: str, position: int) -> int:
    """Start of the word that holds `position`, or that follows the white space there."""
    # A byte-level tokeniser's token may begin at the space before its word.
    reach = position + 1 if text[position : position + 1].isspace() else position
    # Words hold no white space, so only the run of text around the position has to be cut.
    runs_before = text[:reach].rsplit(None, 1)
    is_inside = reach > 0 and not text[reach - 1].isspace()
    begin = reach - len(runs_before[-1]) if is_inside else reach
    run = text[begin:].split(None, 1)
    starts = word_starts(run[0]) if run else []
    return max((begin + start for start in starts if begin + start <= reach), default=begin)


def shortened(text: str, inserted: Spans, cut: int) -> str:
    """The passage without its original text from `cut` on.

    >>> shortened("One two three. four Two", [(15, 23)], 8)
    'One two four Two'
    """
    kept = [text[:cut].rstrip()]
    kept += [text[max(start, cut) : end] for start, end in inserted if end > cut]
    return " ".join(part for part in kept if part)


def no_room_for_inserted(
    row_id: str, n_inserted: int, max_length: int, n_lacking: int
) -> ParameterError:
    """What to raise where inserted text alone is too long.

    Args:
        row_id: of the row.
        n_inserted: tokens of the inserted text.
        max_length: tokens that the model was to see at most.
        n_lacking: tokens by which they are too few.
    """
    return ParameterError(
        f"row {row_id!r}: the attack put {n_inserted} tokens into the passage, which are never"
        f" dropped; max_length is {max_length}, at least {max_length + n_lacking} is needed"
    )
