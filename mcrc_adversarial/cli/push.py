"""`mcrc-adversarial push`: attacked versions of corpora as a dataset repository on the Hub."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._hub import Endpoint, Private, RepoId, quiet_client, tell
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Param,
    Seed,
    built_in,
    parse_parameters,
)
from mcrc_adversarial.cli.build import named_attacks, rows_progress
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.export.manifest import files_table
from mcrc_adversarial.hub import Repository, check_licences, push_exported
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
Build attacked versions of corpora and publish them as one dataset repository on the Hub.

It is one commit: Parquet files, a card that lists the configs, and a manifest. Afterwards
`datasets.load_dataset(USER/NAME, CONFIG)` works, with nothing of this package. Pushing again adds
or replaces the configs that are named, and nothing else. A push that broke goes on from there when
the same command is given again: files that the Hub has are not sent twice.

The token is that of `hf auth login`, or HF_TOKEN. Corpora whose licences do not let anyone publish
them are refused without --private or --accept-licence.

[bold]Examples[/bold]

$ mcrc-adversarial push sample --attacks all --repo-id USER/NAME

$ mcrc-adversarial push race --attacks original,addsent2opt-shuffle --repo-id USER/NAME --private
""")


@app.command("push", help=_HELP)
def push(
    names: Annotated[
        list[str], typer.Argument(metavar="CORPUS...", help="Names from `mcrc-adversarial list`.")
    ],
    repo_id: RepoId,
    attack_names: Annotated[
        str,
        typer.Option(
            "--attacks",
            help="Names with commas between them; `original` is the corpus itself; `all` is the"
            " original and every attack that needs no more than this package.",
        ),
    ] = "all",
    private: Private = False,
    accept_licence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name of a licence whose terms you answer for; can be repeated.",
        ),
    ] = None,
    endpoint: Endpoint = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Build here, as `build` does, and keep it. Without it: a temporary folder."
        ),
    ] = None,
    splits: Annotated[
        str | None,
        typer.Option(help="Names with commas between them. Without it: all that are found."),
    ] = None,
    num_proc: Annotated[int, typer.Option(help="Number of processes.")] = 1,
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Build, push, then print what is there now."""
    chosen = named_attacks(attack_names)
    configs = [ConfigName(built_in(name).name, attack) for name in names for attack in chosen]
    check_licences(configs, private=private, accepted=accept_licence or ())
    settings = Settings(
        splits=None if splits is None else tuple(splits.split(",")),
        seed=seed,
        parameters=parse_parameters([name for name in chosen if name], param or []),
        data_dir=data_dir,
        verify=not allow_unverified,
    )
    repository = Repository(repo_id, "dataset", endpoint, say)
    # What the Hub refuses is better known before an hour of building than after it.
    repository.create(private=private)
    with _folder(folder) as output:
        with rows_progress() as progress:
            records = export(configs, output, settings, num_proc=num_proc, progress=progress)
        with quiet_client():
            pushed = push_exported(repository, output, records)
    print_table(files_table(records), pushed.repo_id)
    tell(pushed)
    screen().print(f'load_dataset("{pushed.repo_id}", "{records[-1].config}")')


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with TemporaryDirectory(prefix="mcrc-push-") as name:
        yield Path(name)
