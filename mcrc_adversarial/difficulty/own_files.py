"""People's own files with what is told of a question: source, method, votes, models' answers.

The corpus `custom` reads texts and labels alone. Here the columns that corpora with votes have are
read too, under their names: what `filter` keeps, and what `leave-out` parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcrc_adversarial.corpora import VOTE_FACTS
from mcrc_adversarial.corpora.custom import read_examples, read_records
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example, Fact
from mcrc_adversarial.records import parse_json

# Column -> what it holds, in the words of `Corpus.facts`.
FACTS: Mapping[str, str] = {
    **VOTE_FACTS,
    "partial_models": "list<string>",
    "partial_models_right": "list<bool>",
    "question_type": "string",
    "types": "list<string>",
    "level": "string",
    "scenario": "string",
}
# The least that a number may be: a vote is an index, or -1 for "cannot be answered".
_LEAST: Mapping[str, int] = {"votes": -1, "vote_seconds": 0, "writing_seconds": 0}
# Lists in which a name stands once.
_NAMES = ("models", "partial_models")
# Lists whose items belong together, and whether the first needs the second.
_TOGETHER = (
    ("votes", "voters", False),
    ("votes", "vote_seconds", False),
    ("models", "models_right", True),
    ("partial_models", "partial_models_right", True),
)
_WORDS = {
    "string": "a text",
    "bool": "true or false",
    "int64": "a whole number",
    "float64": "a finite number",
}


def read_own(path: Path, split: str) -> list[Example]:
    """The questions of a file, with the columns of `FACTS` that it has.

    Args:
        path: as for the corpus `custom`; lists in a CSV are JSON.
        split: for messages.

    Raises:
        DataError: a record breaks a rule; one line with file, record and column.
    """
    return [
        replace(example, facts=_facts(record, f"{path}, record {number}"))
        for number, (example, record) in enumerate(
            zip(read_examples([path], None, split), read_records(path), strict=True), start=1
        )
    ]


def _facts(record: Mapping[str, Any], where: str) -> dict[str, Fact]:
    found: dict[str, Fact] = {
        name: _fact(record[name], dtype, f"{where}: {name!r}")
        for name, dtype in FACTS.items()
        if record.get(name) not in (None, "")
    }
    for name, value in found.items():
        _check_values(name, value if isinstance(value, list) else [value], f"{where}: {name!r}")
    for first, second, is_needed in _TOGETHER:
        n, m = (len(value) if isinstance(value := found.get(name), list) else 0
                for name in (first, second))  # fmt: skip
        if n != m and (is_needed or second in found):
            msg = f"{where}: {first!r} has {n} items, {second!r} {m}; they belong together"
            raise DataError(msg)
    return found


def _check_values(name: str, values: Sequence[Any], where: str) -> None:
    for number, value in enumerate(values):
        if name in _LEAST and value < _LEAST[name]:
            msg = f"{where} holds {value:g}; {_LEAST[name]} is the least that it may be"
            raise DataError(msg)
        if name in _NAMES and value in values[:number]:
            msg = f"{where} names {value!r} twice; give each model a name of its own"
            raise DataError(msg)


def _fact(value: object, dtype: str, where: str) -> Fact:
    inner = dtype.removeprefix("list<").removesuffix(">")
    if inner == dtype:
        return _item(value, inner, where)  # type: ignore[return-value]
    items = parse_json(value, where) if isinstance(value, str) else value
    if not isinstance(items, list):
        msg = f"{where} is {value!r:.60}; it must be a list"
        raise DataError(msg)
    found: Any = [_item(item, inner, f"{where}, item {n}") for n, item in enumerate(items)]
    return found  # type: ignore[no-any-return]


def _item(value: object, dtype: str, where: str) -> object:
    """A value in its type; a whole number serves as a text, a cell of a CSV as a number."""
    if dtype == "string" and isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    if dtype == "bool" and (isinstance(value, bool) or value in (0, 1)):
        return bool(value)
    if dtype == "int64" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if dtype == "float64" and (number := _finite(value)) is not None:
        return number
    msg = f"{where} is {value!r:.60}; it must be {_WORDS[dtype]}"
    raise DataError(msg)


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
