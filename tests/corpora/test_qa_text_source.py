from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest

from mcrc_adversarial.corpora import Pin, corpora, find_source, left_out, read_split
from mcrc_adversarial.errors import CorpusNotFoundError, DataError, VerificationError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]
OPTIONS = ["a boat", "a bus", "a kite", "a horse"]
FILE = "qa-text-source-comparison/data/release_data.json"


def vote(index: int, **changes: Any) -> dict[str, Any]:
    whole = {
        "worker_answer_index": index,
        "correct": index == 2,
        "elapsed_time_second": 100,
        "unanswerable": False,
        "worker_id": f"w{index}",
    }
    return {**whole, **changes}


def question(source: str = "slate", **changes: Any) -> dict[str, Any]:
    whole = {
        "passage": "Ed saw a kite.",
        "question": "What did Ed see?",
        "options": OPTIONS,
        "question_id": f"{source}_plain_1",
        "passage_id": f"{source}_1",
        "gold_label": 2,
        "worker_id": "w9",
        "elapsed_time_second": 61.5,
        "source": source,
        "validation_data": [vote(2), vote(2), vote(1), vote(2), vote(0, unanswerable=True)],
        "model_predictions": [["roberta-large-1", True], ["unifiedqa", 0]],
        "model_predictions-partial": {"A": [["deberta", False]], "P+A": [["deberta", True]]},
        "validation_index_for_filtering": [4, 0],
        "validation_index_for_performance": [1, 2, 3],
        "valid": True,
        "unanimous": False,
        "human_accuracy": 1.0,
        "model_accuracy": 0.5,
        "human_model_gap": 0.5,
        "question_type": "what",
        "difficulty": "hard",
        "reasoning_types": ["factoid"],
        "readability": {"kincaid": 3.2},
    }
    return {**whole, **changes}


def bare(source: str, passage_id: str, n: int = 1) -> dict[str, Any]:
    row = question(source, passage_id=passage_id, question_id=f"{source}_adv_{n}")
    del row["passage"]
    return row


JOINED = {
    "RACE/train/high/12.txt": json.dumps({"article": "Of RACE."}),
    "RACE/train/middle/1.txt": "no JSON, and nobody asks for it",
    "MCTest/mc160.train.tsv": 'mc160.train.3\tx\t"Of" MCTest.\\newlineEnd.\tone: Why?\n',
    "MCTest/mc500.train.tsv": "mc500.train.0\tx\tOther.\n",
    "reclor_data/train.json": json.dumps([{"id_string": "train_7", "context": "Of ReClor."}]),
}
BARE = [
    bare("race", "race/train/high/12.txt"),
    bare("mctest", "mc160.train.3"),
    bare("reclor", "reclor_train_7"),
]


def write(root: Path, rows: list[dict[str, Any]], **more: str) -> Path:
    for name, text in {FILE: json.dumps(rows), **more}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_qa_text_source_brings_votes_times_models_and_types(tmp_path: Path, read: Read) -> None:
    (row,) = read("qa-text-source", write(tmp_path, [question()]), "test")

    assert (row.id, row.passage_id) == ("test/slate_plain_1-0", "test/slate_1")
    assert (row.passage, row.label) == ("Ed saw a kite.", 2)
    facts = dict(row.facts)
    assert facts["votes"] == [2, 2, 1, 2, -1]
    assert facts["vote_seconds"] == [20.0] * 5
    assert (facts["filter_votes"], facts["human_votes"]) == ([4, 0], [1, 2, 3])
    assert (facts["models"], facts["models_right"]) == (
        ["roberta-large-1", "unifiedqa"],
        [True, False],
    )
    assert facts["partial_models"] == ["A: deberta", "P+A: deberta"]
    assert facts["partial_models_right"] == [False, True]
    assert (facts["source"], facts["method"]) == ("slate", "standard")
    assert (facts["types"], facts["question_type"]) == (["factoid"], "what")
    assert (facts["writing_seconds"], facts["released_difficulty"]) == (61.5, "hard")


def test_qa_text_source_joins_passages_of_other_corpora(tmp_path: Path, read: Read) -> None:
    raw = write(tmp_path, [*BARE, question()], **JOINED)

    rows = read_split(
        corpora.get("qa-text-source"),
        find_source(corpora.get("qa-text-source"), raw),
        "test",
        verify=False,
    )

    assert [row.passage for row in rows] == [
        "Of RACE.",
        '"Of" MCTest.\nEnd.',
        "Of ReClor.",
        "Ed saw a kite.",
    ]
    assert [row.facts["method"] for row in rows] == ["adversarial"] * 3 + ["standard"]
    assert len(read("qa-text-source", raw, "test")) == 4


