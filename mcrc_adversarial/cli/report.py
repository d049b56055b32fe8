"""`mcrc-adversarial report`: tables, figures and a page from run folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from mcrc_adversarial.analysis import FEWER, PAPERS, Finding, joined, load_study
from mcrc_adversarial.cli._app import app, paragraphs, print_table, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import DataDir

_HELP = paragraphs("""
Write a report from run folders: tables, figures, and a page with examples.

A RUN is a folder that train.py wrote; NAME=FOLDER calls its model NAME. Runs of one model with
several seeds, corpora or kinds of training stand in the same tables. No model is run. The rows are
made again from the corpora's raw files and checked against the run; without these files the report
is smaller, and says so.

--output gets report.md, report.html (one file, no network), tables (CSV, LaTeX) and figures (SVG,
PNG).

[bold]Examples[/bold]

$ mcrc-adversarial report runs/race --output reports/race

$ mcrc-adversarial report runs/seed-1 runs/seed-2 --output reports/race --compare paper-a
""")


# Of what is missing; the report has all.
_MOST_LINES = 8


@app.command("report", help=_HELP)
def report(
    runs: Annotated[list[str], typer.Argument(help="Run folders, or NAME=FOLDER.")],
    output: Annotated[Path, typer.Option(help="Folder of the report; an earlier one is replaced.")],
    compare: Annotated[
        list[str] | None,
        typer.Option(help=f"Printed figures to set beside ours: {', '.join(PAPERS)}."),
    ] = None,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Leave out passages, questions and options.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Write a folder, print the first table."""
    need("report", "matplotlib", "jinja2")
    # Only here: it loads matplotlib.
    from mcrc_adversarial.report import write_report

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading")

        def say(line: str) -> None:
            progress.update(task, description=line)

        study = load_study(runs, data_dir=data_dir, papers=compare or [], say=say)
        findings = write_report(study, output, with_texts=not no_text, say=say)
    _show([finding for _, finding in findings])
    screen().print(f"{output / 'report.html'}")


def _show(findings: Sequence[Finding]) -> None:
    """Print the first table, and say what is missing."""
    from mcrc_adversarial.report.terminal import terminal_table

    for table in (table for finding in findings[:1] for table in finding.tables[:1]):
        print_table(terminal_table(table), table.title)
        for note in table.notes:
            # What a mark in the table stands for; the report has the other notes.
            if note.startswith(FEWER):
                screen().print(note)
    lines = joined(findings).missing_lines
    for line in lines[:_MOST_LINES]:
        screen(stderr=True).print(f"missing: {line}")
    if len(lines) > _MOST_LINES:
        screen(stderr=True).print(f"missing: {len(lines) - _MOST_LINES} more in report.md")
