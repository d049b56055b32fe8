"""Logs of evaluation harnesses as predictions; the harnesses' own are in tests/harnesses."""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.predictions.files import read_predictions


def sample(row: str, *likelihoods: float, target: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "doc_id": 0,
        "doc": {"id": row, "options": ["a"] * len(likelihoods)},
        "target": str(target),
        "filtered_resps": [[str(value), "False"] for value in likelihoods],
        "doc_hash": "00",
        **more,
    }


def lm_eval_log(tmp_path: Path, *samples: dict[str, Any]) -> Path:
    path = tmp_path / "samples_task.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in samples), encoding="utf-8")
    return path


def inspect_sample(row: str, answer: str | None, scorer: str = "choice") -> dict[str, Any]:
    return {"id": row, "epoch": 1, "scores": {scorer: {"value": "C", "answer": answer}}}


def inspect_log(tmp_path: Path, *samples: dict[str, Any]) -> Path:
    path = tmp_path / "log.json"
    content = {"version": 2, "status": "success", "eval": {}, "samples": samples}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def zip_of_zstd(path: Path, members: dict[str, bytes]) -> None:
    """A zip file whose members are Zstandard, which zipfile does not write before Python 3.14."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name)
            # Other programs put times or owners there, between the name and the content.
            entry.extra = struct.pack("<HH4s", 0xCAFE, 4, b"more")
            archive.writestr(entry, pa.compress(content, "zstd", asbytes=True))
    raw = bytearray(path.read_bytes())
    lengths = {
        name.encode(): (len(content), zlib.crc32(content)) for name, content in members.items()
    }
    for name, (length, checksum) in lengths.items():
        local, central = (found.start() for found in re.finditer(re.escape(name), bytes(raw)))
        for start in (local - 30 + 8, central - 46 + 10):
            struct.pack_into("<H", raw, start, 93)
        for start in (local - 30 + 14, central - 46 + 16):
            struct.pack_into("<I", raw, start, checksum)
            struct.pack_into("<I", raw, start + 8, length)
    path.write_bytes(raw)


def test_lm_eval_sample_is_answered_by_the_likeliest_option(tmp_path: Path) -> None:
    path = lm_eval_log(
        tmp_path,
        sample("test/1-0", -9.5, -2.0, -3.0, acc=0.0),
        sample("test/1-1", -1.0, -1.0, target=0, acc=1.0),
        sample("test/2-0", -700.0, -float("inf"), -699.5, target=2),
    )
    found = read_predictions(path)
    assert found.ids == ("test/1-0", "test/1-1", "test/2-0")
    assert found.predictions == (1, 0, 2)


@pytest.mark.parametrize(
    ("broken", "match"),
    [
        (sample("test/1-0", -1.0, -2.0, target=0, acc=0.0), "acc is 0.0, but the likeliest"),
        (sample("test/1-0", float("nan"), -2.0), "cannot be ranked"),
        (sample("test/1-0"), "cannot be ranked"),
        ({**sample("x", -1.0), "filtered_resps": ["The answer is B"]}, "has no log-likelihoods"),
        ({**sample("x", -1.0), "doc": {"question": "?"}}, "its doc has no id"),
    ],
)
def test_lm_eval_sample_is_refused(tmp_path: Path, broken: dict[str, Any], match: str) -> None:
    path = lm_eval_log(tmp_path, sample("test/0-0", -1.0, -2.0), broken)
    with pytest.raises(ScoringError, match=f"line 2.*{match}"):
        read_predictions(path)


def test_inspect_log_gives_answers_and_leaves_out_who_gave_none(tmp_path: Path) -> None:
    path = inspect_log(
        tmp_path,
        inspect_sample("test/1-0", "C"),
        inspect_sample("test/1-1", ""),
        inspect_sample("test/1-2", None),
        {"id": "test/1-3", "epoch": 1},
        {
            **inspect_sample("test/2-0", "A", "likeliest_letter"),
            "scores": {"length": {"answer": "7"}, "likeliest_letter": {"answer": "A"}},
        },
        inspect_sample("test/2-1", "B", "one_of_their_own"),
    )
    found = read_predictions(path)
    assert found.ids == ("test/1-0", "test/2-0", "test/2-1")
    assert found.predictions == (2, 0, 1)


@pytest.mark.parametrize("zstd", [True, False])
def test_inspect_log_is_read_from_its_archive(tmp_path: Path, zstd: bool) -> None:
    path = tmp_path / "log.eval"
    members = {
        "header.json": b"{}",
        **{
            f"samples/test/{number}_epoch_1.json": json.dumps(
                inspect_sample(f"test/{number}", letter)
            ).encode()
            for number, letter in enumerate("BAD")
        },
        "summaries.json": b"[]",
    }
    if zstd:
        zip_of_zstd(path, members)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    found = read_predictions(path)
    assert found.ids == ("test/0", "test/1", "test/2")
    assert found.predictions == (1, 0, 3)


def test_inspect_log_with_scores_nobody_knows_is_refused(tmp_path: Path) -> None:
    two = {"id": "x", "scores": {"mine": {"answer": "A"}, "yours": {"answer": "B"}}}
    with pytest.raises(ScoringError, match=r"sample 1: there are scores mine, yours; one of"):
        read_predictions(inspect_log(tmp_path, two))


@pytest.mark.parametrize("samples", [None, []])
def test_inspect_log_of_a_run_that_failed_has_no_predictions(
    tmp_path: Path, samples: list[Any] | None
) -> None:
    path = inspect_log(tmp_path)
    content = {**json.loads(path.read_text(encoding="utf-8")), "samples": samples}
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ScoringError, match="no "):
        read_predictions(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("log.json", b"{"),
        ("log.json", b"[1]"),
        ("log.json", b'{"id": "x", "prediction": 1}'),
        ("log.eval", b"not a zip"),
        ("log.eval", b""),
    ],
)
def test_what_is_no_inspect_log_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ScoringError, match="no readable log of inspect_ai"):
        read_predictions(tmp_path / name)


def test_logs_are_never_read_in_row_order(tmp_path: Path) -> None:
    logs = (
        lm_eval_log(tmp_path, sample("test/0-0", -1.0, -2.0)),
        inspect_log(tmp_path, inspect_sample("test/0-0", "A")),
    )
    for path in logs:
        with pytest.raises(ScoringError, match="there is a field 'id'; read it by id"):
            read_predictions(path, in_order=True)
