"""What an import leaves for other programs: every answer, and all figures."""

from __future__ import annotations

import json
from typing import Any

from mcrc_adversarial._version import __version__
from mcrc_adversarial.analysis import Column, Estimate, ResultTable, Value
from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.reading import Sheets
from mcrc_adversarial.annotation.results import Results
from mcrc_adversarial.annotation.sheets import UNANSWERABLE
from mcrc_adversarial.annotation.votes import votes_jsonl
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.report.csv_files import csv_text


def other_files(key: Key, sheets: Sheets, results: Results) -> dict[str, str]:
    """Name -> text of what stands beside the report."""
    return {
        "results.json": results_json(key, sheets, results),
        "answers.csv": csv_text(answers_table(key, sheets)),
        "votes.jsonl": votes_jsonl(results.items, key.configs, COMPREHENSION_TYPES),
    }


def answers_table(key: Key, sheets: Sheets) -> ResultTable:
    """Every answer, those to catch items and of annotators who do not count among them."""
    rows = []
    for answer in sorted(sheets.answers, key=lambda one: (one.annotator, one.item)):
        item = key.items[answer.item]
        option = None if answer.place is None else item.order[answer.place]
        rows.append(
            (
                answer.annotator,
                answer.item,
                item.config,
                item.id,
                "yes" if item.is_catch else "no",
                UNANSWERABLE if option is None else LETTERS[option],
                option,
                LETTERS[item.label],
                "yes" if option == item.label else "no",
                answer.seconds,
                "; ".join(answer.types),
                answer.comment,
            )
        )
    names = (
        "annotator", "item", "config", "id", "catch", "answer", "option", "label", "right",
        "seconds", "types", "comment",
    )  # fmt: skip
    columns = tuple(Column(name, name) for name in names)
    return ResultTable("answers", "Answers", columns, tuple(rows))


def results_json(key: Key, sheets: Sheets, results: Results) -> str:
    """The text of results.json: the tables of the report, and the conditions they hold under."""
    content = {
        "schema_version": 1,
        "version": __version__,
        "export": key.export,
        "settings": dict(key.settings),
        "files": sheets.files,
        "answers": len(sheets.answers),
        "without_answer": dict(sheets.incomplete),
        "left_out": list(results.left_out),
        "missing": list(results.finding.missing),
        "tables": {table.name: _records(table) for table in results.finding.tables},
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _records(table: ResultTable) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in table.rows]


def _plain(value: Value) -> Any:
    return value._asdict() if isinstance(value, Estimate) else value
