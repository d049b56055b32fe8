"""Questions to the predictions of runs: one file a question, which registers an `Analysis`.

An analysis takes a `Study` (runs, their predictions, and the rows these were made on) and gives a
`Finding` (tables and charts of values). It computes with `mcrc_adversarial.scoring`; how a value
looks is the business of `mcrc_adversarial.report`. A new file here appears in every report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from mcrc_adversarial.analysis._asked import asked, question_lines
from mcrc_adversarial.analysis._grid import FEWER
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Score,
    Series,
    Unit,
    Value,
    estimate,
    joined,
)
from mcrc_adversarial.analysis._runs import Run
from mcrc_adversarial.analysis._study import PAPERS, Study, System, load_study
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.analysis._word_effects import many_cases, one_case
from mcrc_adversarial.analysis._word_trace import row_number, some_rows, trace, without_words
from mcrc_adversarial.registry import Registry

__all__ = [
    "FEWER",
    "PAPERS",
    "Analysis",
    "Chart",
    "Column",
    "ConfigRows",
    "Estimate",
    "Finding",
    "Point",
    "ResultTable",
    "Run",
    "Score",
    "Series",
    "Study",
    "System",
    "Unit",
    "Value",
    "analyses",
    "asked",
    "estimate",
    "in_order",
    "joined",
    "load_study",
    "many_cases",
    "one_case",
    "question_lines",
    "register",
    "row_number",
    "some_rows",
    "trace",
    "without_words",
]

Question: TypeAlias = Callable[[Study], Finding]


@dataclass(frozen=True)
class Analysis:
    """A question, and the function that answers it.

    Attributes:
        name: kebab-case.
        title: heading in a report.
        order: where it stands in a report; equal ones by name.
        source: paper and place that the definition is from, or what it adds to the papers.
        function: answers it.
    """

    name: str
    title: str
    order: int
    source: str
    function: Question


analyses: Registry[Analysis] = Registry("analysis", __name__)


def register(name: str, *, title: str, order: int, source: str) -> Callable[[Question], Question]:
    """Decorate a function to register it as an analysis; see `Analysis` for the arguments."""

    def add(function: Question) -> Question:
        analyses.register(Analysis(name, title, order, source, function))
        return function

    return add


def in_order() -> list[Analysis]:
    """All analyses as a report has them."""
    return sorted(analyses, key=lambda one: (one.order, one.name))
