"""The sheet as one HTML file: a form that needs no network, a keyboard or a telephone.

Answers stay in the browser's storage until the button saves them as a CSV file, which `read_sheets`
reads as it does the sheet of the spreadsheet.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mcrc_adversarial.annotation.instructions import TASK, TYPES_TASK
from mcrc_adversarial.annotation.sheets import Sheet
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES


def html_sheet(sheet: Sheet) -> str:
    """The text of the sheet's HTML file."""
    script = _packaged("form.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # Files of ours and JSON without `<` go in as they are; everything else is escaped.
    return environment.from_string(_packaged("form.html.j2")).render(
        task=TASK,
        types_task=TYPES_TASK,
        types=COMPREHENSION_TYPES if sheet.with_types else {},
        annotator=sheet.annotator,
        notices=sheet.notices,
        style=Markup(_packaged("form.css")),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - a file of ours
        script_hash=f"sha256-{digest}",
        sheet=Markup(_json(sheet)),  # noqa: S704 - no `<` left
    )


def _json(sheet: Sheet) -> str:
    content = {
        "export": sheet.export,
        "annotator": sheet.annotator,
        "types": list(COMPREHENSION_TYPES) if sheet.with_types else [],
        "items": [
            {"item": one.name, "passage": one.passage, "question": one.question,
             "options": list(one.options)}
            for one in sheet.items
        ],
    }  # fmt: skip
    return json.dumps(content).replace("<", "\\u003c")


def _packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
