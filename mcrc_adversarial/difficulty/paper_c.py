"""What paper C (Sugawara et al. 2022) prints; never mixed with what is measured."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from mcrc_adversarial.analysis import Column, ResultTable, Value

NAME = "paper-c"
GROUPS = {"valid": "valid questions", "high_agreement": "high agreement"}
_COLUMNS = {
    "human": "human",
    "unifiedqa": "UnifiedQA",
    "deberta_xlarge": "DeBERTa-xlarge",
    "m_avg": "M-avg",
    "gap": "gap",
}


@lru_cache(maxsize=1)
def printed() -> dict[str, Any]:
    """The printed figures, in percent, with their sources."""
    text = files(__package__).joinpath("data", "paper_c.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def printed_table(group: str) -> ResultTable:
    """Table 1 as printed, for one of `GROUPS`."""
    table = printed()["table1"]
    rows: list[tuple[Value, ...]] = [
        (source, method, *(of_group[group][name] for name in _COLUMNS))
        for source, methods in table["rows"].items()
        for method, of_group in methods.items()
    ]
    headings = [
        Column(f"{name}_printed", heading, "points" if name == "gap" else "percent")
        for name, heading in _COLUMNS.items()
    ]
    return ResultTable(
        f"printed-{group.replace('_', '-')}",
        f"Printed by paper C: {GROUPS[group]} (%)",
        (Column("source", "source"), Column("method", "collected"), *headings),
        tuple(rows),
        (f"Printed: {printed()['source']}, {table['source']}.", *table["notes"]),
    )
