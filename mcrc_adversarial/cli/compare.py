"""`mcrc-adversarial compare`: how a released altered set differs from its original."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrc_adversarial.cli._app import app, paragraphs, print_table
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, built_in
from mcrc_adversarial.comparison import Comparison, compare
from mcrc_adversarial.corpora import find_source, read_split
from mcrc_adversarial.errors import CorpusNotFoundError, ParameterError
from mcrc_adversarial.tables import Table

_HELP = paragraphs("""
Compare an altered set with the corpus it was made from, question by question.

Labels and answers that differ mean that the set asks something else: look at them before you trust
a drop of accuracy.

[bold]Examples[/bold]

$ mcrc-adversarial compare advrace-addsent --data-dir corpora

$ mcrc-adversarial compare advrace-original --original race --split test
""")
_SHOWN = 3


@app.command("compare", help=_HELP)
def compare_(
    altered: Annotated[str, typer.Argument(metavar="CORPUS", help="The altered set.")],
    original: Annotated[
        str | None, typer.Option(help="The corpus to compare with. Without it: the set's own.")
    ] = None,
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Print what differs, with the first ids."""
    corpus = built_in(altered)
    if not (original or corpus.original):
        msg = f"corpus {altered!r} is no altered set of another; name one with --original"
        raise ParameterError(msg)
    base = built_in(original or corpus.original)
    verify = not allow_unverified
    # What is wrong with the set that was named comes first.
    ours = read_split(corpus, find_source(corpus, data_dir), split, verify=verify)
    try:
        source = find_source(base, data_dir)
    except CorpusNotFoundError as error:
        msg = f"{corpus.name} is compared with corpus {base.name!r}, which is not here: {error}"
        raise CorpusNotFoundError(msg) from error
    theirs = read_split(base, source, split, verify=verify)
    print_table(_table(compare(ours, theirs)), f"{corpus.name} and {base.name}, {split}")


def _table(found: Comparison) -> Table:
    rows = [("in both", str(found.in_both), "")]
    for what, ids in found.differing.items():
        more = ", ..." if len(ids) > _SHOWN else ""
        rows.append((what, str(len(ids)), ", ".join(ids[:_SHOWN]) + more))
    return Table(("differing", "questions", "first ids"), tuple(rows), frozenset({"questions"}))
