r"""Tables in LaTeX; a document that takes one with `\input` loads booktabs and graphicx."""

from __future__ import annotations

import re
from collections.abc import Callable

from mcrc_adversarial.analysis import ResultTable
from mcrc_adversarial.report._values import Shown, is_number, shown

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "-": "{-}",
    "\N{EN DASH}": r"\textendash{}",
    "\N{EM DASH}": r"\textemdash{}",
    "\N{LEFT SINGLE QUOTATION MARK}": r"\textquoteleft{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": r"\textquoteright{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": r"\textquotedblleft{}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": r"\textquotedblright{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\textellipsis{}",
    "\N{DAGGER}": r"\textdagger{}",
    "\N{BULLET}": r"\textbullet{}",
    "\N{EURO SIGN}": r"\texteuro{}",
}
# Letters that LaTeX's old font encoding, which a document has unless it asks for T1, does not hold.
# The kernel knows T1 all the same, so that a table needs no package for them.
_IN_T1 = {
    '"': r"\textquotedbl",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": r"\guillemotleft",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": r"\guillemotright",
    "\N{LATIN CAPITAL LETTER ETH}": r"\DH",
    "\N{LATIN SMALL LETTER ETH}": r"\dh",
    "\N{LATIN CAPITAL LETTER THORN}": r"\TH",
    "\N{LATIN SMALL LETTER THORN}": r"\th",
}
_LAST_OF_LATIN_1, _SOFT_HYPHEN = 0xFF, 0xAD


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is, on one line; what its fonts lack by its code point.

    >>> escaped("50 % of $x$")
    '50 \\% of \\$x\\$'
    """
    return "".join(map(_letter, re.sub(r"\s+", " ", text)))


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter in _IN_T1:
        return rf"{{\fontencoding{{T1}}\selectfont{_IN_T1[letter]}}}"
    code = ord(letter)
    is_printable = 0x20 <= code < 0x7F or 0xA0 < code <= _LAST_OF_LATIN_1
    return letter if is_printable and code != _SOFT_HYPHEN else f"{{[}}U+{code:04X}{{]}}"


def latex_table(table: ResultTable) -> str:
    """A floating table, as wide as its text or the page, with its notes below."""
    kinds = "".join("r" if is_number(column) else "l" for column in table.columns)
    headings = " & ".join(escaped(column.heading) for column in table.columns)
    lines = [
        "% Needs \\usepackage{booktabs} and \\usepackage{graphicx}.",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\toprule",
        rf"{headings} \\",
        r"\midrule",
        *(_row(table, number) for number in range(len(table.rows))),
        r"\bottomrule",
        r"\end{tabular}}",
        *(rf"\par\footnotesize {escaped(note)}" for note in table.notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _row(table: ResultTable, row: int) -> str:
    cells = (
        _cell(
            shown(value, table.columns[number].unit),
            escaped if isinstance(value, str) else _numeric,
        )
        for number, value in enumerate(table.rows[row])
    )
    return rf"{' & '.join(cells)} \\"


def _numeric(text: str) -> str:
    """Numbers with a minus for each hyphen in front of a digit."""
    return re.sub(r"\{-\}(?=\d)", "$-$", escaped(text))


def _cell(value: Shown, printed: Callable[[str], str]) -> str:
    if not value.intervals:
        return printed(value.main)
    small = (rf"{{\scriptsize {printed(one)}}}" for one in value.intervals)
    stacked = r"\\".join((printed(value.main), *small))
    return rf"\shortstack{{{stacked}}}"
