from __future__ import annotations

import csv
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.predictions.files import PredictionFile, align, read_predictions

IDS = ("test/1-0", "test/1-1", "test/2-0")
INDICES = (2, 0, 1)


@pytest.fixture
def write(tmp_path):
    def _write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return _write


def _jsonl(predictions, ids=IDS, **more):
    rows = zip(ids, predictions, strict=True)
    return "\n".join(json.dumps({"id": i, "prediction": p, **more}) for i, p in rows) + "\n"


@pytest.mark.parametrize("predictions", [[2, 0, 1], ["C", "A", "B"], ["2", "A", 1]])
def test_read_jsonl_takes_indices_and_letters(write, predictions):
    found = read_predictions(write("p.jsonl", _jsonl(predictions, label=1, logits=[0.1, -2.0])))
    assert (found.ids, found.predictions) == (IDS, INDICES)


def test_read_jsonl_takes_separators_that_are_no_line_ends(write):
    row = '{"id": "test/1\u2028\x850", "prediction": 1, "note": "a\u2029b"}\r\n\r\n'
    found = read_predictions(write("p.ndjson", row + row.replace("0", "1")))
    assert found.ids == ("test/1\u2028\x850", "test/1\u2028\x851")


@pytest.mark.parametrize(
    "content",
    [
        "id,prediction\ntest/1-0,2\ntest/1-1,0\ntest/2-0,1\n",
        "\ufeffid,prediction\r\ntest/1-0,C\r\ntest/1-1,A\r\ntest/2-0,B\r\n",
        "\ufeffid;prediction\r\ntest/1-0;C\r\ntest/1-1;A\r\ntest/2-0;B\r\n",
        '"id"\t"prediction"\n"test/1-0"\t"2"\n"test/1-1"\t"0"\n\n"test/2-0"\t"1"',
        'label, prediction, id\n1, 2, "test/1-0"\n1, A, test/1-1\n"1, or 2", B, test/2-0\n\n\n',
    ],
    ids=["plain", "Excel", "Excel with semicolons", "tabs", "spaces and more columns"],
)
def test_read_csv_takes_what_people_write(write, content):
    found = read_predictions(write("p.csv", content))
    assert (found.ids, found.predictions) == (IDS, INDICES)


@pytest.mark.parametrize(
    "predictions",
    [
        pa.array([2, 0, 1], pa.int8()),
        pa.array(["C", "A", "B"]),
        pa.array(["C", "A", "B"]).dictionary_encode(),
    ],
)
def test_read_parquet_takes_indices_and_letters(tmp_path, predictions):
    path = tmp_path / "p.parquet"
    columns = {"id": pa.array(IDS, pa.large_string()), "x": [1, 2, 3], "prediction": predictions}
    pq.write_table(pa.table(columns), path)
    found = read_predictions(path)
    assert (found.ids, found.predictions) == (IDS, INDICES)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.txt", "2\nA\n1\n"),
        ("p.txt", "\ufeffC\r\n0\r\nB"),
        ("p.csv", "2\nA\n1\n"),
        ("p.csv", "prediction\n2\nA\n1\n"),
        ("p.csv", "model,prediction\nx,2\nx,A\nx,1\n"),
        ("p.jsonl", '2\n"A"\n1\n'),
        ("p.jsonl", '{"prediction": 2}\n{"prediction": "A"}\n{"prediction": 1}\n'),
    ],
)
def test_read_in_row_order_takes_a_plain_column(write, name, content):
    found = read_predictions(write(name, content), in_order=True)
    assert (found.ids, found.predictions) == (None, INDICES)


