"""Tables for a terminal."""

from __future__ import annotations

from mcrc_adversarial.analysis import ResultTable
from mcrc_adversarial.report._values import is_number, shown
from mcrc_adversarial.tables import Table


def terminal_table(table: ResultTable) -> Table:
    """The table as text, without intervals in its cells where these would make it too wide."""
    rows = tuple(
        tuple(
            shown(value, column.unit).main for value, column in zip(row, table.columns, strict=True)
        )
        for row in table.rows
    )
    right = frozenset(column.heading for column in table.columns if is_number(column))
    return Table(tuple(column.heading for column in table.columns), rows, right)
