"""Reports: what analyses found, written down. Nothing here computes a number.

report.md              the whole report, for any viewer of Markdown
report.html            the same with a browser of examples, one file, without a network
tables/*.csv, *.tex    each table
figures/*.svg, *.png   each figure
.mcrc-report           the names of these files, so that a later report replaces them alone
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from mcrc_adversarial.analysis import Analysis, Finding, Study, in_order
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.notices import licence_lines, today
from mcrc_adversarial.report._values import Head
from mcrc_adversarial.report.csv_files import write_csv
from mcrc_adversarial.report.examples import Examples, pack
from mcrc_adversarial.report.figures import draw
from mcrc_adversarial.report.latex import latex_table
from mcrc_adversarial.report.markdown import markdown_finding, markdown_report
from mcrc_adversarial.report.page import html_page

__all__ = [
    "Head",
    "Say",
    "asked_on",
    "check_output",
    "licences",
    "opening",
    "title",
    "write_finding",
    "write_report",
    "write_sections",
]

# Called with what is being done.
Say: TypeAlias = Callable[[str], object]
_PAGE, _TEXT = "report.html", "report.md"
_FOLDERS = ("tables", "figures")
_MOST_SHOWN = 20
# Lists every file of a report, so that nobody else's is taken for one.
_MANIFEST = ".mcrc-report"


def write_report(
    study: Study,
    output: Path,
    *,
    with_texts: bool = True,
    say: Say = lambda _: None,
) -> list[tuple[Analysis, Finding]]:
    """Answer every question and write the report; it appears whole or not at all.

    Args:
        study: the runs.
        output: folder; new, empty, or holding an earlier report, which is replaced.
        with_texts: whether the page shows passages, questions and options.
        say: told what is being done.

    Raises:
        OutputError: the folder holds something else, or cannot be written.
        McrcError: as the analyses do.
    """
    check_output(output)
    findings = []
    for analysis in in_order():
        say(f"analysis: {analysis.name}")
        findings.append((analysis, analysis.function(study)))
    with _replacing(output) as folder:
        _write(folder, study, findings, with_texts, say)
    return findings


def write_sections(
    sections: Sequence[tuple[Analysis, Finding]],
    head: Head,
    output: Path,
    *,
    files: Mapping[str, str] | None = None,
    say: Say = lambda _: None,
) -> None:
    """Write findings that no study of runs stands behind, as `write_report` does.

    Args:
        sections: each with what it answers.
        head: of the report.
        output: folder; new, empty, or holding an earlier report, which is replaced.
        files: name -> text of further files.
        say: told what is being done.

    Raises:
        OutputError: the folder holds something else, or cannot be written.
    """
    check_output(output)
    with _replacing(output) as folder:
        drawn = _write_parts(folder, [finding for _, finding in sections], say)
        write_text(folder / _TEXT, markdown_report(head, sections))
        page = html_page(head, sections, drawn, Examples(), with_examples=False)
        write_text(folder / _PAGE, page)
        for name, text in (files or {}).items():
            write_text(folder / name, text)


def write_finding(
    finding: Finding, output: Path, head: Head, *, beside: Mapping[str, str] | None = None
) -> None:
    """Write the tables and charts of one finding, and report.md; as `write_report` does.

    Args:
        finding: what was found.
        output: folder; new, empty, or holding an earlier report, which is replaced.
        head: of report.md.
        beside: name -> text of further files.

    Raises:
        OutputError: the folder holds something else, or cannot be written.
    """
    check_output(output)
    with _replacing(output) as folder:
        _write_parts(folder, [finding], lambda _: None)
        write_text(folder / _TEXT, markdown_finding(head, finding))
        for name, text in (beside or {}).items():
            write_text(folder / name, text)


@contextmanager
def _replacing(output: Path) -> Iterator[Path]:
    """A folder to write to, which takes the place of `output` when all is well."""
    output = output.absolute()
    unfinished, old = (
        output.with_name(f".{output.name}.{os.getpid()}{end}") for end in ("", ".old")
    )
    try:
        for name in _FOLDERS:
            (unfinished / name).mkdir(parents=True)
        yield unfinished
        write_text(unfinished / _MANIFEST, "".join(f"{one}\n" for one in _files(unfinished)))
        if output.exists():
            output.replace(old)
        unfinished.replace(output)
    except OSError as error:
        msg = f"{output}: cannot be written ({error.strerror or error}); give another --output"
        raise OutputError(msg) from error
    finally:
        for folder in (unfinished, old):
            shutil.rmtree(folder, ignore_errors=True)


def _files(folder: Path) -> list[str]:
    """Every file below a folder."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return sorted(path.as_posix() for path in found)


