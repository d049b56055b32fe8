"""`mcrc-adversarial leave-out`: files to train on all sources but one, and test on that one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.cli._app import app, paragraphs, screen
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, original_rows
from mcrc_adversarial.difficulty.leaving_out import source_files
from mcrc_adversarial.errors import OutputError

_HELP = paragraphs("""
Write, for each source of a corpus, the questions of all others to train on and its own to test on:
OUTPUT/SOURCE/train.jsonl, validation.jsonl (a tenth of the passages) and test.jsonl. The recipe
deberta-large-leave-source-out trains on them.

[bold]Example[/bold]

$ mcrc-adversarial leave-out qa-text-source --data-dir corpora --output left-out
""")


@app.command("leave-out", help=_HELP)
def leave_out(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="An original config.")],
    output: Annotated[Path, typer.Option(help="A new folder.")],
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write the files, print their paths."""
    if output.exists():
        msg = f"{str(output)!r} is there already; give a new folder with --output"
        raise OutputError(msg)
    examples = original_rows(config, split, data_dir, None, allow_unverified=allow_unverified)
    for name, text in list(source_files(examples)):
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        write_text(output / name, text)
        n_lines = text.count("\n")
        screen().print(f"{output / name}: {n_lines} questions")
