"""Attacking a file of people's own questions: any of its kinds in, any of its kinds out."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import pyarrow as pa
from datasets import Features
from pyarrow import parquet

from mcrc_adversarial.atomic import replacing
from mcrc_adversarial.attacking.records import RecordAttack, check_new_columns
from mcrc_adversarial.corpora.custom import (
    ColumnMap,
    Columns,
    Identities,
    Place,
    Record,
    check_suffix,
    read_records,
    read_schema,
    resolve_columns,
    to_example,
)
from mcrc_adversarial.errors import DataError, OutputError
from mcrc_adversarial.example import Example

_BATCH = 5000

# Shows progress while records go by.
Watch = Callable[[Iterator[Record]], Iterable[Record]]


@dataclass(frozen=True)
class Questions:
    """The questions of a file, read and checked anew each time.

    Attributes:
        path: a file that `read_records` reads.
        columns: see `resolve_columns`.
        features: the columns that the attack adds, with their types.
    """

    path: Path
    columns: Columns | None
    features: Mapping[str, Any]

    def place(self, number: int) -> Place:
        """The place of a record, counted from 1."""
        return Place(f"{self.path}, record", number)

    def read(self, watch: Watch) -> Iterator[tuple[Record, Example, ColumnMap]]:
        """Each record, the question in it, and how it was found."""
        identities = Identities()
        found: ColumnMap | None = None
        for number, record in enumerate(watch(read_records(self.path)), 1):
            place = self.place(number)
            check_new_columns(record, self.features, str(place))
            found = found or resolve_columns(tuple(record), self.columns, str(self.path))
            example = identities.admit(to_example(record, found, place), found, place)
            yield record, example, found


# (rows, where to write them, the questions that they are from)
Writer = Callable[[Iterator[Record], BinaryIO, Questions], None]


@dataclass
class Summary:
    """What an attack did to a file.

    Attributes:
        rows: number of records.
        attacked: number of records with an altered text.
        reasons: code -> number of records that carry it.
    """

    rows: int = 0
    attacked: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def count(self, row: Mapping[str, Any]) -> None:
        """Add one row."""
        self.rows += 1
        self.attacked += row["attacked"]
        self.reasons.update(filter(None, row["reason"].split(";")))


def attack_file(
    source: Path,
    output: Path,
    run: RecordAttack,
    *,
    columns: Columns | None = None,
    overwrite: bool = False,
    watch: Watch = iter,
) -> Summary:
    """Attack all questions of a file; the new file appears whole or not at all.

    Args:
        source: a file that `read_records` reads.
        output: its suffix says what is written: .jsonl, .ndjson, .csv, .tsv or .parquet.
        run: the attack.
        columns: see `resolve_columns`.
        overwrite: whether `output` may be there already.
        watch: sees the records go by, to show progress.

    Raises:
        DataError: the file, a column or a record breaks a rule.
        OutputError: `output` is there, or cannot be written.
    """
    check_suffix(source)
    writer = _writer(output, overwrite=overwrite)
    questions, summary = Questions(source, columns, run.features), Summary()
    with _whole(output) as stream:
        writer(_rows(questions.read(watch), run, summary), stream, questions)
    return summary


def _writer(output: Path, *, overwrite: bool) -> Writer:
    if output.suffix.lower() not in _WRITERS:
        msg = f"{output}: the suffix {output.suffix!r} is none of {', '.join(_WRITERS)}"
        raise OutputError(msg)
    try:
        is_folder, is_there = output.is_dir(), output.exists()
    except OSError as error:
        msg = f"{output}: cannot be written: {error.strerror or error}"
        raise OutputError(msg) from error
    if is_folder or (is_there and not overwrite):
        what = "a folder" if is_folder else "there already (--force overwrites it)"
        msg = f"{output} is {what}; nothing was written"
        raise OutputError(msg)
    return _WRITERS[output.suffix.lower()]


@contextmanager
def _whole(output: Path) -> Iterator[BinaryIO]:
    """A stream to a file that gets the name `output` at the end, or is removed."""
    with replacing(output) as unfinished, unfinished.open("wb") as stream:
        yield stream


def _rows(
    questions: Iterator[tuple[Record, Example, ColumnMap]], run: RecordAttack, summary: Summary
) -> Iterator[Record]:
    for record, example, columns in questions:
        row = {**record, **run.alter(record, example, columns)}
        summary.count(row)
        yield row


def _json(value: object, place: Place) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError as error:
        msg = f"{place}: {error}; write a .parquet file, or leave the column out"
        raise DataError(msg) from error


def _utf8(text: str, place: Place) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        msg = f"{place}: {text[error.start]!r} is half a character, which no file can hold"
        raise DataError(msg) from error


def _write_json_lines(rows: Iterator[Record], stream: BinaryIO, questions: Questions) -> None:
    for number, row in enumerate(rows, 1):
        place = questions.place(number)
        stream.write(_utf8(_json(row, place), place) + b"\n")


def _write_csv(
    rows: Iterator[Record], stream: BinaryIO, questions: Questions, *, delimiter: str = ","
) -> None:
    line = io.StringIO(newline="")
    # Its line end \r\n makes it quote cells with either character, on every Python.
    writer = csv.writer(line, delimiter=delimiter)
    header: list[str] = []
    for number, row in enumerate(rows, 1):
        place = questions.place(number)
        if not header:
            header = list(row)
            writer.writerow(header)
        extra = [name for name in row if name not in header]
        if extra:
            msg = f"{place}: a column {extra[0]!r} that record 1 has not; write a .jsonl file"
            raise DataError(msg)
        writer.writerow([_cell(row.get(name), place) for name in header])
        stream.write(_utf8(line.getvalue(), place))
        line.seek(0)
        line.truncate()


def _write_tsv(rows: Iterator[Record], stream: BinaryIO, questions: Questions) -> None:
    _write_csv(rows, stream, questions, delimiter="\t")


def _cell(value: object, place: Place) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else _json(value, place)


def _batches(rows: Iterator[Record]) -> Iterator[list[Record]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _write_parquet(rows: Iterator[Record], stream: BinaryIO, questions: Questions) -> None:
    schema = _schema(questions)
    try:
        writer = parquet.ParquetWriter(stream, schema, compression="zstd")
    except pa.ArrowException as error:
        raise _mixed(questions.path, error) from error
    with writer:
        for batch in _batches(rows):
            writer.write_table(_table(batch, schema, questions.path))


def _table(records: list[Record], schema: pa.Schema | None, source: Path) -> pa.Table:
    names = schema.names if schema else list(dict.fromkeys(n for one in records for n in one))
    try:
        return pa.table({name: [one.get(name) for one in records] for name in names}, schema=schema)
    except UnicodeEncodeError as error:
        msg = f"{source}: {error.object[error.start]!r} is half a character, which no file can hold"
        raise DataError(msg) from error
    except (pa.ArrowException, OverflowError) as error:
        raise _mixed(source, error) from error


def _mixed(source: Path, error: Exception) -> DataError:
    return DataError(
        f"{source}: the values of a column differ in type, or are empty objects, which no Parquet"
        " file can hold"
        f" ({str(error).splitlines()[0]}); write a .jsonl file"
    )


def _schema(questions: Questions) -> pa.Schema:
    """The types of the source's columns and of ours; JSON is read once for it."""
    is_parquet = questions.path.suffix.lower() == ".parquet"
    schema = read_schema(questions.path) if is_parquet else _inferred(questions)
    for added in Features(dict(questions.features)).arrow_schema:
        schema = schema.append(added)
    return schema


def _inferred(questions: Questions) -> pa.Schema:
    schema = pa.schema([])
    # Checked already here, so that a wrong question is named before a type that does not fit.
    for batch in _batches(record for record, *_ in questions.read(iter)):
        found = _table(batch, None, questions.path).schema
        try:
            schema = pa.unify_schemas([schema, found], promote_options="permissive")
        except pa.ArrowException as error:
            raise _mixed(questions.path, error) from error
    return schema


_WRITERS: Mapping[str, Writer] = MappingProxyType(
    {
        ".jsonl": _write_json_lines,
        ".ndjson": _write_json_lines,
        ".csv": _write_csv,
        ".tsv": _write_tsv,
        ".parquet": _write_parquet,
    }
)
