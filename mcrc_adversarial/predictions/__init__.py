"""A run's predictions on disk: one JSON Lines file a config, `<run>/predictions/<config>.jsonl`.

A line is a row: `id`, `label` and `prediction` (indices of options), `logits` (one an option),
`truncated`. Everything that judges a run starts from these files and needs no model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.errors import OutputError, ParameterError, ScoringError

FOLDER = "predictions"
_CONFIG_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FIELDS = ("id", "label", "prediction", "logits", "truncated")


def predictions_path(run: str | Path, config: str) -> Path:
    """Where a run keeps its predictions on a config.

    Raises:
        ParameterError: `config` is no config name (letters a-z, digits, '-').
    """
    if not _CONFIG_NAME.fullmatch(config):
        msg = f"config name {config!r} is not kebab-case (letters a-z, digits, '-')"
        raise ParameterError(msg)
    return Path(run) / FOLDER / f"{config}.jsonl"


def save_predictions(
    run: str | Path, config: str, predictions: ConfigPredictions, *, overwrite: bool = False
) -> Path:
    """Write a run's predictions on one config; the file appears whole or not at all.

    Args:
        run: folder of the run; made where there is none.
        config: name of the config.
        predictions: to write.
        overwrite: replace what an earlier start of the run has left.

    Returns:
        Path of the file.

    Raises:
        OutputError: the file exists and may not be replaced, or cannot be written.
        ParameterError: `config` is no config name.
    """
    path = predictions_path(run, config)
    if path.exists() and not overwrite:
        msg = f"{path}: the file exists; take another folder for the run, or ask to overwrite"
        raise OutputError(msg)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{path.parent}: cannot be made ({error.strerror}); give another folder for the run"
        raise OutputError(msg) from error
    write_text(path, "".join(f"{line}\n" for line in _lines(predictions)))
    return path


def load_predictions(run: str | Path, config: str) -> ConfigPredictions:
    """Read what `save_predictions` wrote.

    Raises:
        ScoringError: there is no such file, or a line of it is broken; the message names the line
            and the field.
        ParameterError: `config` is no config name.
    """
    path = predictions_path(run, config)
    if not path.is_file():
        msg = f"{path}: there is no such file; the run has not been scored on config {config!r}"
        raise ScoringError(msg)
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = [
        _parsed(line, f"{path}, line {number}")
        for number, line in enumerate(lines, start=1)
        if line or len(lines) > 1
    ]
    try:
        found = ConfigPredictions(
            ids=[row["id"] for row in rows],
            labels=[row["label"] for row in rows],
            logits=[row["logits"] for row in rows],
            truncated=[row["truncated"] for row in rows],
        )
    except ScoringError as error:
        msg = f"{path}: {error}"
        raise ScoringError(msg) from error
    for number, (row, prediction) in enumerate(zip(rows, found.predictions, strict=True), start=1):
        if row["prediction"] != prediction:
            msg = (
                f"{path}, line {number}: prediction is {row['prediction']}, but the greatest of"
                f" the logits is at {prediction}; the file was altered"
            )
            raise ScoringError(msg)
    return found


def _lines(predictions: ConfigPredictions) -> list[str]:
    columns = (
        predictions.ids,
        predictions.labels,
        predictions.predictions,
        predictions.logits,
        predictions.truncated,
    )
    # In ASCII, since some readers of lines also break them at U+2028 and its like.
    return [
        json.dumps(dict(zip(_FIELDS, values, strict=True)), allow_nan=False)
        for values in zip(*columns, strict=True)
    ]


def _parsed(line: str, place: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        msg = f"{place}: this is not JSON ({error.msg} at column {error.colno})"
        raise ScoringError(msg) from error
    if not isinstance(row, dict) or sorted(row) != sorted(_FIELDS):
        msg = f"{place}: an object with exactly the fields {', '.join(_FIELDS)} is needed"
        raise ScoringError(msg)
    expected = {
        "id": isinstance(row["id"], str),
        "label": type(row["label"]) is int,
        "prediction": type(row["prediction"]) is int,
        "logits": _are_numbers(row["logits"]),
        "truncated": isinstance(row["truncated"], bool),
    }
    for field, is_right in expected.items():
        if not is_right:
            msg = f"{place}, field {field!r}: {row[field]!r} is not of the field's type"
            raise ScoringError(msg)
    return row


def _are_numbers(values: object) -> bool:
    return isinstance(values, list) and all(type(value) in (int, float) for value in values)
