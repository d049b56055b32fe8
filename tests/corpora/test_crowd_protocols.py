from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]
PASSAGE_ID = "oanc_data/OANC-GrAF/data/written_2/travel_guides/berlitz1/Where.txt_n-r1"


def vote(answer: str, worker: str = "worker1") -> dict[str, Any]:
    return {
        "worker_answer": answer,
        "unanswerable": answer == "option5",
        "worker_id": worker,
        "task_index": "1",
    }


def question(**changes: Any) -> dict[str, Any]:
    whole = {
        "passage_id": PASSAGE_ID,
        "document": "The ferry leaves at noon.",
        "question": "When does it leave?",
        "options": ["at noon", "at night", "never", "on Sunday"],
        "gold_answer": "option1",
        "protocol": "baseline",
        "worker_id": "worker3",
        "validation_data": [vote("option1"), vote("option5", "worker2")],
        "model_predictions": [[0, "one"], [3, "two"]],
    }
    return {**whole, **changes}


def store_rows(store: Any, *rows: object, name: str = "baseline") -> Path:
    path: Path = store("nyu_crowd_protocols", {f"data/{name}.json": json.dumps(rows)})
    return path


def test_crowd_protocols_brings_votes_and_models(store, read: Read) -> None:
    other = question(gold_answer="option4")

    first, second = read("crowd-protocols", store_rows(store, question(), other), "test")

    assert (first.id, second.id) == (f"test/{PASSAGE_ID}-0", f"test/{PASSAGE_ID}-1")
    assert first.passage_id == second.passage_id == f"test/{PASSAGE_ID}"
    assert (first.label, second.label) == (0, 3)
    assert first.facts["votes"] == [0, -1]
    assert first.facts["voters"] == ["worker1", "worker2"]
    assert first.facts["models"] == ["one", "two"]
    assert first.facts["model_options"] == [0, 3]
    assert first.facts["models_right"] == [True, False]
    assert second.facts["models_right"] == [False, True]
    assert (first.facts["source"], first.facts["method"]) == ("berlitz1", "baseline")
    assert first.facts["vote_seconds"] is first.facts["filter_votes"] is None


def test_crowd_protocols_has_a_corpus_for_each_protocol(store, read: Read) -> None:
    raw = store_rows(store, question(protocol="crowd"), name="crowd")

    assert read("crowd-protocols-crowd", raw, "test")[0].facts["method"] == "crowd"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"gold_answer": "B"}, "field 'gold_answer' is 'B', expected option1 to option4"),
        ({"gold_answer": "option5"}, "field 'gold_answer' is 4; 0 to 3 are allowed"),
        ({"validation_data": [vote("option7")]}, "item 0, field 'worker_answer' is 6"),
        ({"model_predictions": [["one", 0]]}, "expected the option's index and the model's name"),
        ({"model_predictions": [[4, "one"]]}, "field 'model_predictions', item 0 is 4"),
        ({"passage_id": "x"}, "names no part of the Open ANC"),
    ],
)
def test_crowd_protocols_bad_record_is_named(
    tmp_path: Path, write_folder, read: Read, changes: dict[str, Any], complaint: str
) -> None:
    rows = json.dumps([question(), question(**changes)])
    write_folder(tmp_path, {"crowd-protocols/baseline.json": rows})

    with pytest.raises(DataError) as caught:
        read("crowd-protocols", tmp_path, "test")

    assert complaint in str(caught.value)
    assert "question 1" in str(caught.value)
