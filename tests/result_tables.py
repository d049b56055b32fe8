"""Tables of a finding and their rows, looked up."""

from __future__ import annotations

from typing import Any

from mcrc_adversarial.analysis import Finding


def table(finding: Finding, name: str) -> Any:
    return next(one for one in finding.tables if one.name == name)


def row(found: Any, *first: object) -> Any:
    """The row that begins with these cells."""
    return next(one for one in found.rows if one[: len(first)] == first)
