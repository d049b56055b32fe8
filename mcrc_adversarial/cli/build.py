"""`mcrc-adversarial build`: attacked versions of corpora as Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.cli._against_original import against_original
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._building import (
    ALL,
    Attacks,
    Names,
    NumProc,
    Splits,
    named_configs,
    rows_progress,
    settings_of,
)
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Neighbours,
    Param,
    Seed,
    all_of,
    built_in,
)
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.export.manifest import FileRecord, files_table
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

Output: TypeAlias = Annotated[
    Path, typer.Option(help="The folder: new, empty, or one that was built before.")
]
Engine: TypeAlias = Annotated[
    Literal["processes", "ray"],
    typer.Option(help="processes of this machine, or a Ray cluster (see RAY_ADDRESS)."),
]


@app.command("build", help=_HELP)
def build(
    names: Names,
    output: Output,
    attack_names: Attacks = ALL,
    splits: Splits = None,
    num_proc: NumProc = 1,
    engine: Engine = "processes",
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Build, then print what was built."""
    if engine == "ray":
        need("ray", "ray")
    configs = named_configs(names, attack_names)
    settings = settings_of(
        configs,
        splits=splits,
        seed=seed,
        param=all_of(param, neighbours),
        data_dir=data_dir,
        allow_unverified=allow_unverified,
    )
    with rows_progress() as progress:
        try:
            records = export(
                configs, output, settings, num_proc=num_proc, engine=engine, progress=progress
            )
        except KeyboardInterrupt as error:
            say("interrupted: whole files are kept; the same command goes on from there")
            raise typer.Exit(130) from error
    print_table(files_table(records), str(output))
    _compare(names, records, settings)
    screen().print(f'load_dataset("{output}", "{records[-1].config}")')
    if attack_names == ALL:
        _name_left_out()


def _compare(names: Sequence[str], records: Sequence[FileRecord], settings: Settings) -> None:
    """Print how far each corpus's splits are the published ones."""
    for name in dict.fromkeys(names):
        built = [record.split for record in records if parse_config(record.config).corpus == name]
        splits = list(dict.fromkeys(built))
        data_dir = settings.data_dir
        for line in against_original(built_in(name), splits, data_dir, verify=settings.verify):
            screen().print(line)


def _name_left_out() -> None:
    """Print the attacks that `all` is without."""
    left_out = sorted(set(attacks.names()) - set(self_contained()))
    if left_out:
        screen().print(
            f"Left out of `all`: {', '.join(left_out)}, which need more than this package (see"
            " `mcrc-adversarial resources` and `mcrc-adversarial candidates`); name them with"
            " --attacks to build them."
        )
