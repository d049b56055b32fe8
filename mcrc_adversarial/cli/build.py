"""`mcrc-adversarial build`: attacked versions of corpora as Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.cli._against_original import against_original
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Param,
    Seed,
    built_in,
    parse_parameters,
)
from mcrc_adversarial.configs import ConfigName, parse_config
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.export.manifest import files_table
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
Build attacked versions of corpora as Parquet files.

The folder holds a file for each config and split, a dataset card, and a manifest of what each
file was made from. Plain `datasets.load_dataset(FOLDER, CONFIG)` reads it, with nothing of this
package. Building again into the same folder adds to it, and keeps files whose inputs are the
same. It may be killed at any moment: the same command goes on where it was.

[bold]Examples[/bold]

$ mcrc-adversarial build sample --attacks all --output attacked

$ mcrc-adversarial build race dream --attacks original,addsent2opt-shuffle --splits test
--output attacked --data-dir corpora --num-proc 4
""")
_ORIGINAL = "original"
_ALL = "all"


@app.command("build", help=_HELP)
def build(
    names: Annotated[
        list[str], typer.Argument(metavar="CORPUS...", help="Names from `mcrc-adversarial list`.")
    ],
    output: Annotated[
        Path, typer.Option(help="The folder: new, empty, or one that was built before.")
    ],
    attack_names: Annotated[
        str,
        typer.Option(
            "--attacks",
            help="Names with commas between them; `original` is the corpus itself; `all` is the"
            " original and every attack that needs no more than this package.",
        ),
    ] = _ALL,
    splits: Annotated[
        str | None,
        typer.Option(help="Names with commas between them. Without it: all that are found."),
    ] = None,
    num_proc: Annotated[int, typer.Option(help="Number of processes.")] = 1,
    engine: Annotated[
        Literal["processes", "ray"],
        typer.Option(help="processes of this machine, or a Ray cluster (see RAY_ADDRESS)."),
    ] = "processes",
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Build, then print what was built."""
    if engine == "ray":
        need("ray", "ray")
    chosen = named_attacks(attack_names)
    settings = Settings(
        splits=None if splits is None else tuple(splits.split(",")),
        seed=seed,
        parameters=parse_parameters([name for name in chosen if name], param or []),
        data_dir=data_dir,
        verify=not allow_unverified,
    )
    configs = [ConfigName(built_in(name).name, attack) for name in names for attack in chosen]
    with rows_progress() as progress:
        try:
            records = export(
                configs, output, settings, num_proc=num_proc, engine=engine, progress=progress
            )
        except KeyboardInterrupt as error:
            say("interrupted: whole files are kept; the same command goes on from there")
            raise typer.Exit(130) from error
    print_table(files_table(records), str(output))
    for name in dict.fromkeys(names):
        built = [record.split for record in records if parse_config(record.config).corpus == name]
        for line in against_original(
            built_in(name), list(dict.fromkeys(built)), data_dir, verify=settings.verify
        ):
            screen().print(line)
    screen().print(f'load_dataset("{output}", "{records[-1].config}")')
    left_out = sorted(set(attacks.names()) - set(self_contained()))
    if attack_names == _ALL and left_out:
        screen().print(
            f"Left out of `all`: {', '.join(left_out)}, which need more than this package (see"
            " `mcrc-adversarial resources` and `mcrc-adversarial candidates`); name them with"
            " --attacks to build them."
        )


def named_attacks(text: str) -> Sequence[str | None]:
    """The attacks that `--attacks` stands for, None for the original."""
    if text == _ALL:
        return (None, *self_contained())
    return [None if name == _ORIGINAL else attacks.get(name).name for name in text.split(",")]


@contextmanager
def rows_progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, where that is a terminal."""
    console = screen(stderr=True)
    columns = (TextColumn("rows"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("rows", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
