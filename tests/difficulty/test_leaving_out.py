from __future__ import annotations

import json
from dataclasses import replace

import pytest
from difficult_questions import example

from mcrc_adversarial.difficulty.leaving_out import source_files
from mcrc_adversarial.difficulty.slugs import slugs
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example


def rows() -> list[Example]:
    return [example(n, source="abc"[n % 3]) for n in range(12)]


def passages(files: dict[str, str], name: str) -> set[str]:
    return {json.loads(line)["passage"] for line in files[name].splitlines()}


@pytest.mark.parametrize("has_own_id", [True, False])
def test_no_passage_is_trained_and_tested_on(has_own_id: bool) -> None:
    shared = rows()[0]
    more = replace(shared, id="test/0-1", facts={**shared.facts, "source": "b"})
    if has_own_id:
        more = replace(more, id="test/99-0", passage_id="test/99")
    told: list[str] = []

    files = dict(source_files([*rows(), more], say=told.append))

    for folder in "abc":
        tested = passages(files, f"{folder}/test.jsonl")
        learnt = [passages(files, f"{folder}/{split}.jsonl") for split in ("train", "validation")]
        assert all(learnt)
        assert not tested & set.union(*learnt)
    assert len(told) == 2
    assert told[0].startswith("a: 1 questions on 1 passages are left out of train and validation")
    assert told[1].startswith("b: 1 questions on 1 passages")


def test_sources_apart_lose_no_question() -> None:
    told: list[str] = []
    files = dict(source_files(rows(), say=told.append))

    assert told == []
    assert sum(text.count("\n") for name, text in files.items() if name.startswith("a/")) == 12


def test_source_whose_passages_are_all_shared_is_refused() -> None:
    shared = [replace(one, passage="Ed ran.") for one in rows()]

    with pytest.raises(DataError, match="without the passages of 'a' there are 0; training and"):
        dict(source_files(shared))


def test_folders_have_names_that_a_disk_takes() -> None:
    names = ("x" * 300, "x" * 299 + "y", "小説")
    told: list[str] = []
    files = dict(
        source_files([replace(one, facts={"source": names[n % 3]}) for n, one in enumerate(rows())],
                     say=told.append)
    )  # fmt: skip

    folders = list(dict.fromkeys(name.split("/")[0] for name in files))
    assert folders == [f"1-{'x' * 60}", f"2-{'x' * 60}", "3"]
    assert told[2] == "3: the source '小説'"


def test_slug_of_a_long_name_is_cut() -> None:
    assert slugs(["a" * 59 + " b", "c"]) == ["a" * 59, "c"]
    assert slugs(["A b", "c"]) == ["a-b", "c"]
