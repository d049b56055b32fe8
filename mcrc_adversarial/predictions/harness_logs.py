"""What evaluation harnesses log of each question, read as an id and a prediction.

Written from logs of lm-evaluation-harness 0.4.13 (`--log_samples`) and inspect_ai 0.3.285, of tasks
that `mcrc-adversarial export` wrote; neither harness is needed to read them.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from mcrc_adversarial.errors import ScoringError

TEXTS = ("passage", "question", "options")
_OF_LM_EVAL = {"doc", "doc_hash", "filtered_resps", "target"}
_OF_INSPECT = {"version", "eval", "samples"}
# Of the scorers in exported tasks; where there are others beside, these count.
_INSPECT_SCORERS = ("choice", "likeliest_letter")
_SAMPLES = "samples/"
_ZSTD = 93
_UNPACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
# In a local header of a zip file: where the lengths of name and extra field stand, and its size.
_LENGTHS_AT, _HEADER = 26, 30
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RecursionError,
    ValueError,
)


class Asked(NamedTuple):
    """What the model was asked, as far as the log says.

    Attributes:
        texts: of passage, question and options those that are logged; options are a list.
        n_options: how many options were ranked; None where the log does not say.
    """

    texts: Mapping[str, object]
    n_options: int | None = None


class Answer(NamedTuple):
    """One logged question: where it stands, its id, the option that was answered, the question."""

    place: str
    id: object
    prediction: object
    asked: Asked


def is_lm_eval(record: Mapping[str, Any]) -> bool:
    """Whether a record is a logged sample of lm-evaluation-harness."""
    return record.keys() >= _OF_LM_EVAL


def lm_eval_answer(record: Mapping[str, Any], place: str) -> Answer:
    """The option with the greatest log-likelihood, the first of equal ones, as in its `acc`.

    Raises:
        ScoringError: the sample is of no multiple-choice task, or its `acc` says otherwise.
    """
    try:
        likelihoods = [float(value) for value, _ in record["filtered_resps"]]
        row_id, target = record["doc"]["id"], int(record["target"])
        is_right = None if record.get("acc") is None else bool(float(record["acc"]))
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        msg = (
            f"{place}: this sample of lm-evaluation-harness has no log-likelihoods of options, its"
            " doc has no id, or acc is no number; tasks of `mcrc-adversarial export --format"
            " lm-eval` log all of these"
        )
        raise ScoringError(msg) from error
    if not likelihoods or any(map(math.isnan, likelihoods)):
        msg = f"{place}, field 'filtered_resps': {likelihoods!r} cannot be ranked"
        raise ScoringError(msg)
    prediction = max(range(len(likelihoods)), key=likelihoods.__getitem__)
    if is_right is not None and is_right != (prediction == target):
        msg = (
            f"{place}: acc is {record['acc']}, but the likeliest option is {prediction} and the"
            f" target {target}; the file was altered"
        )
        raise ScoringError(msg)
    return Answer(place, row_id, prediction, Asked(_texts(record["doc"]), len(likelihoods)))


def _texts(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: fields[name] for name in TEXTS if fields.get(name) is not None}


def read_inspect(path: Path) -> Iterator[Answer]:
    """The answers in a log of inspect_ai, `.eval` or `.json`; samples without one are left out.

    Raises:
        ScoringError: it is no such log, it is damaged, or a sample has several scores and none of
            a known scorer.
    """
    samples = _zipped(path) if path.suffix.lower() == ".eval" else _in_json(path)
    for place, logged in samples:
        sample = _object(logged, place)
        score = _score(sample, place)
        if score.get("answer"):
            # Not its `input`, which is passage and question in one.
            asked = {**_object(sample.get("metadata"), place), "options": sample.get("choices")}
            yield Answer(place, sample.get("id"), score["answer"], Asked(_texts(asked)))


def _score(sample: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """The score that tells the answer; empty where there is none."""
    scores = _object(sample.get("scores"), place)
    known = [scores[name] for name in _INSPECT_SCORERS if name in scores]
    found = known or list(scores.values())
    if len(found) > 1:
        msg = (
            f"{place}: there are scores {', '.join(scores)}; one of {', '.join(_INSPECT_SCORERS)}"
            " alone is needed to know the answer"
        )
        raise ScoringError(msg)
    return _object(found[0] if found else None, place)


def _object(value: object, place: str) -> Mapping[str, Any]:
    """What must be an object wherever a log has it; empty where it has none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        msg = (
            f"{place}: {value!r:.40} stands where a log of inspect_ai has an object; the file is"
            " damaged"
        )
        raise ScoringError(msg)
    return value


def _in_json(path: Path) -> Iterator[tuple[str, object]]:
    try:
        log = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError) as error:
        raise _no_log(path, str(error)) from error
    if not isinstance(log, dict) or not log.keys() >= _OF_INSPECT:
        raise _no_log(path, "an object with version, eval and samples is needed")
    samples = log["samples"] or []
    if not isinstance(samples, list):
        raise _no_log(path, "its samples are no list")
    for number, sample in enumerate(samples, start=1):
        yield f"{path}, sample {number}", sample


def _zipped(path: Path) -> Iterator[tuple[str, object]]:
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as members:
            for member in members.infolist():
                if member.filename.startswith(_SAMPLES):
                    place = f"{path}, {member.filename}"
                    yield place, json.loads(_content(file, members, member))
    except _DAMAGED as error:
        raise _no_log(path, str(error)) from error


def _content(file: BinaryIO, members: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member's bytes; the standard library reads Zstandard only from Python 3.14 on."""
    if member.flag_bits & _ENCRYPTED or member.compress_type not in (_ZSTD, *_UNPACKED):
        msg = f"{member.filename} is encrypted, or packed in an unknown way"
        raise zipfile.BadZipFile(msg)
    if member.compress_type != _ZSTD:
        return members.read(member)
    file.seek(member.header_offset + _LENGTHS_AT)
    name_length, extra_length = struct.unpack("<HH", file.read(_HEADER - _LENGTHS_AT))
    file.seek(name_length + extra_length, 1)
    packed = pa.BufferReader(file.read(member.compress_size))
    with pa.CompressedInputStream(packed, "zstd") as stream:
        content: bytes = stream.read()
    return content


def _no_log(path: Path, reason: str) -> ScoringError:
    why = " ".join(reason.split())
    msg = (
        f"{path}: this is no readable log of inspect_ai ({why}); predictions of your own stand in"
        " .jsonl, .csv or .parquet"
    )
    return ScoringError(msg)