def test_read_parquet_in_row_order(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"prediction": [2, 0, 1]}), path)
    assert read_predictions(path, in_order=True).predictions == INDICES


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.jsonl", _jsonl([2, 0.5, 1]), "line 2, field 'prediction': 0.5 is no prediction"),
        ("p.jsonl", _jsonl([2, True, 1]), "line 2, field 'prediction': True is no prediction"),
        ("p.jsonl", _jsonl([2, None, 1]), "line 2, field 'prediction': None is no prediction"),
        ("p.jsonl", _jsonl([2, [1], 1]), "line 2, field 'prediction': [1] is no prediction"),
        ("p.jsonl", _jsonl([2, -1, 1]), "line 2, field 'prediction': -1 is no prediction"),
        ("p.jsonl", _jsonl([2, 26, 1]), "line 2, field 'prediction': 26 is no prediction"),
        ("p.jsonl", _jsonl([2, "b", 1]), "line 2, field 'prediction': 'b' is no prediction"),
        ("p.jsonl", _jsonl([2, "b", 1]), "index from 0 to 25 or its letter in upper case, A to Z"),
        ("p.jsonl", _jsonl([2, "", 1]), "line 2, field 'prediction': '' is no prediction"),
        ("p.jsonl", _jsonl([2, "²", 1]), "line 2, field 'prediction': '²' is no prediction"),
        ("p.jsonl", _jsonl([2, 0, 1], [*IDS[:2], 7]), "line 3, field 'id': 7 is no id"),
        ("p.jsonl", _jsonl([2, 0, 1], [*IDS[:2], ""]), "line 3, field 'id': '' is no id"),
        ("p.jsonl", '{"id": "a", "pred": 1}', "line 1: there is no field 'prediction', only id, p"),
        ("p.jsonl", '{"prediction": 1}', "line 1: there is no field 'id', only prediction (or say"),
        ("p.jsonl", '{"id": "a"', "line 1: this is not JSON ("),
        ("p.jsonl", '{"id": "a", "prediction": ' + "9" * 5000 + "}", "line 1: this is not JSON ("),
        ("p.jsonl", "[1]", "line 1: a JSON object is needed, this is list"),
        ("p.jsonl", "", "the file holds no predictions"),
        ("p.jsonl", b"\xff\xfe{", "byte 0 is not UTF-8"),
        ("p.csv", "id,prediction\na,1\nb,2,3\n", "line 3: 3 fields, but the first line has 2"),
        ("p.csv", "id,prediction\na,1\nb,1.0\n", "line 3, field 'prediction': '1.0' is no pred"),
        ("p.csv", "id,prediction\na,1\nb,\n", "line 3, field 'prediction': '' is no prediction"),
        ("p.jsonl", '{"id": "a", "prediction": 1, "prediction": 2}', "line 1: the field 'predicti"),
        ("p.jsonl", '{"id": "a", "id": "b", "prediction": 1}', "line 1: the field 'id' stands"),
        pytest.param("p.jsonl", "[" * 200_000, "line 1: this is not JSON (", id="deep"),
        ("p.csv", "id,prediction,prediction\na,1,2\n", "line 1: the field 'prediction' stands th"),
        ("p.csv", "id,prediction,id\na,1,b\n", "line 1: the field 'id' stands there 2 times"),
        ("p.csv", "id,label\na,1\n", "line 1: there is no field 'prediction', only id, label"),
        ("p.csv", 'id,prediction\na,"1\nb,2', "line 3: this is not CSV ("),
        ("p.csv", "1\n2\n", "line 1: there is no field 'prediction', only 1"),
        ("p.csv", "id,prediction\n", "the file holds no predictions"),
        ("p.csv", b"id,prediction\n\xe9,1\n", "byte 14 is not UTF-8"),
        ("p.parquet", b"PAR1 no PAR1", "this is not a readable Parquet file ("),
        (
            "p.xml",
            "{}",
            "the name must end in .jsonl, .ndjson, .csv, .tsv, .parquet, .json, .eval, ",
        ),
        ("p.json", "{}", "this is no readable log of inspect_ai (an object with version, eval and"),
        pytest.param("p.json", "[" * 200_000, "this is no readable log of inspect", id="deep log"),
        ("p.txt", "1\n", "the name must end in"),
    ],
)
def test_read_names_file_record_and_field(write, name, content, message):
    path = write(name, content)
    with pytest.raises(
        ScoringError, match=f"^{re.escape(str(path))}.*{re.escape(message)}"
    ) as info:
        read_predictions(path)
    assert "\n" not in str(info.value)


def test_read_refuses_a_doubled_column_of_a_parquet_file(tmp_path):
    path = tmp_path / "p.parquet"
    columns = [pa.array(["a"]), pa.array([1]), pa.array([2])]
    pq.write_table(pa.Table.from_arrays(columns, ["id", "prediction", "prediction"]), path)
    with pytest.raises(ScoringError, match="the field 'prediction' stands there 2 times"):
        read_predictions(path)


def test_read_csv_takes_columns_without_name(write):
    assert read_predictions(write("p.csv", "id,prediction,,\na,1,,\n")).predictions == (1,)


def test_read_csv_takes_a_long_field_and_leaves_the_limit_as_it_was(write):
    before = csv.field_size_limit(1000)
    try:
        path = write("p.csv", f"id,text,prediction\na,{'x' * 2000},1\n")
        assert read_predictions(path).predictions == (1,)
        assert csv.field_size_limit() == 1000
    finally:
        csv.field_size_limit(before)


