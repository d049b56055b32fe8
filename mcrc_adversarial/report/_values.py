"""How a value looks to a person: the same in Markdown, LaTeX and HTML, before escaping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcrc_adversarial.analysis import Column, Estimate, Score, Unit, Value

NOTHING = "-"
_DECIMALS: dict[Unit, int] = {
    "fraction": 1,
    "percent": 1,
    "points": 1,
    "r": 3,
    "number": 2,
}


@dataclass(frozen=True)
class Head:
    """What a report says about itself, as plain text.

    Attributes:
        title: one line.
        opening: a paragraph below it.
        licences: a paragraph each.
        details: what the report is about, a paragraph each.
    """

    title: str
    opening: str
    licences: Sequence[str]
    details: Sequence[str] = ()


@dataclass(frozen=True)
class Shown:
    """A value as text.

    Attributes:
        main: the value itself.
        intervals: its interval, or those of both numbers of a score.
    """

    main: str
    intervals: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.main, *self.intervals))


def shown(value: Value, unit: Unit) -> Shown:
    """A value in its unit; fractions in percent, nothing as a dash."""
    if value is None:
        return Shown(NOTHING)
    if isinstance(value, Score):
        return _score(value)
    if isinstance(value, Estimate):
        return Shown(_number(value.value, unit), _ends(value, unit))
    if isinstance(value, str):
        return Shown(value)
    return Shown(_number(value, unit))


def is_number(column: Column) -> bool:
    """Whether a column is set to the right."""
    return column.unit != "text"


def _score(score: Score) -> Shown:
    accuracy, change, mark = score
    if change is None:
        plain = Shown(NOTHING) if accuracy is None else shown(accuracy, "fraction")
        return _marked(plain, mark)
    shown_change = f"({change.value + 0.0:+.1f})"
    ends: tuple[str, ...] = ()
    if change.low is not None and change.high is not None:
        ends = (f"({change.low:+.1f} to {change.high:+.1f})",)
    if accuracy is None:
        return _marked(Shown(shown_change, ends), mark)
    main = _number(accuracy.value, "fraction")
    whole = Shown(f"{main} {shown_change}", (*_ends(accuracy, "fraction"), *ends))
    return _marked(whole, mark)


def _marked(value: Shown, mark: str) -> Shown:
    return replace(value, main=f"{value.main}\N{NO-BREAK SPACE}{mark}") if mark else value


def _ends(value: Estimate, unit: Unit) -> tuple[str, ...]:
    if value.low is None or value.high is None:
        return ()
    return (f"[{_number(value.low, unit)}, {_number(value.high, unit)}]",)


def _number(value: float, unit: Unit) -> str:
    if unit == "p":
        return f"{value:.2g}"
    if unit == "count" or isinstance(value, int):
        return f"{value:.0f}"
    decimals = _DECIMALS[unit]
    if unit == "number" and value == int(value):
        decimals = 0
    scaled = 100 * value if unit == "fraction" else value
    # Adding 0 makes 0 of a negative 0.
    return f"{round(scaled, decimals) + 0.0:.{decimals}f}"
