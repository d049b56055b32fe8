"""`mcrc-adversarial export`: task files for evaluation harnesses."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from mcrc_adversarial.cli._app import app, paragraphs, screen
from mcrc_adversarial.harnesses import write_tasks
from mcrc_adversarial.harnesses.inspect_ai import FILE
from mcrc_adversarial.harnesses.lm_eval import GROUP

_HELP = paragraphs("""
Write task files for an evaluation harness, which then reads a built folder by itself.

FOLDER is what `mcrc-adversarial build` wrote. lm-eval: a YAML file a config, and the group
mcrc-adversarial of all, scored as the harness's own task race is, but on all questions. inspect:
one Python file with a task a config. Neither needs this package.

[bold]Examples[/bold]

$ mcrc-adversarial export attacked --format lm-eval --output lm-eval-tasks

$ mcrc-adversarial export attacked --format inspect --output inspect-tasks
""")
_HOW_TO_RUN = {
    "lm-eval": f"lm_eval run --include_path {{output}} --tasks {GROUP} --log_samples ...",
    "inspect": f"cd {{output}} && inspect eval {FILE} --model ...",
}


@app.command("export", help=_HELP)
def export(
    folder: Annotated[Path, typer.Argument(help="A folder from `mcrc-adversarial build`.")],
    harness: Annotated[
        Literal["lm-eval", "inspect"], typer.Option("--format", help="Which harness.")
    ],
    output: Annotated[
        Path, typer.Option(help="Folder for the task files alone; earlier ones are replaced.")
    ],
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    dataset: Annotated[
        str | None,
        typer.Option(help="Load from this name on the Hub, which FOLDER was pushed to."),
    ] = None,
) -> None:
    """Write the files, say how to run them."""
    written = write_tasks(harness, folder, output, split=split, dataset=dataset)
    if written.without_split:
        names = ", ".join(written.without_split)
        screen(stderr=True).print(f"left out, having no split {split!r}: {names}")
    screen().print(f"{output}: {len(written.configs)} tasks")
    screen().print(_HOW_TO_RUN[harness].format(output=shlex.quote(str(output))))
