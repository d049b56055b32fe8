"""`mcrc-adversarial show`: examples of one config in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.cli._app import app, paragraphs, screen
from mcrc_adversarial.cli._display import render
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Neighbours,
    Param,
    Seed,
    all_of,
    built_in,
    parse_parameters,
)
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import find_source, read_split
from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.example import Example
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed

_HELP = paragraphs("""
Show examples of one config.

The right option has a star. What an attack removed is red and struck through, what it put there
is green; without colours, it is [-removed-] and {+inserted+}. Below stands why an attack, or a
part of it, could not apply.

[bold]Examples[/bold]

$ mcrc-adversarial show sample

$ mcrc-adversarial show sample-addsent2opt-shuffle -n 1 --seed 7

$ mcrc-adversarial show race-p-shuffle --split train --id train/high/100-0 --data-dir corpora
""")


@app.command("show", help=_HELP.replace("[-", r"\[-"))
def show(
    config: Annotated[str, typer.Argument(help="A name from `mcrc-adversarial list --configs`.")],
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="How many, from the first.")
    ] = 3,
    example_id: Annotated[
        str | None, typer.Option("--id", help="Show this one only; its split is in its name.")
    ] = None,
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Print examples."""
    name = parse_config(config)
    attack = None if name.attack is None else attacks.get(name.attack)
    parameters = parse_parameters([attack.name] if attack else [], all_of(param, neighbours))
    check_seed(seed)
    if parameters and attack is None:
        msg = f"config {config!r} is an original: it takes no --param"
        raise ParameterError(msg)
    corpus = built_in(name.corpus)
    if example_id is not None and example_id.partition("/")[0] in corpus.splits:
        split = example_id.partition("/")[0]
    source = find_source(corpus, data_dir)
    examples = read_split(corpus, source, split, verify=not allow_unverified)
    shown = examples[:number] if example_id is None else [_find(examples, example_id)]
    console = screen()
    in_colour = console.color_system is not None and not console.no_color
    for count, example in enumerate(shown):
        attacked = None if attack is None else apply(attack, example, seed, **parameters)
        if count:
            console.print("-" * min(console.width, 80))
        console.print(render(example, attack, attacked, in_colour=in_colour))


def _find(examples: list[Example], wanted: str) -> Example:
    for example in examples:
        if example.id == wanted:
            return example
    raise UnknownNameError(unknown_name("record", wanted, tuple(one.id for one in examples)))
