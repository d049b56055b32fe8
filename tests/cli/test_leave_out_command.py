"""`mcrc-adversarial leave-out`, as a user meets it."""

from __future__ import annotations

from pathlib import Path

import needed
from commands import invoke
from difficult_files import crowd, own_questions

from mcrc_adversarial.corpora.custom import read_examples

needed.package("matplotlib", "extra report")
needed.package("readability", "extra difficulty")


def test_leave_out_parts_every_source_from_the_others(tmp_path: Path) -> None:
    data = crowd(tmp_path / "data")
    result = invoke(
        "leave-out", "crowd-protocols", "--data-dir", data, "--allow-unverified", "--output",
        tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    for source, others in (("slate", "verbatim"), ("verbatim", "slate")):
        found = {
            split: list(read_examples([tmp_path / "out" / source / f"{split}.jsonl"], None, split))
            for split in ("train", "validation", "test")
        }
        assert len(found["test"]) == 12
        assert all(f"/{source}/" in one.passage_id for one in found["test"])
        learnt = [*found["train"], *found["validation"]]
        assert len(learnt) == 12
        assert all(f"/{others}/" in one.passage_id for one in learnt)


def test_leave_out_without_sources_writes_nothing(tmp_path: Path) -> None:
    result = invoke("leave-out", "sample", "--output", tmp_path / "other")

    assert result.exit_code == 2
    assert "questions name no source (the first is 'test/" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_leave_out_of_own_questions_needs_their_sources(tmp_path: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl")
    result = invoke("leave-out", "custom", "--data-file", own, "--output", tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["a", "b", "c"]
