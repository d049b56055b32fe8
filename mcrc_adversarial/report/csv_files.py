"""Tables as CSV, for programs and for spreadsheets.

A text that a spreadsheet would run is made harmless, and `read_csv` gives it back as it was.
Numbers are numbers, also negative ones.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from mcrc_adversarial.analysis import Estimate, ResultTable, Score, Value
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.spreadsheets import harmless, restored

Cell = str | int | float | None


def write_csv(path: Path, table: ResultTable) -> None:
    """Write a table, every value with the ends of its interval in columns of their own.

    Fractions stay fractions; a missing value is an empty cell.

    Raises:
        OutputError: the file cannot be written.
    """
    write_text(path, csv_text(table))


def csv_text(table: ResultTable) -> str:
    """What `write_csv` writes."""
    names, columns = [], []
    for name, values in _flat(table):
        names.append(name)
        columns.append(values)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(harmless, names))
    for row in zip(*columns, strict=True):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read what `write_csv` wrote, texts as they were; column name -> cell of each row."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {restored(name): restored(cell) for name, cell in row.items()}
            for row in csv.DictReader(file, strict=True)
        ]


def _flat(table: ResultTable) -> Iterator[tuple[str, list[Cell]]]:
    for number, column in enumerate(table.columns):
        values = [row[number] for row in table.rows]
        if any(isinstance(value, Score) for value in values):
            yield from _with_ends(f"{column.name}_accuracy", list(map(_accuracy, values)))
            yield from _with_ends(f"{column.name}_change", list(map(_change, values)))
            yield from _marks(f"{column.name}_mark", values)
        else:
            yield from _with_ends(column.name, values)


def _marks(name: str, values: Sequence[Value]) -> Iterator[tuple[str, list[Cell]]]:
    marks: list[Cell] = [value.mark if isinstance(value, Score) else "" for value in values]
    if any(marks):
        yield name, marks


def _accuracy(value: Value) -> Value:
    return value.accuracy if isinstance(value, Score) else None


def _change(value: Value) -> Value:
    return value.change if isinstance(value, Score) else value


def _with_ends(name: str, values: Sequence[Value]) -> Iterator[tuple[str, list[Cell]]]:
    if all(value is None for value in values):
        return
    yield name, [value.value if isinstance(value, Estimate) else _plain(value) for value in values]
    estimates = [value if isinstance(value, Estimate) else None for value in values]
    if any(one is not None and one.low is not None for one in estimates):
        yield f"{name}_ci_low", [one and one.low for one in estimates]
        yield f"{name}_ci_high", [one and one.high for one in estimates]


def _plain(value: Value) -> Cell:
    assert not isinstance(value, Score | Estimate)
    return value
