"""`mcrc-adversarial score`: anyone's predictions on one config."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import datasets
import typer

from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.cli._app import app, paragraphs, print_table, screen
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Neighbours,
    Param,
    Seed,
    all_of,
    parse_parameters,
)
from mcrc_adversarial.cli._own_rows import OwnColumns, OwnFile, own_of
from mcrc_adversarial.configs import ConfigName, parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.file_scores import score_files, scores_table
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
Score anyone's predictions on one config.

A file has a record a row: the row's `id` and a `prediction`, which is the index of an option (from
0) or its letter; JSONL, CSV or Parquet. Without ids, one plain column in the rows' order does, with
--in-order. What `lm_eval run --log_samples` wrote of a task (samples_*.jsonl) and the logs of
inspect_ai (.eval, .json) are read as they are; a question that a model left unanswered counts as
missing (see --allow-partial), where inspect_ai counts it as wrong; a log of another config, seed or
threshold is refused. Several files, each after its
own --predictions, stand beside each other.

With --clean, the predictions on the original rows, it adds how far accuracy falls, in percent, with
its interval, and McNemar's exact test, adjusted by Holm's method over all files. All intervals are
clustered by passage.

[bold]Examples[/bold]

$ mcrc-adversarial score --predictions attacked.jsonl --config sample-q-shuffle --clean clean.jsonl

$ mcrc-adversarial score --predictions column.txt --in-order --config race --data-dir corpora

$ mcrc-adversarial score --predictions p.jsonl --config custom-p-shuffle --data-file own.jsonl
""")


Files: TypeAlias = Annotated[
    list[Path], typer.Option(help="File of predictions; can be repeated.", show_default=False)
]
Clean: TypeAlias = Annotated[
    Path | None, typer.Option(help="Predictions of the same model on the original rows.")
]
InOrder: TypeAlias = Annotated[
    bool, typer.Option("--in-order", help="The files have no ids, and the rows' order.")
]
Partial: TypeAlias = Annotated[
    bool, typer.Option("--allow-partial", help="Leave out rows without a prediction.")
]
Output: TypeAlias = Annotated[
    Path | None, typer.Option(help="Write all figures to this JSON file.")
]


@app.command("score", help=_HELP)
def score(
    predictions: Files,
    config: Annotated[str, typer.Option(help="A name from `mcrc-adversarial list --configs`.")],
    clean: Clean = None,
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    in_order: InOrder = False,
    allow_partial: Partial = False,
    output: Output = None,
    seed: Seed = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    data_file: OwnFile = None,
    columns: OwnColumns = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Print a table, write JSON."""
    name = parse_config(config)
    named = all_of(param, neighbours)
    parameters = parse_parameters([name.attack] if name.attack else [], named)
    own = own_of(name, data_file, columns)
    source = own or _BuiltIn(data_dir, allow_unverified)
    scores = score_files(
        source.rows(name, split, seed, parameters),
        predictions,
        clean=clean,
        original=lambda: source.rows(ConfigName(name.corpus), split, DEFAULT_SEED, {}),
        in_order=in_order,
        allow_partial=allow_partial,
        cluster=corpora.get(name.corpus).cluster,
    )
    if output is not None:
        made = {"config": config, "split": split, "seed": seed, "parameters": parameters}
        made |= {} if own is None else {"data_file": str(own.file), "columns": own.columns}
        found = {"clean": clean and str(clean), "scores": [one.as_dict() for one in scores]}
        write_text(output, json.dumps(made | found, indent=2) + "\n")
    print_table(scores_table(scores), f"{config}, {split}, seed {seed}")
    if any(one.n_missing for one in scores):
        screen().print("missing: rows of the config that were left out.")


class _BuiltIn(NamedTuple):
    """Where the corpora are; see the options."""

    data_dir: Path | None
    allow_unverified: bool

    def rows(
        self, name: ConfigName, split: str, seed: int, parameters: Mapping[str, Any]
    ) -> datasets.Dataset:
        """The rows of a split.

        Raises:
            UnknownNameError: the config has no such split.
        """
        found = datasets.load_dataset(
            "mcrc_adversarial",
            str(name),
            data_dir=self.data_dir and str(self.data_dir),
            allow_unverified=self.allow_unverified,
            seed=seed,
            **parameters,
        )
        if split not in found:
            raise UnknownNameError(unknown_name(f"split of {str(name)!r}", split, tuple(found)))
        return found[split]
