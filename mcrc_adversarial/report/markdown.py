"""The report as Markdown, with links to the figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcrc_adversarial.analysis import Analysis, Chart, Finding, ResultTable
from mcrc_adversarial.report._values import Head, is_number, shown
from mcrc_adversarial.tables import Table

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>~$&]")
# What begins a list, a heading or a rule where it begins a line.
_AT_THE_START = re.compile(r"^(?:[-+](?=\s)|-(?=-+$)|#(?=#*\s)|=|\d+(?=[.)]\s))")


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line; the `|` of a table is escaped by `Table`.

    >>> escaped("a_b <script> $x$")
    'a\\_b \\<script\\> \\$x\\$'
    """
    found = _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
    return _AT_THE_START.sub(_escape_last, found)


def _escape_last(match: re.Match[str]) -> str:
    start = match.group()
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def markdown_report(head: Head, findings: Sequence[tuple[Analysis, Finding]]) -> str:
    """The text of report.md, the findings in order."""
    parts = [f"# {escaped(head.title)}", escaped(head.opening)]
    for analysis, finding in findings:
        parts += _section(analysis, finding)
    parts += _licences(head)
    return "\n\n".join(parts) + "\n"


def _licences(head: Head) -> Iterator[str]:
    yield "## Licences of the corpora"
    yield from map(escaped, head.licences)


def _section(analysis: Analysis, finding: Finding) -> Iterator[str]:
    if not (finding.tables or finding.charts or finding.missing):
        return
    yield f"## {escaped(analysis.title)}"
    yield f"Where the question is from: {escaped(analysis.source)}."
    yield from _parts(finding)


def markdown_finding(head: Head, finding: Finding) -> str:
    """One finding as a text of its own."""
    parts = [f"# {escaped(head.title)}", *map(escaped, (head.opening, *head.details))]
    return "\n\n".join((*parts, *_parts(finding), *_licences(head))) + "\n"


def _parts(finding: Finding) -> Iterator[str]:
    for table in finding.tables:
        yield from markdown_table(table)
    for chart in finding.charts:
        yield from _figure(chart)
    if finding.missing:
        yield "Missing:"
        yield "\n".join(f"- {escaped(line)}" for line in finding.missing_lines)


def markdown_table(table: ResultTable) -> Iterator[str]:
    """Title, table and notes, a paragraph each."""
    yield f"**{escaped(table.title)}**"
    headings = tuple(escaped(column.heading) for column in table.columns)
    rows = tuple(
        tuple(
            escaped(str(shown(value, table.columns[number].unit)))
            for number, value in enumerate(values)
        )
        for row, values in enumerate(table.rows)
    )
    right = frozenset(
        heading
        for heading, column in zip(headings, table.columns, strict=True)
        if is_number(column)
    )
    yield Table(headings, rows, right).markdown()
    if table.notes:
        yield " ".join(map(escaped, table.notes))


def _figure(chart: Chart) -> Iterator[str]:
    yield f"![{escaped(chart.title)}](figures/{chart.name}.svg)"
    yield escaped(" ".join((f"{chart.title}.", *chart.notes)))
