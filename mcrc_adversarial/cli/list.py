"""`mcrc-adversarial list`: the corpora, the attacks, and what the attacks do to a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from mcrc_adversarial.cli._against_original import against_original
from mcrc_adversarial.cli._app import app, paragraphs, print_table, screen
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, Seed, built_in
from mcrc_adversarial.configs import config_names
from mcrc_adversarial.corpora import find_source, read_split
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed
from mcrc_adversarial.statistics import table
from mcrc_adversarial.tables import (
    STATISTICS_NOTES,
    Table,
    attacks_table,
    corpora_table,
    is_at_hand,
    markdown_tables,
    statistics_table,
)

_HELP = paragraphs("""
List the corpora and the attacks.

[bold]Examples[/bold]

$ mcrc-adversarial list

$ mcrc-adversarial list --configs

$ mcrc-adversarial list --stats sample --split test
""")


@app.command("list", help=_HELP)
def list_(
    configs: Annotated[
        bool, typer.Option("--configs", help="Only the names of all configs, one a line.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="The tables as they stand in the README.")
    ] = False,
    stats: Annotated[
        str | None,
        typer.Option(
            metavar="CORPUS", help="Attack this corpus with every attack, and count what happens."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="For --stats: train, validation or test.")] = "test",
    seed: Seed = DEFAULT_SEED,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Print tables."""
    if configs:
        typer.echo("\n".join(config_names()))
    elif markdown:
        typer.echo(markdown_tables())
    elif stats is not None:
        check_seed(seed)
        corpus = built_in(stats)
        source = find_source(corpus, data_dir)
        examples = read_split(corpus, source, split, verify=not allow_unverified)
        print_table(_statistics(examples, seed), f"{corpus.name}, {split}, seed {seed}")
        screen().print(STATISTICS_NOTES)
        for line in against_original(corpus, [split], data_dir, verify=not allow_unverified):
            screen().print(line)
    else:
        print_table(corpora_table(at_hand=lambda one: is_at_hand(one, data_dir)), "Corpora")
        print_table(attacks_table(), "Attacks")
        screen().print(
            "A config is CORPUS or CORPUS-ATTACK: see `mcrc-adversarial list --configs`."
        )


def _statistics(examples: Sequence[Example], seed: int) -> Table:
    found = table(examples, seed).items()
    return statistics_table((((name or "original",), one) for name, one in found), ("attack",))
