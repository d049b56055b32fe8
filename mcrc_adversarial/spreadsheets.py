r"""Cells of CSV files that people open in a spreadsheet.

A spreadsheet takes a text cell that begins with `=`, `+`, `-` or `@` for a formula and runs it. So
such a text gets an apostrophe in front, and so does one that begins with an apostrophe, a tab or a
line end; `restored` takes it away.
"""

from __future__ import annotations

_MARK = "'"
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", _MARK)


def harmless(text: str) -> str:
    """A text that no spreadsheet runs.

    >>> harmless("=1+1"), harmless("plain")
    ("'=1+1", 'plain')
    """
    return f"{_MARK}{text}" if text.startswith(_DANGEROUS) else text


def restored(cell: str) -> str:
    """What `harmless` was given.

    >>> restored(harmless("'=1"))
    "'=1"
    """
    return cell[1:] if cell.startswith(_MARK) else cell
