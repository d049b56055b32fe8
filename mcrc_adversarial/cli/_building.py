"""What the commands that build configs share: options, what they stand for, a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.cli._app import screen
from mcrc_adversarial.cli._options import built_in, parse_parameters
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.export import Settings

ORIGINAL = "original"
ALL = "all"

Names: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="CORPUS...", help="Names from `mcrc-adversarial list`.")
]
Attacks: TypeAlias = Annotated[
    str,
    typer.Option(
        "--attacks",
        help="Names with commas between them; `original` is the corpus itself; `all` is the"
        " original and every attack that needs no more than this package.",
    ),
]
Splits: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Names with commas between them. Without it: all that are found."),
]
NumProc: TypeAlias = Annotated[int, typer.Option(help="Number of processes.")]


def named_configs(names: Sequence[str], attack_names: str) -> list[ConfigName]:
    """The configs that corpora and `--attacks` stand for.

    Raises:
        UnknownNameError: there is no such corpus or attack.
        ParameterError: a corpus stands for the user's own files.
    """
    chosen = named_attacks(attack_names)
    return [ConfigName(built_in(name).name, attack) for name in names for attack in chosen]


def named_attacks(text: str) -> Sequence[str | None]:
    """The attacks that `--attacks` stands for, each once, None for the original.

    Raises:
        UnknownNameError: there is no such attack.
    """
    found: dict[str | None, None] = {}
    for name in text.split(","):
        if name == ALL:
            found |= dict.fromkeys((None, *self_contained()))
        else:
            found[None if name == ORIGINAL else attacks.get(name).name] = None
    return list(found)


def settings_of(
    configs: Sequence[ConfigName],
    *,
    splits: str | None,
    seed: int,
    param: Sequence[str] | None,
    data_dir: Path | None,
    allow_unverified: bool,
) -> Settings:
    """How `configs` are built, from the options of these names.

    Raises:
        ParameterError: a parameter has another form, or a value of the wrong type.
    """
    chosen = dict.fromkeys(config.attack for config in configs if config.attack)
    return Settings(
        splits=None if splits is None else tuple(splits.split(",")),
        seed=seed,
        parameters=parse_parameters(chosen, param or []),
        data_dir=data_dir,
        verify=not allow_unverified,
    )


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
