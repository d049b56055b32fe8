"""Sunbursts: rings of words, each wedge as wide as its count; one panel a series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import FigureBase
from matplotlib.patches import Wedge

from mcrc_adversarial.analysis import Chart, Series

_INNER, _RING = 0.28, 0.24
# Opacities of the rings, from the middle: one colour a first word, paler outwards.
_OPACITY = (0.75, 0.5, 0.3)
# Of the first words that colours are there for, of as many behind these, and so on.
_HATCHES = ("", "///", "...", "xxx")
_LEAST_DEGREES = 6.0
_MOST_LETTERS = 9


class _Wedge(NamedTuple):
    """A wedge: its word, ring from 0, ends in degrees, and the number of its first word."""

    word: str
    ring: int
    start: float
    end: float
    first: int


def sunbursts(figure: FigureBase, chart: Chart, colours: Sequence[str], ink: str) -> None:
    """Draw every series of a chart, one below the other, each first word in a look of its own."""
    firsts = _firsts(chart.series)
    grid = figure.subplots(len(chart.series), 1, squeeze=False)
    for axes, series in zip(grid[:, 0], chart.series, strict=True):
        _draw(axes, series, firsts, colours, ink)


def _firsts(series: Sequence[Series]) -> Mapping[str, int]:
    """Number of each first word: the most frequent over all series first."""
    counts: dict[str, float] = {}
    for one in series:
        for point in one.points:
            word = point.label.split(" ")[0]
            counts[word] = counts.get(word, 0.0) + point.y
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate(ordered)}


def _draw(
    axes: Axes, series: Series, firsts: Mapping[str, int], colours: Sequence[str], ink: str
) -> None:
    axes.set_aspect("equal")
    axes.set_axis_off()
    reach = _INNER + 3 * _RING + 0.02
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    total = sum(point.y for point in series.points)
    axes.text(0, 0, f"{series.name}\nn {total:.0f}", ha="center", va="center", color=ink)
    for wedge in wedges(series, firsts):
        # There are more question words than colours: those behind the last are hatched.
        turn, place = divmod(wedge.first, len(colours))
        colour, hatch = colours[place], _HATCHES[turn % len(_HATCHES)]
        radius = _INNER + (wedge.ring + 1) * _RING
        patch = Wedge((0, 0), radius, wedge.start, wedge.end, width=_RING)
        patch.set(facecolor=colour, alpha=_OPACITY[wedge.ring], edgecolor="white", linewidth=0.5)
        patch.set_hatch(hatch)
        axes.add_patch(patch)
        if wedge.end - wedge.start >= _LEAST_DEGREES:
            _label(axes, wedge, radius - _RING / 2, ink)


def wedges(series: Series, firsts: Mapping[str, int]) -> Iterator[_Wedge]:
    """All wedges of one series; paths that end early leave their outer rings free."""
    total = sum(point.y for point in series.points)
    paths = [(point.label.split(" "), point.y) for point in series.points]
    for ring in range(len(_OPACITY)):
        start = 90.0
        counts: dict[tuple[str, ...], float] = {}
        for path, count in _ordered(paths, firsts):
            key = tuple(path[: ring + 1]) if len(path) > ring else ("", *path)
            counts[key] = counts.get(key, 0.0) + count
        for key, count in counts.items():
            width = 360 * count / total
            if key[0]:
                yield _Wedge(key[-1], ring, start - width, start, firsts[key[0]])
            start -= width


def _ordered(
    paths: Sequence[tuple[list[str], float]], firsts: Mapping[str, int]
) -> list[tuple[list[str], float]]:
    """By first word, then by how many begin alike, so that each wedge lies over its own."""
    sums: dict[tuple[str, ...], float] = {}
    for path, count in paths:
        for length in range(1, len(path) + 1):
            key = tuple(path[:length])
            sums[key] = sums.get(key, 0.0) + count

    def key_of(item: tuple[list[str], float]) -> tuple[object, ...]:
        path = item[0]
        inner = [(-sums[tuple(path[: n + 1])], path[n]) for n in range(1, len(path))]
        return (firsts[path[0]], inner)

    return sorted(paths, key=key_of)


def _label(axes: Axes, wedge: _Wedge, radius: float, ink: str) -> None:
    """A word along the radius, upright for the reader."""
    middle = (wedge.start + wedge.end) / 2
    angle = np.deg2rad(middle)
    turned = middle % 360
    rotation = turned - 180 if 90 < turned < 270 else turned
    text = wedge.word if len(wedge.word) <= _MOST_LETTERS else f"{wedge.word[: _MOST_LETTERS - 1]}…"
    axes.text(
        radius * float(np.cos(angle)),
        radius * float(np.sin(angle)),
        text,
        ha="center",
        va="center",
        rotation=rotation,
        rotation_mode="anchor",
        fontsize=7,
        color=ink,
    )
