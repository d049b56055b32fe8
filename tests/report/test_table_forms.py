"""A table as CSV, Markdown and LaTeX: texts stay texts, numbers stay numbers."""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import needed
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.analysis import Column, Estimate, ResultTable, Score
from mcrc_adversarial.report.csv_files import read_csv, write_csv
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


def test_mark_of_a_score_is_in_every_form(tmp_path: Path) -> None:
    score = Score(Estimate(0.5, 0.4, 0.6), Estimate(-20.0, -30.0, -10.0), "\N{DAGGER}")
    table = ResultTable("t", "t", (Column("race", "race", "fraction"),), ((score,), (None,)))
    write_csv(tmp_path / "t.csv", table)

    assert [row["race_mark"] for row in read_csv(tmp_path / "t.csv")] == ["\N{DAGGER}", ""]
    assert "\\textdagger{}" in latex_table(table)
    assert "50.0 (-20.0) \N{DAGGER}" in "".join(markdown_table(table))