def test_qa_text_source_counts_questions_without_passage(tmp_path: Path) -> None:
    raw = write(tmp_path, [*BARE, bare("race", "race/train/high/13.txt", 2), question()])
    corpus = corpora.get("qa-text-source")

    with pytest.raises(DataError) as caught:
        read_split(corpus, find_source(corpus, raw), "test")

    assert "4 questions have no passage" in str(caught.value)
    assert "mctest 1, race 2, reclor 1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_qa_text_source_leaves_questions_without_passage_out_on_request(
    tmp_path: Path, read: Read
) -> None:
    only_race = {name: text for name, text in JOINED.items() if name.startswith("RACE")}
    raw = write(tmp_path, [*BARE, question()], **only_race)

    rows = read("qa-text-source", raw, "test")

    assert [row.facts["source"] for row in rows] == ["race", "slate"]


def test_qa_text_source_left_out_questions_are_counted_and_verified(tmp_path: Path) -> None:
    raw = write(tmp_path, [*BARE, question()])
    corpus = corpora.get("qa-text-source")
    source = find_source(corpus, raw)

    assert left_out(corpus, source, "test") == {"race": 1, "mctest": 1, "reclor": 1}
    with pytest.raises(VerificationError, match="1 questions and 3 left out instead of 4340"):
        read_split(corpus, source, "test", skip_incomplete=True)
    whole = replace(corpus, pins={"test": Pin(7, 4, "f" * 64)})
    (row,) = read_split(whole, source, "test", skip_incomplete=True)
    assert row.facts["source"] == "slate"
    with pytest.raises(DataError, match=r"3 questions have no passage.*--skip-incomplete"):
        read_split(whole, source, "test")


def test_qa_text_source_is_loaded_without_incomplete_questions(tmp_path: Path) -> None:
    raw = write(tmp_path / "raw", [*BARE, question()])

    with pytest.raises(VerificationError, match="1 questions and 3 left out instead of 4340"):
        datasets.load_dataset(
            "mcrc_adversarial", "qa-text-source", data_dir=str(raw), skip_incomplete=True,
            cache_dir=str(tmp_path / "cache"),
        )  # fmt: skip


def test_corpora_without_joined_parts_leave_nothing_out() -> None:
    corpus = corpora.get("sample")

    assert left_out(corpus, find_source(corpus), "test") == {}
    whole = read_split(corpus, find_source(corpus), "test")
    assert read_split(corpus, find_source(corpus), "test", skip_incomplete=True) == whole


def test_qa_text_source_notices_a_changed_number_of_questions(tmp_path: Path) -> None:
    corpus = corpora.get("qa-text-source")
    with pytest.raises(VerificationError, match="1 questions instead of 4340"):
        read_split(corpus, find_source(corpus, write(tmp_path, [question()])), "test")


def test_qa_text_source_fingerprint_holds_what_is_joined(tmp_path: Path) -> None:
    corpus = corpora.get("qa-text-source")
    before = find_source(corpus, write(tmp_path, BARE, **JOINED)).fingerprint
    changed = {**JOINED, "MCTest/mc160.train.tsv": "mc160.train.3\tx\tEdited.\n"}

    assert find_source(corpus, write(tmp_path, BARE, **changed)).fingerprint != before


def test_qa_text_source_is_not_found_in_the_files_that_it_joins(tmp_path: Path) -> None:
    write(tmp_path, [], **JOINED)
    (tmp_path / FILE).unlink()

    with pytest.raises(CorpusNotFoundError, match="release_data"):
        find_source(corpora.get("qa-text-source"), tmp_path)


def test_qa_text_source_repeated_question_ids_stay_apart(tmp_path: Path, read: Read) -> None:
    raw = write(tmp_path, [question(question_id="slate_plain")] * 2)

    assert [row.id for row in read("qa-text-source", raw, "test")] == [
        "test/slate_plain-0",
        "test/slate_plain-1",
    ]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"gold_label": None}, "field 'gold_label' is null"),
        ({"gold_label": 4}, "field 'gold_label' is 4; 0 to 3 are allowed"),
        ({"question_id": "slate_1"}, "expected 'plain' or 'adv' in it"),
        ({"validation_index_for_filtering": [1, 1]}, "expected different whole numbers"),
        ({"validation_index_for_performance": [1, 5]}, "is 5; 0 to 4 are allowed"),
        ({"validation_data": [vote(2, unanswerable="no")]}, "field 'unanswerable' is a text"),
        ({"validation_data": [vote(2, worker_answer_index=4)]}, "item 0 is 4; 0 to 3"),
        ({"model_predictions": [["m", 2]]}, "expected a model's name and true or false"),
        ({"reasoning_types": "factoid"}, "field 'reasoning_types' is a text, expected a list"),
        ({"elapsed_time_second": "long"}, "field 'elapsed_time_second' is a text"),
    ],
)
def test_qa_text_source_bad_record_is_named(
    tmp_path: Path, read: Read, changes: dict[str, Any], complaint: str
) -> None:
    raw = write(tmp_path, [question(), question(**changes)])

    with pytest.raises(DataError) as caught:
        read("qa-text-source", raw, "test")

    assert complaint in str(caught.value)
    assert "question 1" in str(caught.value)
