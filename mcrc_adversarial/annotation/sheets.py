r"""The sheet as a CSV file: one item a line, for a spreadsheet.

export,annotator,item,passage,question,A,B,...,answer[,types],seconds,comment,notice

The annotator fills `answer` (a letter, or the word unanswerable), may fill the cells behind it, and
leaves the others alone. Only export, annotator, item and answer are needed to read it back. It
begins with a byte-order mark, without which a spreadsheet takes UTF-8 for something else.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from mcrc_adversarial.annotation.items import Shown
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.spreadsheets import harmless

UNANSWERABLE = "unanswerable"
EXPORT, ANNOTATOR, ITEM, ANSWER = "export", "annotator", "item", "answer"
TYPES, SECONDS, COMMENT, NOTICE = "types", "seconds", "comment", "notice"
NEEDED = (EXPORT, ANNOTATOR, ITEM, ANSWER)
BYTE_ORDER_MARK = "\ufeff"


class Sheet(NamedTuple):
    """What one annotator gets.

    Attributes:
        export: name of the export.
        annotator: name of the annotator's place in it.
        items: in the order that they are asked in.
        with_types: whether comprehension types are asked for.
        notices: licences of the texts, a paragraph each.
    """

    export: str
    annotator: str
    items: Sequence[Shown]
    with_types: bool
    notices: Sequence[str]


def csv_sheet(sheet: Sheet) -> str:
    """The text of the sheet's CSV file."""
    most = max((len(item.options) for item in sheet.items), default=0)
    asked = (ANSWER, TYPES, SECONDS, COMMENT) if sheet.with_types else (ANSWER, SECONDS, COMMENT)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        [EXPORT, ANNOTATOR, ITEM, "passage", "question", *LETTERS[:most], *asked, NOTICE]
    )
    for number, item in enumerate(sheet.items):
        options = [*item.options, *[""] * (most - len(item.options))]
        texts = [sheet.export, sheet.annotator, item.name, item.passage, item.question, *options]
        notice = " ".join(sheet.notices) if number == 0 else ""
        writer.writerow([*map(harmless, texts), *[""] * len(asked), harmless(notice)])
    return BYTE_ORDER_MARK + out.getvalue()
