"""The corpus `custom`: examples of files."""

import csv
import json

import pyarrow as pa
from own_records import RECORD, example_of, refused, written
from pyarrow import parquet

from mcrc_adversarial.corpora import RawFile, corpora
from mcrc_adversarial.corpora.custom import read_examples


def test_read_examples_keeps_the_order_of_files_and_records(tmp_path):
    first = written(tmp_path / "b.jsonl", [{**RECORD, "id": "x"}, {**RECORD, "id": "c"}])
    second = written(tmp_path / "a.jsonl", [{**RECORD, "id": "a"}])
    assert [one.id for one in read_examples([first, second], None, "test")] == ["x", "c", "a"]


def test_read_examples_finds_the_columns_of_each_file(tmp_path):
    race = {"article": "A text.", "question": "What?", "options": ["a", "b"], "answer": "B"}
    paths = [written(tmp_path / "a.jsonl", [RECORD]), written(tmp_path / "b.jsonl", [race])]
    assert [one.label for one in read_examples(paths, None, "test")] == [0, 1]


def test_read_examples_names_file_record_and_column(tmp_path):
    path = written(tmp_path / "q.jsonl", [RECORD, {**RECORD, "label": 9}])
    message = refused(list, read_examples([path], None, "test"))
    assert message.startswith(f"{path}, record 2: 'label' is 9 (int); ")


def test_read_examples_names_the_file_whose_columns_are_unknown(tmp_path):
    path = written(tmp_path / "q.jsonl", [{"text": "a"}])
    message = refused(list, read_examples([path], None, "test"))
    assert message.startswith(f"{path}: found the columns 'text'; ")


def test_read_examples_refuses_a_split_without_files():
    assert refused(list, read_examples([], None, "dev")) == "split 'dev' has no files"


def test_read_examples_reads_option_columns_of_csv(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("text,q,A,B,key\nA text.,What?,one,two,B\n", encoding="utf-8")
    columns = {"passage": "text", "question": "q", "options": ["A", "B"], "label": "key"}
    (example,) = read_examples([path], columns, "test")
    assert (example.options, example.label) == (("one", "two"), 1)


def test_read_examples_is_the_same_from_every_kind_of_file(tmp_path):
    cells = {**RECORD, "options": json.dumps(RECORD["options"]), "label": "A"}
    written(tmp_path / "q.jsonl", [RECORD])
    parquet.write_table(pa.Table.from_pylist([RECORD]), tmp_path / "q.parquet")
    with (tmp_path / "q.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([cells.keys(), cells.values()])
    read = [list(read_examples([path], None, "t")) for path in sorted(tmp_path.glob("q.*"))]
    assert len(read) == 3
    assert read[0] == read[1] == read[2]


def test_custom_is_a_corpus_without_splits_of_its_own():
    corpus = corpora.get("custom")
    assert dict(corpus.splits) == {}
    assert not corpus.licence.redistribution
    file = RawFile("q.jsonl", json.dumps(RECORD).encode())
    (example,) = corpus.read([file], "test")
    assert example == example_of()
