"""The rows of a `custom` config, from one file of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import datasets
import typer

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.cli.attack import parse_columns
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.corpora.custom import Columns, read_examples
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.rows import features, row
from mcrc_adversarial.seeding import check_seed

CUSTOM = "custom"
OwnFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data-file", help="Your own questions, for the configs of `custom`."),
]
OwnColumns: TypeAlias = Annotated[
    str | None, typer.Option(help="Of --data-file; see `mcrc-adversarial attack`.")
]


class Own(NamedTuple):
    """A file of questions.

    Attributes:
        file: that `read_records` reads.
        columns: see `resolve_columns`.
    """

    file: Path
    columns: Columns | None

    def rows(
        self, name: ConfigName, split: str, seed: int, parameters: Mapping[str, Any]
    ) -> datasets.Dataset:
        """The rows that `load_dataset` gives of the file: an original's, or attacked.

        Raises:
            DataError: a record breaks a rule; one line with file, record and column.
            ParameterError: the seed is out of range, or an original is given parameters.
            McrcError: whatever the attack has to say.
        """
        check_seed(seed)
        if name.attack is None and parameters:
            msg = f"config {str(name)!r} is an original: it takes no {', '.join(parameters)}"
            raise ParameterError(msg)
        examples = read_examples([self.file], self.columns, split)
        original = datasets.Dataset.from_list(
            [row(one) for one in examples], features=features(corpora.get(name.corpus))
        )
        if name.attack is None:
            return original
        return attack(original, name.attack, seed=seed, **parameters)


def own_of(name: ConfigName, data_file: Path | None, columns: str | None) -> Own | None:
    """The file that a config is made of; None for a corpus that is built in.

    Raises:
        ParameterError: `custom` has no file, another corpus has one, or columns have none.
    """
    if (data_file is not None) != (name.corpus == CUSTOM):
        msg = (
            f"config {str(name)!r} is made of your own file: name it with --data-file"
            if data_file is None
            else f"--data-file {str(data_file)!r} is for the configs of {CUSTOM!r}, not for"
            f" {str(name)!r}"
        )
        raise ParameterError(msg)
    if data_file is None:
        if columns is not None:
            msg = f"--columns goes with --data-file, for the configs of {CUSTOM!r}"
            raise ParameterError(msg)
        return None
    return Own(data_file, None if columns is None else parse_columns(columns))
