"""What an analysis gives: tables of values and charts of points, not yet shown in any way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from mcrc_adversarial.analysis._gaps import Missing, lines
from mcrc_adversarial.scoring import Interval

# How a value is to be read: `fraction` from 0 to 1, `percent` and `points` as they are, `r` from
# -1 to 1, `p` a p-value, `number` any other.
Unit = Literal["text", "count", "fraction", "percent", "points", "r", "p", "number"]


class Estimate(NamedTuple):
    """A value with the ends of its interval; None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None


class Score(NamedTuple):
    """An accuracy (fraction), and how far it lies from the clean one (percent of that).

    A mean of changes has no accuracy. A mark, where there is one, is explained below the table.
    """

    accuracy: Estimate | None
    change: Estimate | None = None
    mark: str = ""


Value: TypeAlias = str | int | float | Estimate | Score | None


def estimate(value: float | None, interval: Interval | None = None) -> Estimate | None:
    """A value with its interval; None for no value."""
    if value is None:
        return None
    return Estimate(value) if interval is None else Estimate(value, *interval)


def change_of(drop: float | None, interval: Interval | None = None) -> Estimate | None:
    """Paper A's relative change, the percentage performance drop with the other sign."""
    if drop is None:
        return None
    # Adding 0 makes 0 of a negative 0.
    ends = () if interval is None else (-interval.high + 0.0, -interval.low + 0.0)
    return Estimate(-drop + 0.0, *ends)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: for files, snake_case or a config's name.
        heading: for people, with the unit where it has one.
        unit: of its values.
    """

    name: str
    heading: str
    unit: Unit = "text"


@dataclass(frozen=True)
class ResultTable:
    """A table of values.

    Attributes:
        name: kebab-case, unique in a report: the name of its files.
        title: one line.
        columns: of the rows.
        rows: each with one value a column.
        notes: the conditions that the numbers hold under, a sentence each.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()


class Point(NamedTuple):
    """A point of a chart; `low` and `high` are the interval of `y`, `n` the rows behind it."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    label: str = ""


@dataclass(frozen=True)
class Series:
    """Points of one kind.

    Attributes:
        name: for the legend.
        points: by rising x.
        is_printed: whether these are a paper's printed numbers, not ours.
    """

    name: str
    points: tuple[Point, ...]
    is_printed: bool = False


@dataclass(frozen=True)
class Chart:
    """One panel.

    Attributes:
        name: kebab-case, unique in a report: the name of its files.
        title: one line.
        kind: `points` with intervals over a numeric x; `lines` the same, joined; `bars` one a
            category, whose names are the labels of the points; `sunburst` a ring of rings a series,
            each point a path (words of its label between spaces) with its count as y.
        x_label: with the unit.
        y_label: with the unit.
        series: at least one with a point.
        reference: name -> height of a line across.
        ticks: x -> text below it, where the numbers alone would not tell (bin edges).
        notes: stated in the figure.
        frame: ends of the y axis, where an interval would else make all others unreadable.
    """

    name: str
    title: str
    kind: Literal["points", "lines", "bars", "sunburst"]
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    reference: Mapping[str, float]
    ticks: Mapping[float, str]
    notes: tuple[str, ...] = ()
    frame: tuple[float, float] | None = None


# How far beyond the outermost points an interval is drawn, as a part of these points' spread.
_REACH = 1.0
_LEAST_SPREAD = 20.0


def frame_of(
    series: Iterable[Series], least_spread: float = _LEAST_SPREAD
) -> tuple[float, float] | None:
    """A frame that holds all points, and their intervals up to a reach; None if all fit."""
    points = [point for one in series for point in one.points]
    if not points:
        return None
    values = [*(point.y for point in points), 0.0]
    reach = _REACH * max(max(values) - min(values), least_spread)
    low, high = min(values) - reach, max(values) + reach
    lows = [point.y if point.low is None else point.low for point in points]
    highs = [point.y if point.high is None else point.high for point in points]
    if min(lows) >= low and max(highs) <= high:
        return None
    margin = 0.05 * (high - low)
    return max(low, min(lows) - margin), min(high, max(highs) + margin)


@dataclass(frozen=True)
class Finding:
    """What one analysis found.

    Attributes:
        tables: may be none.
        charts: may be none.
        missing: what could not be computed, and why.
    """

    tables: tuple[ResultTable, ...] = ()
    charts: tuple[Chart, ...] = ()
    missing: tuple[Missing, ...] = ()

    @property
    def missing_lines(self) -> list[str]:
        """What is missing, in sentences, the gravest first."""
        return lines(self.missing)


def joined(findings: Iterable[Finding]) -> Finding:
    """Several findings as one."""
    parts = list(findings)
    return Finding(
        tuple(table for part in parts for table in part.tables),
        tuple(chart for part in parts for chart in part.charts),
        tuple(dict.fromkeys(line for part in parts for line in part.missing)),
    )
