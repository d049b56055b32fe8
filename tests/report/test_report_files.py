"""Files of a report: what they hold, and that texts stay texts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mcrc_adversarial.analysis import Chart, Point, Series, load_study
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.report import write_report
from mcrc_adversarial.report.figures import draw


def test_report_has_every_kind_of_file(report: Path) -> None:
    text = (report / "report.md").read_text(encoding="utf-8")
    for table in (report / "tables").glob("*.csv"):
        assert table.with_suffix(".tex").is_file()
    figures = sorted((report / "figures").glob("*.svg"))
    assert figures
    for figure in figures:
        assert figure.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert f"figures/{figure.name}" in text
    assert "# Does it read? \\<b\\>|m\\$" in text


def test_numbers_are_not_given_the_source_of_their_question(report: Path) -> None:
    for name in ("report.md", "report.html"):
        text = (report / name).read_text(encoding="utf-8")
        assert "Where the question is from: Paper A (Si et al. 2019), table 2." in text
        assert "Source: Paper A" not in text


def test_svg_holds_the_name_as_text(report: Path) -> None:
    for figure in (report / "figures").glob("*.svg"):
        assert "<b>" not in figure.read_text(encoding="utf-8")


def words_of(svg: Path) -> str:
    return " ".join(re.findall(r">([^<>]+)</text>", svg.read_text(encoding="utf-8")))


def test_figures_state_their_bins_and_notes(report: Path) -> None:
    figures = {path.stem: words_of(path) for path in (report / "figures").glob("*.svg")}
    (length,) = (text for name, text in figures.items() if name.startswith("distractor-length"))
    (degree,) = (text for name, text in figures.items() if name.startswith("shuffle-degree"))
    assert "[175, 225) (n " in length
    assert "[a, b) holds a and not b." in length
    assert "(0.650, 0.675] (n " in degree
    assert "(a, b] holds b and not a." in degree
    assert "largest ShuffleDegree among" in degree
    for text in figures.values():
        assert "95 % intervals, clustered by" in text


def test_points_that_may_lie_on_one_another_are_told_apart() -> None:
    series = tuple(Series(name, (Point(1, 1.0, label=f"at {name}"),)) for name in ("b", "c"))
    made = draw(Chart("c", "t", "points", "x", "y", series, {}, {}))
    assert re.findall(r">(at [bc])</text>", made.svg) == ["at b", "at c"]
    assert re.findall(r">(at [bc])</text>", made.for_page) == ["at b", "at c"]


def test_figure_shows_every_note_and_the_page_s_has_none() -> None:
    note = "a note with the words of its own " * 9
    series = Series("s", (Point(0, 1.0, 0.0, 2.0), Point(1, 2.0)))
    chart = Chart("c", "the title", "points", "x", "y", (series,), {}, {}, (note, "and <b> more"))

    made = draw(chart)

    shown = " ".join(re.findall(r">([^<>]+)</text>", made.svg))
    assert " ".join(note.split()) in shown
    assert "and &lt;b&gt; more" in shown
    assert "the title" in shown
    assert "note" not in made.for_page
    assert "the title" not in made.for_page


def test_report_of_the_same_runs_is_the_same(report: Path, tmp_path: Path) -> None:
    run = report.parent / "run"
    write_report(load_study([str(run)]), tmp_path / "again")
    first = {path.relative_to(report): path for path in report.rglob("*") if path.is_file()}
    for name, path in first.items():
        assert (tmp_path / "again" / name).read_bytes() == path.read_bytes(), name


def test_report_replaces_a_report_and_nothing_else(report: Path, tmp_path: Path) -> None:
    study = load_study([str(report.parent / "run")])
    out = shutil.copytree(report, tmp_path / "out")
    whole = {path.relative_to(out) for path in out.rglob("*")}
    (out / "report.md").write_text("an older one", encoding="utf-8")

    write_report(study, out)

    assert {path.relative_to(out) for path in out.rglob("*")} == whole
    assert (out / "report.md").read_text(encoding="utf-8") != "an older one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    for name in ("mine.txt", "tables/mine.tex", "figures/mine.pdf"):
        (out / name).write_text("mine", encoding="utf-8")
        with pytest.raises(OutputError, match=rf"holds '{name}', which no report wrote"):
            write_report(study, out)
        (out / name).unlink()


def test_report_leaves_folders_of_figures_that_are_not_its_own(
    report: Path, tmp_path: Path
) -> None:
    paper = tmp_path / "paper"
    (paper / "figures").mkdir(parents=True)
    (paper / "figures" / "mine.pdf").write_text("mine", encoding="utf-8")

    with pytest.raises(OutputError, match=r"holds 'figures/mine.pdf'"):
        write_report(load_study([str(report.parent / "run")]), paper)

    assert (paper / "figures" / "mine.pdf").read_text(encoding="utf-8") == "mine"


def test_report_does_not_take_the_place_of_the_current_folder(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load_study([str(report.parent / "run")])
    monkeypatch.chdir(tmp_path)
    for output in (".", "", str(tmp_path)):
        with pytest.raises(OutputError, match="is the current folder"):
            write_report(study, Path(output))


def test_matplotlib_is_loaded_by_reports_alone() -> None:
    code = (
        "import sys, mcrc_adversarial, mcrc_adversarial.analysis as a;"
        "from mcrc_adversarial.cli import import_commands; import_commands(); a.in_order();"
        "print([m for m in ('matplotlib', 'jinja2', 'torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