def check_output(output: Path) -> None:
    """Raise where a report cannot take a folder's place.

    Raises:
        OutputError: it is the current folder, a file or a link, or holds what no report wrote.
    """
    if output.absolute() == Path.cwd():
        msg = "--output is the current folder; name one of the report's own"
        raise OutputError(msg)
    if output.is_symlink() or (output.exists() and not output.is_dir()):
        msg = f"{str(output)!r} is a file or a link; give a folder with --output"
        raise OutputError(msg)
    if not output.is_dir():
        return
    manifest = output / _MANIFEST
    own = set(manifest.read_text(encoding="utf-8").splitlines()) if manifest.is_file() else set()
    others = [name for name in _files(output) if name not in own | {_MANIFEST}]
    if others:
        msg = f"{str(output)!r} holds {others[0]!r}, which no report wrote; give another --output"
        raise OutputError(msg)


def _write(
    folder: Path,
    study: Study,
    findings: Sequence[tuple[Analysis, Finding]],
    with_texts: bool,
    say: Say,
) -> None:
    drawn = _write_parts(folder, [finding for _, finding in findings], say)
    configs = (name for run in study.runs for name in run.answers)
    head = Head(title(study), opening(study), licences(configs))
    write_text(folder / _TEXT, markdown_report(head, findings))
    examples = pack(study, with_texts=with_texts, say=say)
    say("page")
    write_text(folder / _PAGE, html_page(head, findings, drawn, examples))


def _write_parts(folder: Path, findings: Sequence[Finding], say: Say) -> dict[str, str]:
    """Write tables and figures; gives each figure's SVG for the page."""
    _check_names(findings)
    say("tables")
    for table in (table for finding in findings for table in finding.tables):
        write_csv(folder / "tables" / f"{table.name}.csv", table)
        write_text(folder / "tables" / f"{table.name}.tex", latex_table(table))
    drawn = {}
    boxes: set[str] = set()
    charts = [chart for finding in findings for chart in finding.charts]
    for number, chart in enumerate(charts, start=1):
        say(f"figure {number} of {len(charts)}: {chart.name}")
        made = draw(chart)
        drawn[chart.name] = made.for_page
        boxes.update(made.boxes)
        write_text(folder / "figures" / f"{chart.name}.svg", made.svg)
        (folder / "figures" / f"{chart.name}.png").write_bytes(made.png)
    if boxes:
        say(
            f"figures/*.png: boxes stand for letters that no font here has"
            f" ({''.join(sorted(boxes))[:_MOST_SHOWN]}); install one, such as Noto Sans CJK; the"
            " .svg files need none"
        )
    return drawn


def _check_names(findings: Sequence[Finding]) -> None:
    """Raise where one file would take another's place.

    Raises:
        OutputError: two tables or two figures have one name.
    """
    for what, names in (
        ("tables", [table.name for finding in findings for table in finding.tables]),
        ("figures", [chart.name for finding in findings for chart in finding.charts]),
    ):
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            msg = f"two {what} of the report are called {twice[0]!r}; each needs a name of its own"
            raise OutputError(msg)


def title(study: Study) -> str:
    """Of the report."""
    return f"Does it read? {', '.join(system.name for system in study.systems)}"


def opening(study: Study) -> str:
    """What every reader has to know first."""
    n_runs = "one run" if len(study.runs) == 1 else f"{len(study.runs)} runs"
    return f"Written on {today()} from {n_runs}, without running any model."


def licences(configs: Iterable[str]) -> list[str]:
    """The corpora with their licences, and the notices that these ask for, a paragraph each."""
    return licence_lines({parse_config(config).corpus for config in configs}, today())


def asked_on() -> str:
    """When a model was asked again."""
    return f"Written on {today()}, after asking the model again."
