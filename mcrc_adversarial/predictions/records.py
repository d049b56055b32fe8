"""The records of a file of predictions, one reader a format.

Readers check the form of the file; what a record's fields may hold is checked by
`predictions.files`.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.predictions.harness_logs import (
    Answer,
    Asked,
    is_lm_eval,
    lm_eval_answer,
    read_inspect,
)

ID = "id"
PREDICTION = "prediction"
# Excel writes semicolons where the comma is the decimal mark.
_DELIMITERS = (",", ";", "\t")
_SHOWN_AT_MOST = 10


class Record(NamedTuple):
    """One record as read: where it stands, its id if it has one, and its raw prediction.

    Beside these, what the model was asked, which only logs of harnesses say.
    """

    place: str
    id: object
    prediction: object
    asked: Asked | None = None


def _check_fields(fields: Iterable[str], place: str, in_order: bool) -> None:
    """Raise unless the fields are those that the way of reading needs."""
    known = list(fields)
    if PREDICTION not in known or (ID not in known and not in_order):
        lacking = PREDICTION if PREDICTION not in known else ID
        shown = ", ".join(known[:_SHOWN_AT_MOST]) or "none"
        hint = "" if lacking == PREDICTION else " (or say that the records are in row order)"
        msg = f"{place}: there is no field '{lacking}', only {shown}{hint}"
        raise ScoringError(msg)
    if in_order and ID in known:
        msg = f"{place}: there is a field '{ID}'; read it by id, not in row order"
        raise ScoringError(msg)
    _check_once(known, place)


def _check_once(fields: Iterable[str], place: str) -> None:
    """Raise where a name stands twice; columns without a name, as spreadsheets write, may."""
    for field, count in Counter(fields).items():
        if field and count > 1:
            msg = f"{place}: the field '{field}' stands there {count} times; keep one"
            raise ScoringError(msg)


def _text(path: Path) -> str:
    """The whole file, without the byte order mark that Excel writes and trailing white space."""
    try:
        return path.read_text(encoding="utf-8-sig").rstrip()
    except UnicodeDecodeError as error:
        msg = f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8"
        raise ScoringError(msg) from error
    except OSError as error:
        msg = f"{path}: the file cannot be read ({error.strerror})"
        raise ScoringError(msg) from error


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Place and text of each line; str.splitlines would also split at U+2028, legal in JSON."""
    text = _text(path)
    for number, line in enumerate(text.split("\n") if text else [], start=1):
        yield f"{path}, line {number}", line


def _json(line: str, place: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        _check_once((key for key, _ in pairs), place)
        return dict(pairs)

    try:
        return json.loads(line, object_pairs_hook=once)
    except ScoringError:
        raise
    except (ValueError, RecursionError) as error:
        msg = f"{place}: this is not JSON ({error})"
        raise ScoringError(msg) from error


def _read_jsonl(path: Path, in_order: bool) -> Iterator[Record]:
    for place, line in _lines(path):
        if not line.strip() and not in_order:
            continue
        value = _json(line, place)
        if isinstance(value, dict) and is_lm_eval(value):
            yield _by_id(lm_eval_answer(value, place), in_order)
        elif isinstance(value, dict):
            _check_fields(value, place, in_order)
            yield Record(place, value.get(ID), value[PREDICTION])
        elif in_order:
            yield Record(place, None, value)
        else:
            msg = f"{place}: a JSON object is needed, this is {type(value).__name__}"
            raise ScoringError(msg)


def _read_inspect(path: Path, in_order: bool) -> Iterator[Record]:
    for answer in read_inspect(path):
        yield _by_id(answer, in_order)


def _by_id(answer: Answer, in_order: bool) -> Record:
    """A harness's answer, which has an id, and so is never read in row order."""
    _check_fields((ID, PREDICTION), answer.place, in_order)
    return Record(*answer)


def _read_csv(path: Path, in_order: bool) -> Iterator[Record]:
    header: list[str] | None = None
    for place, cells in _csv_rows(path):
        if header is None:
            header = [cell.strip() for cell in cells]
            if not in_order or len(header) != 1 or header == [PREDICTION]:
                _check_fields(header, place, in_order)
                continue
            header = [PREDICTION]
        if cells or in_order:
            yield _csv_record(header, cells, place)


def _csv_rows(path: Path) -> list[tuple[str, list[str]]]:
    """Place and cells of each row, of whatever length."""
    text = _text(path)
    delimiter = _delimiter(text.partition("\n")[0])
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    # The limit is the whole process's, so it is put back before anyone else can run.
    limit = csv.field_size_limit()
    csv.field_size_limit(max(limit, len(text)))
    try:
        return [(f"{path}, line {reader.line_num}", cells) for cells in reader]
    except csv.Error as error:
        msg = f"{path}, line {reader.line_num}: this is not CSV ({error})"
        raise ScoringError(msg) from error
    finally:
        csv.field_size_limit(limit)


def _delimiter(header: str) -> str:
    """The delimiter by which the header has a field for predictions; else the comma."""
    for delimiter in _DELIMITERS:
        if PREDICTION in (cell.strip(' "') for cell in header.split(delimiter)):
            return delimiter
    return ","


def _csv_record(header: Sequence[str], cells: Sequence[str], place: str) -> Record:
    if len(cells) != len(header):
        msg = f"{place}: {len(cells)} fields, but the first line has {len(header)}"
        raise ScoringError(msg)
    named = dict(zip(header, cells, strict=True))
    return Record(place, named.get(ID), named[PREDICTION])


def _read_text(path: Path, _in_order: bool) -> Iterator[Record]:
    for place, line in _lines(path):
        yield Record(place, None, line)


def _read_parquet(path: Path, in_order: bool) -> Iterator[Record]:
    wanted = [PREDICTION] if in_order else [ID, PREDICTION]
    try:
        with pq.ParquetFile(path) as file:
            _check_fields(file.schema_arrow.names, str(path), in_order)
            table = file.read(columns=wanted).to_pydict()
    except (pa.ArrowException, OSError) as error:
        msg = f"{path}: this is not a readable Parquet file ({str(error).partition(chr(10))[0]})"
        raise ScoringError(msg) from error
    ids = table.get(ID, [None] * len(table[PREDICTION]))
    for number, pair in enumerate(zip(ids, table[PREDICTION], strict=True), start=1):
        yield Record(f"{path}, record {number}", *pair)


READERS: dict[str, Callable[[Path, bool], Iterator[Record]]] = {
    ".jsonl": _read_jsonl,
    ".ndjson": _read_jsonl,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".parquet": _read_parquet,
    ".json": _read_inspect,
    ".eval": _read_inspect,
    ".txt": _read_text,
}
