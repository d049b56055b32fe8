"""Reading people's own tables: JSON, JSON lines, CSV, TSV and Parquet, record by record."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, BinaryIO, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.records import as_list, parse_json

Record: TypeAlias = dict[str, Any]

_BATCH = 1000
# The module's own limit, 128 KiB, is less than a chapter of a novel; this one fits a C long.
_LONGEST_CELL = 2**31 - 1


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file, one at a time; only a JSON list is held in memory whole.

    Args:
        path: a .jsonl, .ndjson, .json (a list, or lines), .csv, .tsv or .parquet file. Text is
            UTF-8, with or without a byte-order mark. CSV and TSV have a header, and their cells
            are texts.

    Raises:
        DataError: another suffix, no record, broken syntax, not UTF-8, or no such file. One line
            with the file, and the line where there is one.
    """
    check_suffix(path)
    try:
        with path.open("rb") as stream:
            yield from parse_records(stream, str(path))
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(msg) from error


def check_suffix(path: PurePath) -> None:
    """Check that the name's ending is one that `read_records` reads.

    Raises:
        DataError: it is another.
    """
    if path.suffix.lower() not in _READERS:
        msg = f"{path}: the suffix {path.suffix!r} is none of {', '.join(_READERS)}"
        raise DataError(msg)


def parse_records(stream: BinaryIO, name: str) -> Iterator[Record]:
    """As `read_records`, for the content of a file called `name`; the stream can seek."""
    check_suffix(PurePath(name))
    empty = True
    for record in _READERS[PurePath(name).suffix.lower()](stream, name):
        empty = False
        yield record
    if empty:
        msg = f"{name}: the file holds no record; at least one is needed"
        raise DataError(msg)


def _lines(stream: BinaryIO, name: str) -> Iterator[str]:
    r"""Decoded lines with their ends, cut at `\n` alone, since texts may hold other breaks."""
    for number, line in enumerate(stream, 1):
        content = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        try:
            yield content.decode("utf-8")
        except UnicodeDecodeError as error:
            msg = (
                f"{name}, line {number}: not UTF-8 (byte 0x{content[error.start]:02x});"
                " save the file as UTF-8"
            )
            raise DataError(msg) from error


def _json_object(value: object, place: str) -> Record:
    if not isinstance(value, dict):
        msg = f"{place}: {type(value).__name__} where an object with named fields is needed"
        raise DataError(msg)
    return value


def _read_json_lines(stream: BinaryIO, name: str) -> Iterator[Record]:
    for number, line in enumerate(_lines(stream, name), 1):
        if line.strip():
            place = f"{name}, line {number}"
            yield _json_object(parse_json(line, place), place)


def _read_json(stream: BinaryIO, name: str) -> Iterator[Record]:
    head = stream.read(_BATCH).removeprefix(codecs.BOM_UTF8)
    stream.seek(0)
    if not head.lstrip().startswith(b"["):
        yield from _read_json_lines(stream, name)
        return
    values = as_list(parse_json("".join(_lines(stream, name)), name), name)
    for number, value in enumerate(values, 1):
        yield _json_object(value, f"{name}, record {number}")


def _read_csv(stream: BinaryIO, name: str, *, delimiter: str) -> Iterator[Record]:
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(_lines(stream, name), delimiter=delimiter, strict=True)
    # Where the record begins: after a quote that is never closed, it ends anywhere.
    line = 1
    try:
        header = next(reader, [])
        _check_header(header, name)
        line = reader.line_num + 1
        for cells in reader:
            # A blank line, as editors leave at the end, has no cells.
            if cells:
                _check_cells(cells, header, f"{name}, line {line}")
                yield dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        msg = f"{name}, line {line}: broken CSV: {error}"
        raise DataError(msg) from error


def _check_cells(cells: list[str], header: list[str], place: str) -> None:
    if len(cells) != len(header):
        msg = f"{place}: {len(cells)} cells, but the header names {len(header)} columns"
        raise DataError(msg)


def _check_header(header: list[str], name: str) -> None:
    twice = [column for column in header if header.count(column) > 1]
    if twice:
        msg = f"{name}, line 1: column {twice[0]!r} stands in the header more than once"
        raise DataError(msg)


def _read_parquet(stream: BinaryIO, name: str) -> Iterator[Record]:
    try:
        for batch in parquet.ParquetFile(stream).iter_batches(batch_size=_BATCH):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(name, error) from error


def read_schema(path: Path) -> pa.Schema:
    """The columns and types of a Parquet file.

    Raises:
        DataError: it is none, or cannot be read.
    """
    try:
        return parquet.read_schema(path)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(str(path), error) from error


def _unreadable(name: str, error: Exception) -> DataError:
    reason = str(error).splitlines()[0]
    return DataError(f"{name}: not a Parquet file that can be read: {reason}")


_READERS: Mapping[str, Callable[[BinaryIO, str], Iterator[Record]]] = MappingProxyType(
    {
        ".jsonl": _read_json_lines,
        ".ndjson": _read_json_lines,
        ".json": _read_json,
        ".csv": partial(_read_csv, delimiter=","),
        ".tsv": partial(_read_csv, delimiter="\t"),
        ".parquet": _read_parquet,
    }
)
