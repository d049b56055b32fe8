"""Figures say what they show: in full, and in letters that can be read."""

from __future__ import annotations

from pathlib import Path

import needed
import pytest

from mcrc_adversarial.analysis import Analysis, Chart, Finding, Point, Series

needed.package("matplotlib", "extra report")
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import Wedge  # noqa: E402

from mcrc_adversarial.report import Head, figures, write_sections  # noqa: E402
from mcrc_adversarial.report.figures import draw  # noqa: E402
from mcrc_adversarial.report.fonts import fonts_for  # noqa: E402
from mcrc_adversarial.report.sunburst import sunbursts  # noqa: E402

# Matplotlib brings STIXGeneral along; its own font lacks this letter, and both lack a Chinese one.
RARE, CHINESE = "\u1d81", "\u5c0f"
SENTENCE = "In the PNG, boxes stand for letters that no font"


def bars(*labels: str) -> Chart:
    points = tuple(Point(n, float(n), n=n, label=label) for n, label in enumerate(labels))
    return Chart("c", "t", "bars", "x", "y", (Series("all", points),), {}, {}, ("A note.",))


def test_default_font_stays_where_it_has_all_letters() -> None:
    assert fonts_for(["Häuser, 5 %\n\u200d"]) == (["sans-serif"], "")


def test_letters_are_looked_for_in_other_fonts_that_are_there() -> None:
    others = ["No such font", "cmr10", "STIXGeneral"]

    assert fonts_for([f"a {RARE}"], others) == (["sans-serif", "STIXGeneral"], "")
    assert fonts_for([CHINESE, RARE], others) == (["sans-serif", "STIXGeneral"], CHINESE)


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "fonts_for", lambda texts: fonts_for(texts, ()))


@pytest.mark.usefixtures("without_fonts")
def test_figure_says_that_letters_are_boxes(tmp_path: Path) -> None:
    plain, drawn = draw(bars("race")), draw(bars(f"{CHINESE}{RARE}"))
    told: list[str] = []
    finding = Finding(charts=(bars(CHINESE),))
    section = Analysis("a", "A", 0, "here", lambda _: finding)

    write_sections([(section, finding)], Head("t", "o", ()), tmp_path / "out", say=told.append)

    assert (plain.boxes, drawn.boxes) == ("", f"{RARE}{CHINESE}")
    assert SENTENCE not in plain.svg
    assert SENTENCE in drawn.svg
    assert SENTENCE not in drawn.for_page
    assert f"letters that no font here has ({CHINESE}); install one" in told[-1]


def test_figure_takes_the_font_that_has_the_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "fonts_for", lambda texts: fonts_for(texts, ["STIXGeneral"]))

    drawn = draw(bars(RARE))

    assert "STIXGeneral" in drawn.svg
    assert drawn.boxes == ""
    assert drawn.png != draw(bars("\u1d82")).png


def test_long_label_keeps_what_stands_in_brackets() -> None:
    svg = draw(bars("x" * 300 + " (n 12, 7)", "y" * 60)).svg

    assert "x… (n 12, 7)" in svg
    assert "x" * 44 not in svg
    assert "y" * 43 + "…" in svg


def test_first_words_have_looks_of_their_own() -> None:
    words = [f"w{n}" for n in range(20)]
    points = tuple(Point(n, 20.0 - n, label=f"{word} b") for n, word in enumerate(words))
    chart = Chart("c", "t", "sunburst", "x", "y", (Series("all", points),), {}, {})
    figure = Figure()

    sunbursts(figure, chart, ("red", "green", "blue"), "black")

    inner = [one for one in figure.axes[0].patches if isinstance(one, Wedge)][:12]
    looks = [(one.get_facecolor(), one.get_hatch()) for one in inner]
    assert len(set(looks)) == 12
    assert draw(chart).svg.count("<pattern") > 0
