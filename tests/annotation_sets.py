"""Small exports, and sheets as people fill them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mcrc_adversarial.annotation import Candidate, Catch, Item, Key, Plan, make_sheets
from mcrc_adversarial.annotation.sheets import Sheet, csv_sheet

# (annotator, item) -> cells to fill in, by column; none for no answer.
Fill = Callable[[str, Item], Mapping[str, str]]
FACTS = {"split": "test", "attack_seed": 0}
CONFIGS = ("sample", "sample-charswap", "sample-p-shuffle")


def question(config: str, number: int, *, passage: str = "", label: int = 0) -> Candidate:
    return Candidate(
        config,
        f"test/{number}-0",
        passage or f"test/{number}",
        f"A passage about {number}, as {config} has it.",
        f"What is number {number}?",
        (f"{number} cats", f"{number} dogs", f"{number} birds", f"{number} fish"),
        label,
    )


def questions(n: int, configs: Sequence[str] = CONFIGS) -> list[Candidate]:
    return [question(config, number, label=number % 4) for config in configs for number in range(n)]


def catch_questions(n: int) -> list[Candidate]:
    return [question("sample", 100 + number, label=number % 4) for number in range(n)]


def small_export(
    n: int = 4, *, annotators: int = 6, votes: int = 5, seed: int = 0, types: bool = False
) -> tuple[Key, list[Sheet]]:
    plan = Plan(annotators, votes, seed, types)
    return make_sheets(questions(n), Catch(catch_questions(20), 0.1), plan, facts=FACTS)


def letter(item: Item, option: int | None) -> str:
    """What to write for an option of the row."""
    return "unanswerable" if option is None else "ABCD"[item.order.index(option)]


def right(_: str, item: Item) -> Mapping[str, str]:
    return {"answer": letter(item, item.label)}


def rows_of(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


def filled(key: Key, sheet: Sheet, fill: Fill) -> list[list[str]]:
    heading, *rows = rows_of(csv_sheet(sheet))
    for row in rows:
        for column, text in fill(sheet.annotator, key.items[row[2]]).items():
            row[heading.index(column)] = text
    return [heading, *rows]


def write_rows(path: Path, rows: Sequence[Sequence[str]], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def fill_all(folder: Path, key: Key, sheets: Sequence[Sheet], fill: Fill) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_rows(folder / f"{sheet.annotator}.csv", filled(key, sheet, fill)) for sheet in sheets
    ]
