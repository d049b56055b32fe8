"""What paper C (Sugawara et al. 2022) prints; never mixed with what is measured."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from mcrc_adversarial.analysis import Column, ResultTable, Value
from mcrc_adversarial.difficulty.measures import TITLES

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
        (f"Printed: {printed()['source']}, {table['source']}.", *table["notes"], _counts()),
    )


def _counts() -> str:
    """What the paper prints of all questions, outside its tables."""
    found = printed()["printed"]
    return (
        f"Printed too: valid {found['valid_rate']} %, high agreement"
        f" {found['high_agreement_rate']} %; easy {found['easy']}, hard {found['hard']};"
        " standard deviation of the sources' gaps with high agreement"
        f" {found['spread_of_high_agreement_gaps']} points."
    )


def printed_tables() -> tuple[ResultTable, ...]:
    """Table 1, the correlations and tests, and the comprehension types, as printed."""
    return (*map(printed_table, GROUPS), _printed_correlations(), _printed_types())


def _printed_correlations() -> ResultTable:
    table = printed()["correlations"]
    rows: list[tuple[Value, ...]] = [
        (TITLES[name], one["r"], one["p"], one["t_test_p"]) for name, one in table["rows"].items()
    ]
    return ResultTable(
        "printed-correlations",
        "Printed by paper C: measures and the gap",
        (
            Column("measure", "measure"),
            Column("r_printed", "r, without its sign", "r"),
            Column("p_printed", "p"),
            Column("t_test_p_printed", "p (easy against hard)"),
        ),
        tuple(rows),
        (f"Printed: {printed()['source']}, {table['source']}.",),
    )


def _printed_types() -> ResultTable:
    table = printed()["types"]
    rows: list[tuple[Value, ...]] = [
        (source, method, *(shares[name] for name in table["names"]))
        for source, methods in table["rows"].items()
        for method, shares in methods.items()
    ]
    return ResultTable(
        "printed-types",
        "Printed by paper C: comprehension types (%)",
        (
            Column("source", "source"),
            Column("method", "collected"),
            *(Column(f"{name}_printed", name, "percent") for name in table["names"]),
        ),
        tuple(rows),
        (f"Printed: {printed()['source']}, {table['source']}.", *table["notes"]),
    )
