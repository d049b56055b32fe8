"""Read anyone's predictions from a file and bring them into the order of a config's rows.

A file has one record a row: an `id` and a `prediction`, which is an option's index from 0 or its
letter from A. Other columns are ignored. Without ids the records must be in the config's row
order, and the caller has to say so. Logs of evaluation harnesses have ids of their own kind: see
`harness_logs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.example import LETTERS, MAX_OPTIONS
from mcrc_adversarial.predictions.harness_logs import Asked
from mcrc_adversarial.predictions.records import ID, PREDICTION, READERS

_NAMED_AT_MOST = 5


@dataclass(frozen=True)
class PredictionFile:
    """Predictions as they stand in a file.

    Attributes:
        path: of the file.
        ids: one a record; None where the records are in row order.
        predictions: option indices, one a record.
        asked: what the model was asked, one a record, None where the file does not say.
    """

    path: Path
    ids: tuple[str, ...] | None
    predictions: tuple[int, ...]
    asked: tuple[Asked | None, ...] = ()


@dataclass(frozen=True)
class AlignedPredictions:
    """Predictions in the order of a config's rows.

    Attributes:
        rows: numbers of the config's rows that have a prediction, rising; shape (n,).
        predictions: option index of each of those rows, shape (n,).
        references: label of each of those rows, shape (n,).
    """

    rows: npt.NDArray[np.int64]
    predictions: npt.NDArray[np.int64]
    references: npt.NDArray[np.int64]


def read_predictions(path: str | Path, *, in_order: bool = False) -> PredictionFile:
    """Read a JSONL, CSV or Parquet file of predictions, or a log of an evaluation harness.

    Args:
        path: a file ending in .jsonl, .ndjson, .csv, .tsv or .parquet, .json or .eval (of
            inspect_ai), or with `in_order` in .txt.
        in_order: the records have no ids and stand in the config's row order; a text or CSV file
            may then be one bare column, and a JSONL record one bare value.

    Raises:
        ScoringError: there is no such file, its kind is unknown, or a record lacks a field or
            holds something that is neither index nor letter; the message names file, record and
            field.
    """
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None or (file.suffix.lower() == ".txt" and not in_order):
        msg = f"{file}: the name must end in {', '.join(READERS)} (.txt only in row order)"
        raise ScoringError(msg)
    if not file.is_file():
        msg = f"{file}: there is no such file"
        raise ScoringError(msg)
    ids: list[str] = []
    predictions: list[int] = []
    asked: list[Asked | None] = []
    for record in reader(file, in_order):
        predictions.append(_as_index(record.prediction, f"{record.place}, field '{PREDICTION}'"))
        if not in_order:
            ids.append(_as_id(record.id, f"{record.place}, field '{ID}'"))
        asked.append(record.asked)
    if not predictions:
        msg = f"{file}: the file holds no predictions"
        raise ScoringError(msg)
    return PredictionFile(file, None if in_order else tuple(ids), tuple(predictions), tuple(asked))


def align(
    predictions: PredictionFile,
    ids: Sequence[str],
    labels: Sequence[int],
    n_options: Sequence[int],
    allow_partial: bool = False,
) -> AlignedPredictions:
    """Bring predictions into the order of a config's rows.

    Args:
        predictions: as read.
        ids: of the config's rows, each once.
        labels: index of the right option of each row.
        n_options: number of options of each row.
        allow_partial: rows without a prediction are left out and counted.

    Raises:
        ScoringError: ids are duplicated, unknown or (unless allowed) missing, a file in row order
            has another number of records than the config has rows, or an index is outside its
            row's options.
    """
    if predictions.ids is None:
        _check_number(predictions, len(ids))
        found: Sequence[int | None] = predictions.predictions
    else:
        _check_ids(predictions.path, predictions.ids, ids, allow_partial)
        by_id = dict(zip(predictions.ids, predictions.predictions, strict=True))
        found = [by_id.get(row_id) for row_id in ids]
    rows = [row for row, index in enumerate(found) if index is not None]
    indices = [index for index in found if index is not None]
    for row, index in zip(rows, indices, strict=True):
        _check_option(predictions.path, ids[row], index, n_options[row])
    references = [labels[row] for row in rows]
    return AlignedPredictions(
        np.array(rows, dtype=np.int64),
        np.array(indices, dtype=np.int64),
        np.array(references, dtype=np.int64),
    )


def _check_option(path: Path, row_id: str, index: int, count: int) -> None:
    if index >= count:
        msg = (
            f"{path}: the prediction for {row_id!r} is {index} ({LETTERS[index]}); the row has"
            f" {count} options, 0 to {count - 1} (A to {LETTERS[count - 1]})"
        )
        raise ScoringError(msg)


def _as_index(value: object, place: str) -> int:
    """An option index from an index or a letter; digits as text count as a number."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) == 1 and text in LETTERS:
            return LETTERS.index(text)
        number = int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else -1
    else:
        number = value if type(value) is int else -1
    if not 0 <= number < MAX_OPTIONS:
        msg = (
            f"{place}: {value!r} is no prediction; an option's index from 0 to {MAX_OPTIONS - 1}"
            " or its letter in upper case, A to Z, is needed"
        )
        raise ScoringError(msg)
    return number


def _as_id(value: object, place: str) -> str:
    if not isinstance(value, str) or not value:
        msg = f"{place}: {value!r} is no id; the text of the config's column 'id' is needed"
        raise ScoringError(msg)
    return value


def _named(ids: Iterable[str]) -> str:
    """How many ids, and the first ones."""
    all_ids = list(ids)
    more = ", ..." if len(all_ids) > _NAMED_AT_MOST else ""
    return f"{len(all_ids)} ({', '.join(map(repr, all_ids[:_NAMED_AT_MOST]))}{more})"


def _check_number(predictions: PredictionFile, n_rows: int) -> None:
    n_found = len(predictions.predictions)
    if n_found != n_rows:
        msg = (
            f"{predictions.path}: {n_found} predictions in row order, but the config has {n_rows}"
            " rows; give every row, or a file with ids"
        )
        raise ScoringError(msg)


def _check_ids(
    path: Path, found: Sequence[str], expected: Sequence[str], allow_partial: bool
) -> None:
    doubled = [row_id for row_id, count in Counter(found).items() if count > 1]
    if doubled:
        msg = f"{path}: ids that stand in more than one record: {_named(doubled)}"
        raise ScoringError(msg)
    known = set(expected)
    extra = [row_id for row_id in found if row_id not in known]
    given = set(found)
    missing = [row_id for row_id in expected if row_id not in given]
    problems = []
    if missing and (not allow_partial or len(missing) == len(expected)):
        problems.append(f"ids of the config that are missing: {_named(missing)}")
    if extra:
        problems.append(f"ids that the config does not have: {_named(extra)}")
    if problems:
        msg = f"{path}: {'; '.join(problems)}; of {len(expected)} rows in the config"
        raise ScoringError(msg)
