"""`mcrc-adversarial leave-out`: files to train on all sources but one, and test on that one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcrc_adversarial.atomic import new_folder, write_text
from mcrc_adversarial.cli._app import app, paragraphs, say, screen
from mcrc_adversarial.cli._options import AllowUnverified, DataDir
from mcrc_adversarial.cli._originals import (
    Config,
    DataFile,
    SkipIncomplete,
    Split,
    Wanted,
    original_rows,
)
from mcrc_adversarial.difficulty.leaving_out import source_files

_HELP = paragraphs("""
Write, for each source of a corpus, the questions of all others to train on and its own to test on:
OUTPUT/SOURCE/train.jsonl, validation.jsonl (a tenth of the passages) and test.jsonl. The recipe
deberta-large-leave-source-out trains on them. Passages that two sources share are tested on alone.

CONFIG is a corpus whose questions name their sources, or `custom` with a file that has a column
`source`.

[bold]Examples[/bold]

$ mcrc-adversarial leave-out qa-text-source --data-dir corpora --output left-out

$ mcrc-adversarial leave-out custom --data-file own.jsonl --output left-out
""")


@app.command("leave-out", help=_HELP)
def leave_out(
    config: Config,
    output: Annotated[Path, typer.Option(help="A new folder.")],
    split: Split = "test",
    data_dir: DataDir = None,
    data_file: DataFile = None,
    skip_incomplete: SkipIncomplete = False,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write the files, print their paths."""
    wanted = Wanted(config, split, data_dir, data_file, allow_unverified, skip_incomplete)
    with new_folder(output) as unfinished:
        files = dict(source_files(original_rows(wanted).examples, say=say))
        for name, text in files.items():
            (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
            write_text(unfinished / name, text)
    for name, text in files.items():
        n_lines = text.count("\n")
        screen().print(f"{output / name}: {n_lines} questions")
