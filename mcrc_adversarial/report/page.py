"""The report as one HTML file that needs nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mcrc_adversarial.analysis import Analysis, Chart, Finding, ResultTable
from mcrc_adversarial.report._values import Head, is_number, shown
from mcrc_adversarial.report.examples import Examples
from mcrc_adversarial.report.figures import themed

# Tables of a section that stand open; the others open at a click.
_OPEN = 1


def html_page(
    head: Head,
    findings: Sequence[tuple[Analysis, Finding]],
    drawn: Mapping[str, str],
    examples: Examples,
    *,
    with_examples: bool = True,
) -> str:
    """The text of report.html.

    Args:
        head: of the report.
        findings: in order.
        drawn: name of each chart -> its SVG.
        examples: for the browser of examples.
        with_examples: whether the page has one.
    """
    script = _packaged("page.js")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # Files of ours, SVG whose texts matplotlib escaped, base64, and JSON without `<` go in as
    # they are; everything else is escaped.
    return environment.from_string(_packaged("page.html.j2")).render(
        head=head,
        sections=list(_sections(findings, drawn)),
        examples_notes=examples.notes,
        with_examples=with_examples,
        has_examples=bool(examples.runs),
        style=Markup(_packaged("page.css")),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - a file of ours
        script_hash=_hash(script),
        index=Markup(json.dumps(examples.runs).replace("<", "\\u003c")),  # noqa: S704 - no `<` left
        blocks=list(examples.blocks.items()),
    )


def _packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """By which the page's own policy knows its one script."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _sections(
    findings: Sequence[tuple[Analysis, Finding]], drawn: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for analysis, finding in findings:
        if finding.tables or finding.charts or finding.missing:
            yield {
                "name": analysis.name,
                "title": analysis.title,
                "source": analysis.source,
                "n_open": _OPEN,
                "tables": list(map(_table, finding.tables)),
                "figures": [_figure(chart, drawn[chart.name]) for chart in finding.charts],
                "missing": finding.missing_lines,
            }


def _table(table: ResultTable) -> dict[str, Any]:
    rows = []
    for values in table.rows:
        cells = []
        for value, column in zip(values, table.columns, strict=True):
            text = shown(value, column.unit)
            numeric = is_number(column)
            cells.append({"main": text.main, "intervals": text.intervals, "is_number": numeric})
        rows.append(cells)
    headings = [{"text": one.heading, "is_number": is_number(one)} for one in table.columns]
    return {
        "title": table.title,
        "headings": headings,
        "rows": rows,
        "notes": " ".join(table.notes),
    }


def _figure(chart: Chart, svg: str) -> dict[str, Any]:
    return {
        "title": chart.title,
        "notes": " ".join(chart.notes),
        "svg": Markup(_own_ids(themed(svg), chart.name)),  # noqa: S704 - matplotlib escapes texts
    }


def _own_ids(svg: str, name: str) -> str:
    """The SVG with ids that no other one on the page has."""
    return (
        svg.replace('id="', f'id="{name}-')
        .replace('href="#', f'href="#{name}-')
        .replace("url(#", f"url(#{name}-")
    )
