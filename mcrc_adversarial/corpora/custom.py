"""People's own data: records of any table -> `Example`, by a map of columns.

Ids are the user's own, or a digest of the question where there are none. So a row depends on no
other row and on no split, and the same question gives the same row through every door.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mcrc_adversarial.corpora import Corpus, Licence, RawFile, corpora
from mcrc_adversarial.corpora._columns import ColumnMap, Columns, resolve_columns
from mcrc_adversarial.corpora._tables import (
    Record,
    check_suffix,
    parse_records,
    read_records,
    read_schema,
)
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS, MAX_OPTIONS, MIN_OPTIONS, Example

__all__ = [
    "ColumnMap",
    "Columns",
    "Identities",
    "Place",
    "Record",
    "check_suffix",
    "read_examples",
    "read_records",
    "read_schema",
    "renumbered",
    "resolve_columns",
    "to_example",
]

_INDEX = re.compile("0|[1-9][0-9]?")
_LETTER = re.compile("[A-Za-z]")


class Place(NamedTuple):
    """Where a record stands, for messages: `questions.jsonl, record 3`."""

    source: str
    number: int

    def __str__(self) -> str:
        return f"{self.source} {self.number}"


def to_example(record: Mapping[str, Any], columns: ColumnMap, place: Place) -> Example:
    """Read one record; without an id column its id is a digest of all that a question is.

    Args:
        record: column -> value.
        columns: from `resolve_columns`.
        place: for messages.

    Raises:
        DataError: a value is missing or has the wrong type; one line with place and column.
    """
    passage = _text(record, columns.passage, place)
    question = _text(record, columns.question, place)
    options = _options(record, columns, place)
    if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
        msg = (
            f"{place}: {', '.join(map(repr, columns.option_columns))}: {len(options)} options;"
            f" {MIN_OPTIONS} to {MAX_OPTIONS} are allowed"
        )
        raise DataError(msg)
    label = _label(record.get(columns.label), columns.label, len(options), place)
    own_id = columns.id and _key(record, columns.id, place)
    own_passage_id = columns.passage_id and _key(record, columns.passage_id, place)
    try:
        return Example(
            id=_digest([passage, question, options, label]) if own_id is None else own_id,
            passage_id=_digest(passage) if own_passage_id is None else own_passage_id,
            passage=passage,
            question=question,
            options=options,
            label=label,
        )
    except DataError as error:
        msg = f"{place}: {error}"
        raise DataError(msg) from error


def _digest(value: object) -> str:
    # Half a character is let through here, for Example to refuse with its own message.
    array = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(array, digest_size=16).hexdigest()


def _found(value: object) -> str:
    return "null or missing" if value is None else f"{value!r:.60} ({type(value).__name__})"


def _text(record: Mapping[str, Any], column: str, place: Place) -> str:
    value = record.get(column)
    if isinstance(value, str):
        return value
    msg = f"{place}: {column!r} is {_found(value)}; it must be a text"
    raise DataError(msg)


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        return None
    return int(value)


def _key(record: Mapping[str, Any], column: str, place: Place) -> str:
    value = record.get(column)
    key = value if isinstance(value, str) else _whole(value)
    if key is None:
        msg = f"{place}: {column!r} is {_found(value)}; it must be a text or an integer"
        raise DataError(msg)
    return str(key)


def _options(record: Mapping[str, Any], columns: ColumnMap, place: Place) -> tuple[str, ...]:
    if not isinstance(columns.options, str):
        return _options_of_columns(record, columns.options, place)
    value = record.get(columns.options)
    options = _json_list(value) if isinstance(value, str) else value
    if not isinstance(options, (list, tuple)):
        msg = f"{place}: {columns.options!r} is {_found(value)}; it must be a list of texts"
        raise DataError(msg)
    for number, option in enumerate(options):
        if not isinstance(option, str):
            msg = (
                f"{place}: {columns.options!r} has {_found(option)} at index {number};"
                " every option must be a text"
            )
            raise DataError(msg)
    return tuple(options)


def _json_list(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _options_of_columns(
    record: Mapping[str, Any], columns: Sequence[str], place: Place
) -> tuple[str, ...]:
    values = [record.get(column) for column in columns]
    while values and values[-1] is None:
        values.pop()
    options: list[str] = []
    for column, value in zip(columns, values, strict=False):
        # A CSV cannot tell null from empty, so an empty cell could mean either.
        if not isinstance(value, str) or not value:
            what = "empty" if value == "" else _found(value)
            msg = (
                f"{place}: {column!r} is {what}; it must be a text (where a question has fewer"
                " options, the last ones are null, or all are given as a JSON list in one column)"
            )
            raise DataError(msg)
        options.append(value)
    return tuple(options)


def _label(value: object, column: str, n_options: int, place: Place) -> int:
    index = _whole(value)
    if isinstance(value, str) and _INDEX.fullmatch(value):
        index = int(value)
    elif isinstance(value, str) and _LETTER.fullmatch(value):
        index = LETTERS.index(value.upper())
    if index is not None and 0 <= index < n_options:
        return index
    msg = (
        f"{place}: {column!r} is {_found(value)}; it must be the index of the right one of"
        f" {n_options} options, from 0, or its letter, from A"
    )
    raise DataError(msg)


class Identities:
    """Keeps ids unique and passages true to their ids, over all records of a split.

    Attributes:
        repeats: for each record that repeats an earlier one exactly, and has no id of its own:
            its place -> how many there have been (2 for the first repeat).
    """

    def __init__(self) -> None:
        self.repeats: dict[Place, int] = {}
        self._first: dict[str, Place] = {}
        self._count: dict[str, int] = {}
        self._passages: dict[str, tuple[str, Place]] = {}

    def admit(self, example: Example, columns: ColumnMap, place: Place) -> Example:
        """Return the example under its final id; the same place may come again.

        Raises:
            DataError: its own id was used before, or its passage id stands for another passage.
        """
        if columns.passage_id is not None:
            self._check_passage(example, columns.passage_id, place)
        first = self._first.setdefault(example.id, place)
        if first == place:
            return example
        if columns.id is not None:
            msg = (
                f"{place}: {columns.id!r} is {example.id!r}, as in {first}; ids must be unique"
                f" (map id to nothing if {columns.id!r} is no id)"
            )
            raise DataError(msg)
        if place not in self.repeats:
            self._count[example.id] = self._count.get(example.id, 1) + 1
            self.repeats[place] = self._count[example.id]
        return renumbered(example, self.repeats[place])

    def _check_passage(self, example: Example, column: str, place: Place) -> None:
        digest = _digest(example.passage)
        known, first = self._passages.setdefault(example.passage_id, (digest, place))
        if known != digest:
            msg = (
                f"{place}: {column!r} is {example.passage_id!r}, as in {first}, but the passages"
                " differ; one passage id stands for one text"
            )
            raise DataError(msg)


def renumbered(example: Example, repeat: int) -> Example:
    """The example under the id of the `repeat`-th exact copy; 1 is the original."""
    return example if repeat == 1 else replace(example, id=f"{example.id}-{repeat}")


def read_examples(paths: Sequence[Path], columns: Columns | None, split: str) -> Iterator[Example]:
    """The questions of a split, in the order of the files and their records.

    Args:
        paths: files that `read_records` reads.
        columns: see `resolve_columns`; found out for each file.
        split: for the message where it has no files.

    Raises:
        DataError: a file or record that breaks a rule; one line with file, record and column.
    """
    if not paths:
        msg = f"split {split!r} has no files"
        raise DataError(msg)
    yield from _examples(((str(path), read_records(path)) for path in paths), columns)


def _examples(
    tables: Iterable[tuple[str, Iterator[Record]]], columns: Columns | None
) -> Iterator[Example]:
    identities = Identities()
    for name, records in tables:
        found: ColumnMap | None = None
        for number, record in enumerate(records, 1):
            found = found or resolve_columns(tuple(record), columns, name)
            place = Place(f"{name}, record", number)
            yield identities.admit(to_example(record, found, place), found, place)


def _read(files: Sequence[RawFile], _: str) -> Iterator[Example]:
    tables = ((file.path, parse_records(BytesIO(file.content), file.path)) for file in files)
    yield from _examples(tables, None)


corpora.register(
    Corpus(
        name="custom",
        title="Your own questions",
        version=1,
        splits={},
        read=_read,
        row_order="as in the files",
        n_options="2..26",
        licence=Licence(name="the user's own", url="", redistribution=False),
        homepage="",
        citation="",
        layout="data_files= of .jsonl, .json, .csv, .tsv or .parquet, with columns= where needed",
    )
)
