"""Names of columns for what users name: models, types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def own_columns(names: Sequence[str], kind: str, taken: Iterable[str]) -> list[str]:
    """A column's name for each, its own unless another column of the table has it.

    Args:
        names: of models or types, each once.
        kind: put before a name that is taken.
        taken: names of the table's other columns.

    >>> own_columns(["roberta", "gap"], "model", ["n", "gap"])
    ['roberta', 'model gap']
    """
    used = {end for name in taken for end in _with_ends(name)}
    found = []
    for name in names:
        column = name
        while used & set(_with_ends(column)):
            column = f"{kind} {column}"
        used.update(_with_ends(column))
        found.append(column)
    return found


def _with_ends(name: str) -> tuple[str, str, str]:
    """The columns of a value with an interval, as CSV files have them."""
    return name, f"{name}_ci_low", f"{name}_ci_high"
