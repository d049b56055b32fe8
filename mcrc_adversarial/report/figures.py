"""Charts drawn with matplotlib, which nothing else imports.

Every colour stands for a role, so that the page can give it another one for dark screens: see
`themed`.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from textwrap import fill, wrap
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase

from mcrc_adversarial.analysis import Chart, Series
from mcrc_adversarial.report.fonts import fonts_for
from mcrc_adversarial.report.sunburst import sunbursts

_INK, _MUTED, _RULE = "#1c1d1f", "#5c6066", "#d5d8dc"
# After Okabe and Ito, told apart with any colour vision, and dark enough to be read on white;
# markers differ as well.
_COLOURS = ("#0072b2", "#b84c00", "#007a5a", "#aa4499", "#7a6a00", "#56606b", "#882255")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
ROLES: Mapping[str, str] = {
    _INK: "ink",
    _MUTED: "muted",
    _RULE: "rule",
    **{colour: f"series-{number}" for number, colour in enumerate(_COLOURS)},
}
_STYLE: Any = {
    "axes.edgecolor": _RULE,
    "axes.labelcolor": _INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.titlesize": 10,
    "font.size": 9,
    "grid.color": _RULE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "none",
    # Equal charts are equal files.
    "svg.hashsalt": "mcrc-adversarial",
    "text.color": _INK,
    # A text is a text, whatever signs of formulas it holds.
    "text.parse_math": False,
    "xtick.color": _MUTED,
    "xtick.labelsize": 8,
    "ytick.color": _MUTED,
    "ytick.labelsize": 8,
}
# Inches. On the page, narrow enough for a telephone: what is drawn wider shrinks there, and its
# letters with it.
_WIDTH, _PAGE_WIDTH, _HEIGHT, _ROW, _TICK = 5.0, 4.0, 3.8, 0.24, 0.16
# Letters to an inch of width.
_LEGEND, _TITLE, _BESIDE_LABELS, _NOTE = 15, 12.4, 9.2, 19
# Of a sunburst: its height to its width.
_SUNBURST = 0.94
# Of a note: its size in points, inches of a line.
_NOTE_SIZE, _NOTE_LINE = 7, 0.125
_BOXES = "In the PNG, boxes stand for letters that no font had where it was drawn; the SVG has all."
# Of a mark: its size in points, what is added for each series drawn over it.
_MARK, _LARGER = 4.5, 0.7


_IN_BRACKETS = re.compile(r" \([^()]*\)$")


class Drawn(NamedTuple):
    """A chart: as SVG and PNG with its title and notes, and as SVG for a page that has them.

    In the PNG, letters that no font here has, `boxes`, are boxes, as a note in both files says.
    """

    svg: str
    png: bytes
    for_page: str
    boxes: str = ""


def draw(chart: Chart) -> Drawn:
    """Draw a chart."""
    fonts = fonts_for(_texts(chart))
    if fonts.missing:
        chart = replace(chart, notes=(*chart.notes, _BOXES))
    style = {**_STYLE, "font.family": fonts.families}
    with mpl.rc_context(style), warnings.catch_warnings():
        # In the SVG it is the viewer's font that counts; a PNG shows a box.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        whole = _whole(chart)
        png = io.BytesIO()
        # mypy has no stubs for the metadata of single formats.
        nameless: Any = {"Software": None}
        whole.savefig(png, format="png", dpi=200, metadata=nameless, facecolor="w")
        return Drawn(_svg(whole), png.getvalue(), _svg(_part(chart, _PAGE_WIDTH)), fonts.missing)


def _texts(chart: Chart) -> Iterator[str]:
    """Everything that a figure says."""
    yield from (chart.title, chart.x_label, chart.y_label, *chart.notes)
    yield from (*chart.reference, *chart.ticks.values())
    for series in chart.series:
        yield series.name
        yield from (point.label for point in series.points)


def _svg(figure: Figure) -> str:
    nameless: Any = {"Date": None, "Creator": None}
    svg = io.StringIO()
    figure.savefig(svg, format="svg", metadata=nameless, transparent=True)
    return svg.getvalue()


def _whole(chart: Chart) -> Figure:
    """A figure with title and notes: taken out of the report, it still has them."""
    width = _width(chart, _WIDTH)
    height = _height(chart, width)
    lines = [line for note in chart.notes for line in wrap(note, int(_NOTE * width))]
    below = _NOTE_LINE * (len(lines) + 0.5)
    figure = Figure(figsize=(width, height + below), layout="constrained")
    parts = figure.subfigures(2, 1, squeeze=False, height_ratios=(height, below), hspace=0)
    panel, notes = parts[0, 0], parts[1, 0]
    _fill(panel, chart, width)
    # Over the whole figure: beside long labels, the axes have no room for a title.
    panel.suptitle(
        fill(chart.title, int(_TITLE * width), break_on_hyphens=False),
        x=0.01,
        ha="left",
        color=_INK,
    )
    notes.text(0.01, 1, "\n".join(lines), va="top", fontsize=_NOTE_SIZE, color=_MUTED)
    return figure


def _part(chart: Chart, least: float) -> Figure:
    """A figure without title and notes."""
    width = _width(chart, least)
    figure = Figure(figsize=(width, _height(chart, width) - 0.2), layout="constrained")
    _fill(figure, chart, width)
    return figure


def _fill(panel: FigureBase, chart: Chart, width: float) -> None:
    if chart.kind == "sunburst":
        sunbursts(panel, chart, _COLOURS, _INK)
        return
    axes = panel.add_subplot()
    if chart.kind == "bars":
        _bars(axes, chart, width)
    else:
        _curves(axes, chart, width)
    handles, labels = axes.get_legend_handles_labels()
    columns = max(1, min(4, int(_LEGEND * width) // (max(map(len, labels)) + 6)))
    panel.legend(handles, labels, loc="outside lower left", ncols=columns)


def themed(svg: str) -> str:
    """An SVG for a page that sets the colours: `#1c1d1f` becomes `var(--ink, #1c1d1f)`."""
    found = svg[svg.index("<svg") :]
    for colour, role in ROLES.items():
        found = found.replace(colour, f"var(--{role}, {colour})")
    return found


def _width(chart: Chart, least: float) -> float:
    """More ticks than fit side by side widen the chart."""
    return max(least, 1.0 + _TICK * len(chart.ticks))


def _height(chart: Chart, width: float) -> float:
    if chart.kind == "sunburst":
        return 0.6 + _SUNBURST * width * len(chart.series)
    if chart.kind == "bars":
        row = _ROW * (1 + len(chart.series)) / 2
        return 1.3 + row * max((len(one.points) for one in chart.series), default=1)
    return _HEIGHT + (0.9 if chart.ticks else 0.0)


def _bars(axes: Axes, chart: Chart, width: float) -> None:
    """One line a category, the value a point on it: bars from 0 would hide the intervals."""
    for number, series in enumerate(chart.series):
        shift = 0.22 * (number - (len(chart.series) - 1) / 2)
        _marks(axes, series, number, is_upright=False, shift=shift)
    labels = {point.x: point.label for series in chart.series for point in series.points}
    axes.set_yticks(list(labels), [_short(label, 44) for label in labels.values()])
    axes.set_ylim(max(labels, default=0) + 0.6, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(fill(chart.y_label, int(_BESIDE_LABELS * width)))
    # Upright beside the categories, however few these are.
    axes.set_ylabel(fill(chart.x_label, max(8, int(_TITLE * (_height(chart, width) - 1)))))
    if chart.frame is not None:
        axes.set_xlim(*chart.frame)
    for name, height in chart.reference.items():
        axes.axvline(height, color=_MUTED, linewidth=1, linestyle=_dash(name), label=name)


def _curves(axes: Axes, chart: Chart, width: float) -> None:
    for number, series in enumerate(chart.series):
        shift = 0.0
        if chart.kind == "points" and chart.ticks:
            shift = _step(chart) * 0.12 * (number - (len(chart.series) - 1) / 2)
        # Where points can lie on one another, those below are larger.
        below = 0 if chart.ticks else len(chart.series) - 1 - number
        _marks(axes, series, number, is_upright=True, shift=shift, size=_MARK + _LARGER * below)
        _labels(axes, series, number)
        if chart.kind == "lines":
            xs, ys = zip(*((point.x, point.y) for point in series.points), strict=True)
            axes.plot(xs, ys, color=_COLOURS[number % len(_COLOURS)], linewidth=1.4)
    if chart.ticks:
        axes.set_xticks(list(chart.ticks), [_short(text, 26) for text in chart.ticks.values()])
        axes.tick_params(axis="x", rotation=90)
    for name, height in chart.reference.items():
        axes.axhline(height, color=_MUTED, linewidth=1, linestyle=_dash(name), label=name)
    if chart.frame is not None:
        axes.set_ylim(*chart.frame)
    axes.set_xlabel(fill(chart.x_label, int(_TITLE * width)))
    axes.set_ylabel(chart.y_label)


def _labels(axes: Axes, series: Series, number: int) -> None:
    """What tells points of a series apart; of neighbouring series to either side."""
    for point in series.points:
        if point.label:
            axes.annotate(
                _short(point.label),
                (point.x, point.y),
                xytext=(5 if number % 2 else -5, 4),
                textcoords="offset points",
                ha="left" if number % 2 else "right",
                fontsize=_NOTE_SIZE,
                color=_COLOURS[number % len(_COLOURS)],
            )


def _marks(
    axes: Axes,
    series: Series,
    number: int,
    *,
    is_upright: bool,
    shift: float,
    size: float = _MARK,
) -> None:
    """Points with their intervals; a paper's printed ones are hollow and have none."""
    if not series.points:
        return
    colour = _COLOURS[number % len(_COLOURS)]
    positions = [point.x + shift for point in series.points]
    values = [point.y for point in series.points]
    reach = [
        [point.y - (point.y if point.low is None else point.low) for point in series.points],
        [(point.y if point.high is None else point.high) - point.y for point in series.points],
    ]
    has_intervals = any(point.low is not None for point in series.points)
    axes.errorbar(
        positions if is_upright else values,
        values if is_upright else positions,
        yerr=reach if is_upright and has_intervals else None,
        xerr=reach if not is_upright and has_intervals else None,
        fmt=_MARKERS[number % len(_MARKERS)],
        color=colour,
        markerfacecolor="none" if series.is_printed else colour,
        markersize=size,
        elinewidth=1.1,
        label=_short(series.name, 60),
    )


def _step(chart: Chart) -> float:
    places = sorted(chart.ticks)
    return min((b - a for a, b in pairwise(places)), default=1.0)


def _dash(name: str) -> str:
    return ":" if name == "random guess" else "--"


def _short(text: str, most: int = 34) -> str:
    """A text on one line, cut to a length; what stands in brackets at its end (n) stays."""
    one_line = " ".join(text.split())
    if len(one_line) <= most:
        return one_line
    match = _IN_BRACKETS.search(one_line)
    end = match.group() if match and len(match.group()) < most - 1 else ""
    return f"{one_line[: most - len(end) - 1]}…{end}"
