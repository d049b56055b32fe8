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
from mcrc_adversarial.predictions.asked import check_asked
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
        (sample("x", -1.0, acc="x"), "acc is no number"),
        ({**sample("x", -1.0), "target": 1e999}, "has no log-likelihoods"),
        ({**sample("x", -1.0), "filtered_resps": [[10**400, "x"]]}, "has no log-likelihoods"),
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
        ("log.json", b'{"version": 2, "eval": {}, "samples": {"id": "x"}}'),
        ("log.eval", b"not a zip"),
        ("log.eval", b""),
    ],
)
def test_what_is_no_inspect_log_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ScoringError, match="no readable log of inspect_ai"):
        read_predictions(tmp_path / name)


@pytest.mark.parametrize(
    "damaged",
    [
        "x",
        ["x"],
        {"id": "x", "scores": ["x"]},
        {"id": "x", "scores": {"choice": "C"}},
        {"id": "x", "scores": {"choice": {"answer": "A"}}, "metadata": ["x"]},
    ],
)
@pytest.mark.parametrize("form", ["json", "eval"])
def test_damaged_sample_of_inspect_is_named(tmp_path: Path, form: str, damaged: Any) -> None:
    path = inspect_log(tmp_path, inspect_sample("test/0", "A"), damaged)
    if form == "eval":
        path = tmp_path / "log.eval"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("samples/2", json.dumps(damaged))
    with pytest.raises(ScoringError, match=r"(sample |samples/)2: .* has an object; the file is"):
        read_predictions(path)


@pytest.mark.parametrize("harm", ["packed", "encrypted", "cut"])
def test_archive_that_cannot_be_unpacked_is_refused(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "log.eval"
    packing = zipfile.ZIP_BZIP2 if harm == "packed" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("samples/1.json", json.dumps(inspect_sample("test/0", "A")))
    raw = bytearray(path.read_bytes())
    central = raw.index(b"PK\x01\x02")
    if harm == "encrypted":
        raw[central + 8] |= 1
    elif harm == "cut":
        raw[30 + len("samples/1.json")] = 0xFF
    path.write_bytes(raw)
    with pytest.raises(ScoringError, match="no readable log of inspect_ai"):
        read_predictions(path)


IDS = ("test/0-0", "test/0-1")
ROWS = {
    "passage": ["Ice.", "Ice."],
    "question": ["Cold?", "Warm?"],
    "options": [["yes", "no"], ["yes", "no"]],
}


def asked(number: int, **change: Any) -> dict[str, Any]:
    return {"id": IDS[number], **{name: ROWS[name][number] for name in ROWS}, **change}


def log_of(form: str, tmp_path: Path, *docs: dict[str, Any]) -> Path:
    """What either harness logs of these rows."""
    if form == "lm-eval":
        return lm_eval_log(tmp_path, *({**sample("", -1.0, -2.0), "doc": doc} for doc in docs))
    return inspect_log(
        tmp_path,
        *(
            {
                **inspect_sample(doc["id"], "A"),
                "choices": doc["options"],
                "metadata": {name: doc[name] for name in ("passage", "question")},
            }
            for doc in docs
        ),
    )


@pytest.mark.parametrize("form", ["lm-eval", "inspect"])
def test_log_of_the_rows_themselves_passes(form: str, tmp_path: Path) -> None:
    check_asked(read_predictions(log_of(form, tmp_path, asked(1), asked(0))), IDS, ROWS)
    plain = tmp_path / "plain.jsonl"
    plain.write_text(json.dumps({"id": IDS[0], "prediction": 1}), encoding="utf-8")
    check_asked(read_predictions(plain), IDS, ROWS)


@pytest.mark.parametrize("form", ["lm-eval", "inspect"])
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"passage": ""}, "passage"),
        ({"question": "Warm ?", "options": ["yes", "on"]}, "question, options"),
        ({"options": ["no", "yes"]}, "options"),
    ],
)
def test_log_of_other_rows_is_refused(
    form: str, change: dict[str, Any], named: str, tmp_path: Path
) -> None:
    found = read_predictions(log_of(form, tmp_path, asked(0), asked(1, **change)))
    with pytest.raises(ScoringError, match=rf"1 of 2 answers.*\('test/0-1' in {named}\)"):
        check_asked(found, IDS, ROWS)


def test_log_with_another_number_of_likelihoods_is_refused(tmp_path: Path) -> None:
    path = lm_eval_log(tmp_path, {**sample("", -1.0, -2.0, -3.0), "doc": {"id": IDS[0]}})
    with pytest.raises(ScoringError, match=r"number of options \(3 instead of 2\)"):
        check_asked(read_predictions(path), IDS, ROWS)


def test_logs_are_never_read_in_row_order(tmp_path: Path) -> None:
    logs = (
        lm_eval_log(tmp_path, sample("test/0-0", -1.0, -2.0)),
        inspect_log(tmp_path, inspect_sample("test/0-0", "A")),
    )
    for path in logs:
        with pytest.raises(ScoringError, match="there is a field 'id'; read it by id"):
            read_predictions(path, in_order=True)
