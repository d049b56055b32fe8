"""Files of a report: what they hold, and that texts stay texts."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import needed
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_folders import make_run

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Point,
    ResultTable,
    Score,
    Series,
    load_study,
)
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.report import write_report
from mcrc_adversarial.report.csv_files import read_csv, write_csv
from mcrc_adversarial.report.figures import draw
from mcrc_adversarial.report.latex import escaped as latex_escaped
from mcrc_adversarial.report.latex import latex_table
from mcrc_adversarial.report.markdown import escaped as markdown_escaped
from mcrc_adversarial.report.markdown import markdown_table
from mcrc_adversarial.spreadsheets import harmless, restored

NASTY = "<script>alert(1)</script> </textarea> $\\LaTeX$ | a\nb *c* [d](e) 100 % & #1 ~^_{}\\ 中"


def one_table(*texts: str) -> ResultTable:
    return ResultTable(
        "t",
        NASTY,
        (Column("text", "a text"), Column("value", "a value, %", "fraction")),
        tuple((text, Estimate(0.5, 0.25, 0.75)) for text in texts),
        (NASTY,),
    )


@given(st.text())
def test_csv_cell_is_harmless_and_restored(text: str) -> None:
    cell = harmless(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert restored(cell) == text


@pytest.mark.parametrize("text", ["=1+1", "+a", "-b", "@c", "'=d", NASTY, "", "plain"])
def test_csv_file_gives_texts_back(tmp_path: Path, text: str) -> None:
    write_csv(tmp_path / "t.csv", one_table(text))

    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        (raw,) = csv.DictReader(file)
    assert not raw["text"].startswith(("=", "+", "-", "@"))
    (row,) = read_csv(tmp_path / "t.csv")
    assert row == {"text": text, "value": "0.5", "value_ci_low": "0.25", "value_ci_high": "0.75"}


def test_csv_keeps_negative_numbers_and_parts_scores(tmp_path: Path) -> None:
    table = ResultTable(
        "t",
        "t",
        (Column("race", "race", "fraction"), Column("x", "x", "number")),
        (
            (Score(Estimate(0.5, 0.4, 0.6), Estimate(-20.0, -30.0, -10.0)), -1.5),
            (Score(None, Estimate(-7.0)), None),
        ),
    )
    write_csv(tmp_path / "t.csv", table)

    rows = read_csv(tmp_path / "t.csv")

    assert rows[0]["race_accuracy_ci_low"] == "0.4"
    assert rows[0]["race_change"] == "-20.0"
    assert rows[0]["x"] == "-1.5"
    assert rows[1] == {**dict.fromkeys(rows[0], ""), "race_change": "-7.0"}


def test_markdown_shows_text_as_text() -> None:
    title, table, notes = markdown_table(one_table(NASTY))

    lines = table.split("\n")
    assert len(lines) == 3
    assert lines[2].startswith("| \\<script\\>alert(1)")
    assert "\\|" in lines[2]
    assert "<script>" not in "".join((title, table, notes)).replace("\\<", "")
    assert "50.0 \\[25.0, 75.0\\]" in lines[2]


def test_markdown_has_no_formula() -> None:
    assert "$" not in markdown_escaped("$x$").replace("\\$", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("- a", "\\- a"), ("# b", "\\# b"), ("1. c", "1\\. c"), ("a - b (1)", "a - b (1)")],
)
def test_markdown_has_no_list_and_no_heading(text: str, shown: str) -> None:
    assert markdown_escaped(text) == shown


def test_latex_has_no_command_of_a_text() -> None:
    found = latex_escaped(NASTY)
    assert "\\LaTeX" not in found
    assert "\\textbackslash{}LaTeX" in found
    assert "U+4E2D" in found
    assert "\n" not in found


def test_latex_numbers_have_minus_signs_and_texts_have_hyphens() -> None:
    columns = (Column("text", "a text"), Column("score", "s", "fraction"), Column("r", "r", "r"))
    change = Estimate(-61.25, -70.0, -50.0)
    rows = (
        ("-3 cats", Score(Estimate(0.5), change), Estimate(-0.5, -0.75, 0.25)),
        ("b", None, 1.0),
    )
    found = latex_table(ResultTable("t", "a title", columns, rows))
    assert "{-}3 cats & " in found
    assert r"\shortstack{50.0 ($-$61.2)\\{\scriptsize ($-$70.0 to $-$50.0)}}" in found
    assert "$-$0.75" in found
    assert "b & {-} & " in found


PREAMBLES = {"plain": "", "T1": "\\usepackage[T1]{fontenc}"}


def compiled(folder: Path, tables: Sequence[str], preamble: str = "") -> str:
    """What pdflatex says of a document with the tables."""
    packages = f"{preamble}\\usepackage{{booktabs}}\\usepackage{{graphicx}}"
    # More floats than TeX keeps wait for a page of their own.
    inputs = "\\clearpage".join(f"\\input{{{name}}}" for name in tables)
    (folder / "main.tex").write_text(
        f"\\documentclass{{article}}{packages}\\begin{{document}}{inputs}\\end{{document}}",
        encoding="utf-8",
    )
    done = subprocess.run(
        [needed.program("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "main.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


LATIN = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x100)))
TYPOGRAPHIC = "\u2018a\u2019 \u201cb\u201d c\u2013d\u2014e\u2026 \u2020\u2022 \u20ac"


@pytest.mark.parametrize("preamble", PREAMBLES.values(), ids=list(PREAMBLES))
def test_latex_compiles(tmp_path: Path, preamble: str) -> None:
    table = one_table(NASTY, "plain", LATIN, *LATIN, TYPOGRAPHIC)
    (tmp_path / "t.tex").write_text(latex_table(table), encoding="utf-8")
    assert "Missing character" not in compiled(tmp_path, ["t"], preamble)


@pytest.mark.parametrize("text", [LATIN.replace("\N{SOFT HYPHEN}", ""), TYPOGRAPHIC])
def test_latex_prints_the_letters_of_western_languages(text: str) -> None:
    assert "U+" not in latex_escaped(text)


def test_every_table_of_a_report_compiles(report: Path, tmp_path: Path) -> None:
    tables = sorted((report / "tables").glob("*.tex"))
    for table in tables:
        shutil.copy(table, tmp_path)
    compiled(tmp_path, [table.stem for table in tables])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    configs = ["sample", "sample-addsent2opt-shuffle", "sample-p-remove"]
    run = make_run(folder / "run", configs, model="<b>|m$")
    write_report(load_study([str(run)]), folder / "out")
    return folder / "out"


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


def test_mark_of_a_score_is_in_every_form(tmp_path: Path) -> None:
    score = Score(Estimate(0.5, 0.4, 0.6), Estimate(-20.0, -30.0, -10.0), "\N{DAGGER}")
    table = ResultTable("t", "t", (Column("race", "race", "fraction"),), ((score,), (None,)))
    write_csv(tmp_path / "t.csv", table)

    assert [row["race_mark"] for row in read_csv(tmp_path / "t.csv")] == ["\N{DAGGER}", ""]
    assert "\\textdagger{}" in latex_table(table)
    assert "50.0 (-20.0) \N{DAGGER}" in "".join(markdown_table(table))
