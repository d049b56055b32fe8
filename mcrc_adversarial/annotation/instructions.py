"""What annotators are told, in the form and beside the CSV sheets."""

from __future__ import annotations

from collections.abc import Sequence

from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES

# Of the task; the form shows these.
TASK = (
    "Read the text, then answer the question from the text alone, without looking anything up.",
    "Exactly one option should be right. Choose the best one, even where words are misspelt or"
    " sentences read oddly.",
    "Choose \u201cunanswerable\u201d if no option is right, several are equally right, or the text"
    " does not say.",
    "Work alone. Texts may come again in another form: answer each by what stands there now.",
)
TYPES_TASK = "Then tick every kind of reading that the question asks for."
_CSV = (
    "In a spreadsheet: type the letter of the option, or the word unanswerable, into the column"
    " answer; seconds and comment may stay empty. Change nothing else, and save as CSV UTF-8.",
    "In a browser: open the .html file of the same name instead, which needs no network, and save"
    " the answers with its button.",
    "Send back the CSV file, also if it is not finished.",
)


def instructions(*, with_types: bool, notices: Sequence[str]) -> str:
    """The text of INSTRUCTIONS.txt."""
    lines = [*TASK, *_CSV]
    if with_types:
        lines.append(
            f"{TYPES_TASK} In a spreadsheet, put their names into the column types, with ; between:"
        )
        lines += [f"  {name}: {meaning}" for name, meaning in COMPREHENSION_TYPES.items()]
    return "".join(f"{line}\n" for line in [*lines, *notices])
