"""Fonts for the letters of a figure that matplotlib's own font lacks.

Only a PNG needs them: an SVG is shown in the fonts of its viewer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

# As Linux, macOS and Windows have them; mostly for Chinese, Japanese and Korean.
OTHERS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK TC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Noto Sans SC",
    "Noto Sans TC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Microsoft YaHei",
    "Yu Gothic",
    "MS Gothic",
    "SimHei",
    "Malgun Gothic",
    "Noto Sans",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Segoe UI Symbol",
    "Unifont",
)


class Fonts(NamedTuple):
    """Families in the order in which a letter is looked for, and the letters that none has."""

    families: list[str]
    missing: str


def fonts_for(texts: Iterable[str], others: Iterable[str] = OTHERS) -> Fonts:
    """The default font, and of `others` those that have what it lacks, where they are installed."""
    families = list(rcParams["font.family"])
    own = _letters(findfont(FontProperties(family=families)))
    missing = {one for text in texts for one in text if _is_drawn(one)} - own
    for name in others:
        if missing and missing & (found := _of_family(name)):
            families.append(name)
            missing -= found
    return Fonts(families, "".join(sorted(missing)))


def _is_drawn(letter: str) -> bool:
    """Spaces and control characters need no picture."""
    return unicodedata.category(letter)[0] not in "CZ"


@cache
def _of_family(name: str) -> frozenset[str]:
    # To look for a font that is not there warns, and takes another.
    if all(one.name != name for one in fontManager.ttflist):
        return frozenset()
    return _letters(findfont(name))


@cache
def _letters(path: str) -> frozenset[str]:
    return frozenset(map(chr, get_font(path).get_charmap()))
