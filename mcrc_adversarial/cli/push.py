"""`mcrc-adversarial push`: attacked versions of corpora as a dataset repository on the Hub."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, TypeAlias

import typer

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
from mcrc_adversarial.cli._hub import Endpoint, Private, RepoId, quiet_client, tell
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, Neighbours, Param, Seed, all_of
from mcrc_adversarial.errors import HubError
from mcrc_adversarial.export import export
from mcrc_adversarial.export.manifest import files_table
from mcrc_adversarial.hub import Repository, check_holdings, check_licences, push_exported
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
Build attacked versions of corpora and publish them as one dataset repository on the Hub.

It is one commit: Parquet files, a card that lists the configs, and a manifest. Afterwards
`datasets.load_dataset(USER/NAME, CONFIG)` works, with nothing of this package. Pushing again adds
or replaces the configs that are named, and nothing else; splits of them that were made with another
seed, other parameters or versions go, which is said. A push that broke goes on from there when
the same command is given again: files that the Hub has are not sent twice.

The token is that of `hf auth login`, or HF_TOKEN. Corpora whose licences do not let anyone publish
them are refused without --private or --accept-licence.

[bold]Examples[/bold]

$ mcrc-adversarial push sample --attacks all --repo-id USER/NAME

$ mcrc-adversarial push race --attacks original,addsent2opt-shuffle --repo-id USER/NAME --private
""")


AcceptLicence: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Name of a licence whose terms you answer for, or CORPUS: NAME for one corpus;"
        " can be repeated.",
    ),
]
Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="Build here, as `build` does, and keep it. Without it: a temporary folder,"
        " which is kept only where the Hub fails."
    ),
]


@app.command("push", help=_HELP)
def push(
    names: Names,
    repo_id: RepoId,
    attack_names: Attacks = ALL,
    private: Private = False,
    accept_licence: AcceptLicence = None,
    endpoint: Endpoint = None,
    folder: Folder = None,
    splits: Splits = None,
    num_proc: NumProc = 1,
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Build, push, then print what is there now."""
    configs = named_configs(names, attack_names)
    check_licences(configs, private=private, accepted=accept_licence or ())
    settings = settings_of(
        configs,
        splits=splits,
        seed=seed,
        param=all_of(param, neighbours),
        data_dir=data_dir,
        allow_unverified=allow_unverified,
    )
    repository = Repository(repo_id, "dataset", endpoint, say)
    # What the Hub refuses is better known before an hour of building than after it.
    repository.create(private=private)
    check_holdings(repository)
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
    output = Path(mkdtemp(prefix="mcrc-push-"))
    try:
        yield output
    except HubError as error:
        msg = (
            f"{error} (what was built is kept: --folder {shlex.quote(str(output))} goes on from it)"
        )
        raise HubError(msg) from None
    except BaseException:
        shutil.rmtree(output, ignore_errors=True)
        raise
    shutil.rmtree(output, ignore_errors=True)
