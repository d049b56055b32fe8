"""The one table of a run: for a terminal, for a pipe, and for the model card."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console
from rich.table import Table as RichTable

from mcrc_adversarial.experiment.metrics import RunMetrics
from mcrc_adversarial.scoring import Interval
from mcrc_adversarial.tables import Table

_HEADINGS = ("config", "n", "accuracy % [95 % interval]", "drop % [95 % interval]", "rows attacked")
_NOTHING = "-"


def results_table(metrics: RunMetrics) -> Table:
    """Config, rows, accuracy and drop in percent with their intervals, attacked rows."""
    rows = []
    for name, one in metrics.reports.items():
        scores = one.rows
        drop = scores.percentage_performance_drop
        rows.append(
            (
                name,
                str(scores.n),
                _with_interval(100 * scores.accuracy, _percent(scores.accuracy_interval)),
                _NOTHING if drop is None else _with_interval(drop, scores.drop_interval),
                _NOTHING if one.n_attacked is None else str(one.n_attacked),
            )
        )
    return Table(_HEADINGS, tuple(rows), frozenset(_HEADINGS[1:]))


def _percent(interval: Interval | None) -> Interval | None:
    return None if interval is None else Interval(100 * interval.low, 100 * interval.high)


def _with_interval(value: float, interval: Interval | None) -> str:
    ends = "" if interval is None else f" [{interval.low:.1f}, {interval.high:.1f}]"
    return f"{value:.1f}{ends}"


def print_table(table: Table, file: TextIO | None = None) -> None:
    """Print to a terminal with rules and colours, to anything else as plain aligned columns."""
    out = sys.stdout if file is None else file
    if not out.isatty():
        print(plain(table), file=out)
        return
    shown = RichTable()
    for heading in table.headings:
        shown.add_column(heading, justify="right" if heading in table.numbers else "left")
    for row in table.rows:
        # Square brackets are rich's mark-up.
        shown.add_row(*(cell.replace("[", r"\[") for cell in row))
    Console(file=out).print(shown)


def plain(table: Table) -> str:
    """The table as text, columns parted by two spaces, numbers to the right."""
    lines = (table.headings, *table.rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for line in lines:
        cells = zip(line, table.headings, widths, strict=True)
        aligned.append(
            "  ".join(
                cell.rjust(width) if heading in table.numbers else cell.ljust(width)
                for cell, heading, width in cells
            ).rstrip()
        )
    return "\n".join(aligned)
