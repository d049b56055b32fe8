"""Files of every kind as records."""

import codecs
import csv
import json

import pyarrow as pa
import pytest
from own_records import refused, written
from pyarrow import parquet

from mcrc_adversarial.corpora.custom import read_records

TEXTS = ["plain", 'a, "b"\nc', "二つ 🙂 \u2028 é", "", " x\t"]
ROWS = [{"id": str(number), "text": text} for number, text in enumerate(TEXTS)]


def write_rows(path):
    if path.suffix in {".jsonl", ".ndjson"}:
        written(path, ROWS)
    elif path.suffix == ".json":
        path.write_text(json.dumps(ROWS, indent=1), encoding="utf-8")
    elif path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(
                file, ["id", "text"], delimiter="\t" if path.suffix == ".tsv" else ","
            )
            writer.writeheader()
            writer.writerows(ROWS)
    return path


KINDS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".CSV")


@pytest.mark.parametrize("suffix", KINDS)
def test_read_records_reads_each_kind_alike(tmp_path, suffix):
    assert list(read_records(write_rows(tmp_path / f"rows{suffix}"))) == ROWS


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv"])
def test_read_records_passes_over_a_byte_order_mark(tmp_path, suffix):
    path = write_rows(tmp_path / f"rows{suffix}")
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert list(read_records(path)) == ROWS


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_read_records_reads_windows_lines_and_blank_ones(tmp_path, suffix):
    path = tmp_path / f"rows{suffix}"
    lines = {".jsonl": ['{"a": "x"}', "", '{"a": "y"}', ""], ".csv": ["a", "x", "", "y", ""]}
    path.write_bytes("\r\n".join(lines[suffix]).encode())
    assert list(read_records(path)) == [{"a": "x"}, {"a": "y"}]


def test_read_records_reads_lines_from_json(tmp_path):
    assert list(read_records(written(tmp_path / "rows.json", ROWS))) == ROWS


def test_read_records_reads_cells_of_any_length(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "x" * 200_000 + ",y\n", encoding="utf-8")
    assert [len(record["a"]) for record in read_records(path)] == [200_000]


def test_read_records_reads_lines_as_they_are_asked_for(tmp_path):
    path = written(tmp_path / "rows.jsonl", ROWS)
    path.write_text(path.read_text(encoding="utf-8") + "{broken", encoding="utf-8")
    records = read_records(path)
    assert [next(records) for _ in ROWS] == ROWS
    assert "line 6: broken JSON at column 2" in refused(next, records)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"a": 1}\n{"a": }\n', ", line 2: broken JSON at column 7: "),
        ("a.jsonl", b'{"a": 1}\n[1]\n', ", line 2: list where an object with named fields"),
        ("a.jsonl", b'{"a": 1}\n\n{"a": "\xe9"}\n', ", line 3: not UTF-8 (byte 0xe9)"),
        ("a.jsonl", b"", ": the file holds no record"),
        ("a.jsonl", b"\n \n", ": the file holds no record"),
        ("a.jsonl", b"[" * 100_000, ", line 1: "),
        ("a.jsonl", b'{"a": ' + b"9" * 5000 + b"}", ", line 1: "),
        ("a.json", b"[]", ": the file holds no record"),
        ("a.json", b"", ": the file holds no record"),
        ("a.json", b'[\n{"a": 1},\n]', ": broken JSON at line "),
        ("a.json", b'[{"a": 1}, 3]', ", record 2: int where an object"),
        ("a.json", b'{\n"a": 1}', ", line 1: broken JSON"),
        ("a.csv", b"", ": the file holds no record"),
        ("a.csv", b"a,b\n", ": the file holds no record"),
        ("a.csv", b"a,b\n1,2\n1,2,3\n", ", line 3: 3 cells, but the header names 2 columns"),
        ("a.csv", b"a,b\n1\n", ", line 2: 1 cells, but the header names 2 columns"),
        ("a.csv", b"a,a\n1,2\n", ", line 1: column 'a' stands in the header more than once"),
        ("a.csv", b'a,b\n1,"2\n3,4\n', ", line 2: broken CSV: unexpected end of data"),
        ("a.csv", b'a,b\n1,"2"x\n', ", line 2: broken CSV: "),
        ("a.csv", "a\né\n".encode("latin-1"), ", line 2: not UTF-8 (byte 0xe9)"),
        ("a.csv", "a\nb\n".encode("utf-16"), ", line 1: not UTF-8 (byte 0xff)"),
        ("a.parquet", b"PAR1 but not quite PAR1", ": not a Parquet file that can be read: "),
        ("a.parquet", b"", ": not a Parquet file that can be read: "),
        ("a.txt", b"a", ": the suffix '.txt' is none of .jsonl, .ndjson, .json, .csv, .tsv, .par"),
        ("a", b"a", ": the suffix '' is none of .jsonl"),
    ],
)
def test_read_records_says_in_one_line_what_is_wrong(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    found = refused(list, read_records(path))
    assert found.startswith(f"{path}{message}")


def test_read_records_refuses_a_parquet_file_without_rows(tmp_path):
    parquet.write_table(pa.Table.from_pylist(ROWS).slice(0, 0), tmp_path / "a.parquet")
    assert "no record" in refused(list, read_records(tmp_path / "a.parquet"))


def test_read_records_refuses_a_file_that_is_not_there(tmp_path):
    missing = tmp_path / "no.csv"
    assert refused(list, read_records(missing)).startswith(f"{missing}: cannot be read: ")
    (tmp_path / "folder.csv").mkdir()
    assert "cannot be read" in refused(list, read_records(tmp_path / "folder.csv"))
