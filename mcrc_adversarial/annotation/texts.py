"""Digests of the texts on a sheet, by which an import sees that cells were mixed up.

A spreadsheet may write a number or a date in another way, so a text that no item has is no fault;
one that stands where the sheet had another one is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from mcrc_adversarial.annotation.items import Shown
from mcrc_adversarial.example import LETTERS

PASSAGE, QUESTION = "passage", "question"


def text_digest(text: str) -> str:
    """Of a text, whatever its white space: spreadsheets change line ends."""
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8"), digest_size=8).hexdigest()


def digests(item: Shown) -> list[str]:
    """Of passage, question and each option as shown."""
    return [text_digest(text) for text in (item.passage, item.question, *item.options)]


def misplaced(
    cells: Mapping[str, str], own: Sequence[str], all_digests: Mapping[str, Sequence[str]]
) -> str:
    """The column of a cell whose text is another one of the export; empty if there is none.

    Args:
        cells: of the line, by column; columns may be missing.
        own: digests of the line's item.
        all_digests: of every item.
    """
    columns: tuple[str, ...] = (PASSAGE, QUESTION, *LETTERS)
    for place, (column, expected) in enumerate(zip(columns, own, strict=False)):
        cell = cells.get(column, "").strip()
        found = text_digest(cell)
        if cell and found != expected and (found in own or _stands_at(place, found, all_digests)):
            return column
    return ""


def _stands_at(place: int, found: str, all_digests: Mapping[str, Sequence[str]]) -> bool:
    return any(found in one[place : place + 1] for one in all_digests.values())
