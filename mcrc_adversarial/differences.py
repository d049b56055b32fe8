"""What became of a text, stretch by stretch, and texts of which nothing is obeyed when shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

# C0 (but tab and line feed), C1, and what changes the direction of a line or ends it.
_CONTROL = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)
_PIECE = re.compile(r"\s+|\S+")

Kind = Literal["same", "removed", "inserted"]


class Part(NamedTuple):
    """A stretch of text, and whether it stands in the original, the altered text, or both."""

    kind: Kind
    text: str


def visible(text: str) -> str:
    r"""`text` with its control characters written out, so that a terminal does not obey them.

    >>> visible("a\x1b[31m\u202eb")
    'a\\x1b[31m\\u202eb'
    """
    return _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def difference(
    before: str,
    after: str,
    *,
    is_shuffled: bool = False,
    inserted: Sequence[tuple[int, int]] = (),
) -> list[Part]:
    """What became of a text.

    Args:
        before: the original.
        after: the altered text.
        is_shuffled: whether its words stand in another order, so that all of it is new.
        inserted: [start, end) offsets of what was put in, where the attack says so.

    >>> difference("at home", "at home all day")
    [Part(kind='same', text='at home'), Part(kind='inserted', text=' all day')]
    """
    if before == after:
        parts = [Part("same", after)]
    elif inserted:
        parts = list(_by_offsets(after, inserted))
    elif is_shuffled:
        parts = [Part("removed", before), Part("inserted", after)]
    else:
        parts = list(_by_words(_PIECE.findall(before), _PIECE.findall(after)))
    return [part for part in parts if part.text]


def _by_offsets(after: str, inserted: Sequence[tuple[int, int]]) -> Iterator[Part]:
    done = 0
    for start, end in inserted:
        yield Part("same", after[done:start])
        yield Part("inserted", after[start:end])
        done = end
    yield Part("same", after[done:])


def _by_words(before: Sequence[str], after: Sequence[str]) -> Iterator[Part]:
    # Not difflib: it takes minutes for a long text that repeats a word.
    for change in Levenshtein.opcodes(before, after):
        put_in = "".join(after[change.dest_start : change.dest_end])
        if change.tag == "equal":
            yield Part("same", put_in)
            continue
        yield Part("removed", "".join(before[change.src_start : change.src_end]))
        yield Part("inserted", put_in)
