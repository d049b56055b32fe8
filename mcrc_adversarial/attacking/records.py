"""An attack on records of any columns, the same for tables, streams and files."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcrc_adversarial.attacks import apply_resolved, attacks
from mcrc_adversarial.builder import ROWS_VERSION, attack_fingerprint
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.corpora.custom import ColumnMap
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import attack_columns, attack_features
from mcrc_adversarial.seeding import check_seed


@dataclass(frozen=True)
class RecordAttack:
    """An attack with its seed and parameters, to be applied to records of any columns.

    `datasets` hashes it for its cache, so it holds all that rows depend on besides the records.

    Attributes:
        name: of the attack.
        seed: of the attack.
        parameters: all that the attack has.
        versions: of the attack, its tokeniser, the reading of records and the form of rows.
    """

    name: str
    seed: int
    parameters: Mapping[str, Any]
    versions: Mapping[str, Any]

    @classmethod
    def checked(cls, name: str, seed: int, parameters: Mapping[str, object]) -> RecordAttack:
        """Check the arguments.

        Raises:
            UnknownNameError: there is no such attack.
            ParameterError: the seed or a parameter is not allowed.
        """
        found = attacks.get(name)
        resolved = found.resolve(parameters)
        versions = {
            **attack_fingerprint(found, check_seed(seed), resolved),
            "records": corpora.get("custom").version,
            "rows": ROWS_VERSION,
        }
        return cls(name, seed, resolved, versions)

    @property
    def features(self) -> Mapping[str, Any]:
        """The columns that the attack adds, with their types."""
        return attack_features(attacks.get(self.name))

    def alter(
        self, record: Mapping[str, Any], example: Example, columns: ColumnMap
    ) -> dict[str, Any]:
        """The record's texts as the attack leaves them, under its own names, and our new columns.

        Args:
            record: its columns and values.
            example: what `to_example` read from it.
            columns: how it read it.
        """
        attacked = apply_resolved(attacks.get(self.name), example, self.seed, self.parameters)
        return {
            columns.passage: attacked.passage,
            columns.question: attacked.question,
            **_options(record, example, attacked.options, columns),
            **attack_columns(example, attacked),
        }

    def touched(self, columns: ColumnMap) -> tuple[str, ...]:
        """The columns that the attack may alter."""
        names: dict[str, tuple[str, ...]] = {
            "passage": (columns.passage,),
            "question": (columns.question,),
            "options": columns.option_columns,
        }
        touches = attacks.get(self.name).touches
        return tuple(name for touched in touches for name in names[touched])


def _options(
    record: Mapping[str, Any], example: Example, new: Sequence[str], columns: ColumnMap
) -> dict[str, Any]:
    if tuple(new) == example.options:
        return {}
    if not isinstance(columns.options, str):
        # Columns beyond a question's last option stay null.
        return dict(zip(columns.options, new, strict=False))
    if isinstance(record[columns.options], str):
        return {columns.options: json.dumps(list(new), ensure_ascii=False)}
    return {columns.options: list(new)}


def check_new_columns(available: Iterable[str], added: Container[str], source: str) -> None:
    """Check that none of the columns that an attack adds is there already.

    Raises:
        DataError: one is.
    """
    for name in available:
        if name in added:
            msg = (
                f"{source}: an attack adds a column {name!r}, which is there already; attack the"
                " original, or remove or rename the column first"
            )
            raise DataError(msg)
