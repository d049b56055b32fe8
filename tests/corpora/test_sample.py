import json
from collections import Counter
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import RawFile, corpora, find_source, read_split
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

SPLITS = ("train", "validation", "test")


def line(label: object = 2, **changes: object) -> str:
    question = {"question": "Who?", "type": "detail", "options": ["a", "b", "c", "d"]}
    record = {"id": "lost-key", "kind": "story", "title": "A Key", "passage": "Lost."}
    return json.dumps(record | {"questions": [question | {"label": label}] * 2} | changes)


def read_rows(content: str) -> list[Example]:
    return list(corpora.get("sample").read([RawFile("test.jsonl", content.encode())], "test"))


def test_sample_reads_one_passage_a_line() -> None:
    rows = read_rows(line() + "\r\n" + line(id="found-key") + "\r\n")
    assert [row.id for row in rows] == [
        "test/lost-key-0",
        "test/lost-key-1",
        "test/found-key-0",
        "test/found-key-1",
    ]
    assert rows[0].passage_id == "test/lost-key"
    assert (rows[0].options, rows[0].label) == (("a", "b", "c", "d"), 2)
    assert rows[0].facts == {"kind": "story", "question_type": "detail"}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (line(4), "line 1, question 0: field 'label' is 4; 0 to 3 are allowed"),
        (line(-1), "field 'label' is -1"),
        (line(True), "field 'label' is true or false, expected a whole number"),
        (line() + "\n{", "line 2: broken JSON"),
        (line(passage=3), "field 'passage' is a number, expected a text"),
    ],
)
def test_sample_bad_line_is_named(content: str, complaint: str) -> None:
    with pytest.raises(DataError) as caught:
        read_rows(content)
    assert complaint in str(caught.value)
    assert "test.jsonl" in str(caught.value)


@pytest.fixture(scope="module")
def shipped() -> dict[str, list[Example]]:
    corpus = corpora.get("sample")
    source = find_source(corpus)
    return {split: read_split(corpus, source, split) for split in source.splits()}


def test_sample_is_found_whatever_data_dir_says(tmp_path: Path) -> None:
    assert find_source(corpora.get("sample"), tmp_path).splits() == SPLITS


def test_sample_has_enough_passages_and_questions_in_each_split(shipped) -> None:
    passages = {split: len({row.passage_id for row in rows}) for split, rows in shipped.items()}
    total = sum(passages.values())
    assert total >= 60
    assert sum(map(len, shipped.values())) >= 240
    shares = [passages[split] / total for split in SPLITS]
    assert shares == pytest.approx([0.60, 0.15, 0.25], abs=0.03)


def test_sample_passages_have_80_to_200_words(shipped) -> None:
    lengths = {
        row.passage_id: len(row.passage.split()) for rows in shipped.values() for row in rows
    }
    assert {name: n for name, n in lengths.items() if not 80 <= n <= 200} == {}


def test_sample_labels_are_balanced(shipped) -> None:
    for rows in shipped.values():
        counts = Counter(row.label for row in rows)
        assert [counts[label] / len(rows) for label in range(4)] == pytest.approx(
            [0.25] * 4, abs=0.05
        )


def test_sample_splits_share_no_passage(shipped) -> None:
    names = [row.passage_id.partition("/")[2] for rows in shipped.values() for row in rows]
    texts = [row.passage for rows in shipped.values() for row in rows]
    for values in (names, texts):
        where = [split for split, rows in shipped.items() for _ in rows]
        assert len(set(values)) == len(set(zip(values, where, strict=True)))


def test_sample_options_of_a_question_differ(shipped) -> None:
    for rows in shipped.values():
        for row in rows:
            assert len(row.options) == 4
            assert len({option.casefold().strip() for option in row.options}) == 4, row.id


def test_sample_has_several_kinds_of_text_and_question(shipped) -> None:
    rows = [row for part in shipped.values() for row in part]
    assert {row.facts["kind"] for row in rows} >= {
        "story",
        "dialogue",
        "notice",
        "science",
        "letter",
        "argument",
    }
    assert any("_" in row.question for row in rows)
    assert any(len(row.answer.split()) == 1 for row in rows)
    assert any(row.answer.strip(".").isdigit() for row in rows)