def test_read_names_the_record_of_a_parquet_file(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"id": IDS, "prediction": [2.0, None, 1.0]}), path)
    with pytest.raises(ScoringError, match=r"record 1, field 'prediction': 2.0 is no prediction"):
        read_predictions(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.txt", "1\n\n2\n", "line 2, field 'prediction': '' is no prediction"),
        ("p.csv", "1\n\n2\n", "line 2: 0 fields, but the first line has 1"),
        ("p.jsonl", "1\n\n2\n", "line 2: this is not JSON"),
        ("p.csv", "id,prediction\na,1\n", "line 1: there is a field 'id'; read it by id"),
        ("p.jsonl", '{"id": "a", "prediction": 1}', "line 1: there is a field 'id'; read it by id"),
        ("p.csv", "answer\n1\n", "line 1, field 'prediction': 'answer' is no prediction"),
        ("p.csv", "1,2\n", "line 1: there is no field 'prediction', only 1, 2"),
    ],
)
def test_read_in_row_order_lets_no_row_slip(write, name, content, message):
    with pytest.raises(ScoringError, match=re.escape(message)):
        read_predictions(write(name, content), in_order=True)


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_read_says_that_there_is_no_file(tmp_path, name):
    (tmp_path / "p.csv").mkdir()
    with pytest.raises(ScoringError, match=r"p\.\w+: there is no such file$"):
        read_predictions(tmp_path / name)


@settings(deadline=None)
@given(st.lists(st.integers(0, 25), min_size=1, max_size=30))
def test_letters_and_indices_read_alike(tmp_path_factory, indices):
    path = tmp_path_factory.mktemp("p") / "p.csv"
    path.write_text("\n".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index] for index in indices))
    assert read_predictions(path, in_order=True).predictions == tuple(indices)


def _file(tmp_path, ids, predictions):
    return PredictionFile(tmp_path / "p.jsonl", ids, predictions)


def test_align_brings_predictions_into_row_order(tmp_path):
    found = align(_file(tmp_path, IDS[::-1], INDICES[::-1]), IDS, [2, 1, 0], [4, 4, 2])
    assert found.rows.tolist() == [0, 1, 2]
    assert found.predictions.tolist() == [2, 0, 1]
    assert found.references.tolist() == [2, 1, 0]


def test_align_leaves_out_missing_rows_where_that_is_allowed(tmp_path):
    found = align(
        _file(tmp_path, (IDS[2], IDS[0]), (1, 2)), IDS, [2, 1, 0], [4, 4, 4], allow_partial=True
    )
    assert found.rows.tolist() == [0, 2]
    assert found.predictions.tolist() == [2, 1]
    assert found.references.tolist() == [2, 0]


def test_align_takes_predictions_in_row_order(tmp_path):
    found = align(_file(tmp_path, None, INDICES), IDS, [2, 1, 0], [4, 4, 4])
    assert found.predictions.tolist() == [2, 0, 1]


@pytest.mark.parametrize("allow_partial", [False, True])
@pytest.mark.parametrize(
    ("ids", "predictions", "message"),
    [
        (("a", "b", "a", "b"), (0, 0, 0, 0), "in more than one record: 2 ('a', 'b')"),
        ((*IDS, "x"), (0, 0, 0, 0), "ids that the config does not have: 1 ('x'); of 3 rows"),
        (("x", "y"), (0, 0), "missing: 3 ('test/1-0', 'test/1-1', 'test/2-0'); ids that the"),
        (IDS, (2, 0, 2), "for 'test/2-0' is 2 (C); the row has 2 options, 0 to 1 (A to B)"),
        (None, (2, 0), "2 predictions in row order, but the config has 3 rows"),
    ],
)
def test_align_refuses_ids_that_do_not_match(tmp_path, ids, predictions, message, allow_partial):
    with pytest.raises(ScoringError, match=re.escape(message)):
        align(_file(tmp_path, ids, predictions), IDS, [0, 0, 0], [4, 3, 2], allow_partial)


def test_align_counts_missing_ids_and_names_the_first(tmp_path):
    ids = [f"test/{number}" for number in range(20)]
    message = r"missing: 19 \('test/0', 'test/1', 'test/2', 'test/3', 'test/4', ...\); of 20 rows"
    with pytest.raises(ScoringError, match=message):
        align(_file(tmp_path, ("test/9",), (0,)), ids, [0] * 20, [4] * 20)
