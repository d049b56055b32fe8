"""What the commands that write to the Hub share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

import typer
from huggingface_hub.utils.tqdm import (
    are_progress_bars_disabled,
    disable_progress_bars,
    enable_progress_bars,
)

from mcrc_adversarial.cli._app import screen
from mcrc_adversarial.hub import Pushed

RepoId: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="USER/NAME", help="Where to; made if it is not there. NAME alone: under your own."
    ),
]
Private: TypeAlias = Annotated[
    bool, typer.Option("--private", help="For its owner alone; a public one there is refused.")
]
Endpoint: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Address of the Hub. Without it: HF_ENDPOINT, else https://huggingface.co."),
]


def tell(pushed: Pushed) -> None:
    """Print where it is, or that nothing had to change, and what changed beside."""
    if pushed.n_changes:
        screen().print(f"{pushed.url}: {pushed.n_changes} files changed, in one commit")
    else:
        screen().print(f"{pushed.url}: nothing to change, all of it is there already")
    for note in pushed.notes:
        screen().print(note)


@contextmanager
def quiet_client() -> Iterator[None]:
    """The client draws its bars only where there is a terminal."""
    if sys.stderr.isatty() or are_progress_bars_disabled():
        yield
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()
