"""`mcrc-adversarial attack`: attack a file of one's own questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from mcrc_adversarial.attacking.files import Summary, attack_file
from mcrc_adversarial.attacking.records import RecordAttack
from mcrc_adversarial.attacks import REASONS
from mcrc_adversarial.cli._app import app
from mcrc_adversarial.cli._options import Neighbours, Param, all_of, pairs_of, parse_parameters
from mcrc_adversarial.corpora.custom import Columns, Record
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = """Attack a file of your own questions.

Each question needs a passage, a question, 2 to 26 options, and a label: the index of the right
option, from 0, or its letter. Columns called passage, question, options and label are found
by themselves, and so are those of RACE on the Hub (article, question, options, answer); say with
--columns what yours are called: those that it leaves out are found by either name.
An id and a passage_id are used where there are any.

The new file has your columns, with the altered texts in their places, and four more: attacked,
reason (why an attack, or a part of it, could not apply), shuffle_degree and inserted; from attacks
that alter single words, also lineage.

[bold]Examples[/bold]

  mcrc-adversarial attack exam.jsonl --attack addsent2opt-shuffle --output attacked.jsonl

  mcrc-adversarial attack exam.csv --attack p-shuffle --output attacked.parquet
  --columns passage=text,options=A+B+C+D,label=key --seed 7 --param shuffle_degree=0.8
"""


@app.command("attack", help=_HELP)
def attack(
    file: Annotated[
        Path,
        typer.Argument(help="Your questions: .jsonl, .ndjson, .json, .csv, .tsv or .parquet."),
    ],
    name: Annotated[
        str, typer.Option("--attack", help="Which attack; `mcrc-adversarial list` has them all.")
    ],
    output: Annotated[
        Path,
        typer.Option(help="The new file; its suffix is .jsonl, .ndjson, .csv, .tsv or .parquet."),
    ],
    columns: Annotated[
        str | None,
        typer.Option(
            help="Our names and yours: passage=text,options=A+B+C+D,id= (id= for no id), or a JSON"
            " object where names hold , = or +."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="An integer of at least 0.")] = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the new file.")] = False,
) -> None:
    """Attack a file and print what was done."""
    run = RecordAttack.checked(name, seed, parse_parameters([name], all_of(param, neighbours)))
    given = None if columns is None else parse_columns(columns)
    summary = attack_file(file, output, run, columns=given, overwrite=force, watch=_progress)
    typer.echo(_line(output, run, summary))


def _line(output: Path, run: RecordAttack, summary: Summary) -> str:
    reasons = [
        f"{code} {summary.reasons[code]:,}" for code in REASONS if code in summary.reasons
    ] or ["none"]
    return (
        f"{output}: {summary.rows:,} rows, {summary.attacked:,} attacked"
        f" ({run.name}, seed {run.seed}); reasons: {', '.join(reasons)}"
    )


def _progress(records: Iterator[Record]) -> Iterable[Record]:
    """Show on a terminal how many records have been read."""
    console = Console(stderr=True)
    rows = TextColumn("{task.completed:,} rows")
    with Progress(
        SpinnerColumn(),
        rows,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        yield from progress.track(records, total=None)


def parse_columns(text: str) -> Columns:
    """The map that `--columns` stands for.

    Raises:
        ParameterError: it is not of one of the two forms.

    >>> parse_columns("passage=article,options=A+B,id=")
    {'passage': 'article', 'options': ['A', 'B'], 'id': None}
    """
    if not text.startswith("{"):
        pairs = pairs_of(text.split(","), "--columns", "passage=your column,...")
        several = pairs.get("options", "").split("+")
        one: dict[str, str | list[str] | None] = {name: pairs[name] or None for name in pairs}
        return {**one, "options": several} if len(several) > 1 else one
    try:
        found: Any = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"--columns: broken JSON at column {error.colno}: {error.msg}"
        raise ParameterError(msg) from error
    return dict(found)
