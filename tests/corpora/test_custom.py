import codecs
import csv
import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from mcrc_adversarial.corpora import RawFile, corpora
from mcrc_adversarial.corpora.custom import (
    ColumnMap,
    Identities,
    Place,
    read_examples,
    read_records,
    resolve_columns,
    to_example,
)
from mcrc_adversarial.errors import DataError

OURS = ["passage", "question", "options", "label"]
RECORD = {
    "passage": "Ada keeps two goats. One of them is white.",
    "question": "How many goats are there?",
    "options": ["two", "three", "none"],
    "label": 0,
}


def refused(function, *args):
    """The one line that the error says."""
    with pytest.raises(DataError) as caught:
        function(*args)
    message = str(caught.value)
    assert "\n" not in message
    return message


def example_of(columns=None, **changes):
    record = {**RECORD, **changes}
    return to_example(record, resolve_columns(list(record), columns), Place("q.jsonl, record", 3))


def refusal(columns=None, **changes):
    return refused(lambda: example_of(columns, **changes))


def written(path, records):
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Columns


def test_resolve_columns_knows_ours_with_what_is_optional():
    assert resolve_columns(["level", *OURS]) == ColumnMap(*OURS)
    assert resolve_columns([*OURS, "passage_id", "id"]) == ColumnMap(*OURS, "id", "passage_id")


def test_resolve_columns_takes_race_example_id_for_the_passage():
    found = resolve_columns(["example_id", "article", "answer", "question", "options"])
    assert found == ColumnMap("article", "question", "options", "answer", None, "example_id")


def test_resolve_columns_guesses_nothing():
    message = refused(resolve_columns, ["Passage", "question", "options", "label"])
    assert "found the columns 'Passage', 'question', 'options', 'label'" in message
    assert "needed are passage, question, options, label" in message
    assert "--columns passage=text,options=A+B+C+D" in message


def test_resolve_columns_lists_twenty_columns_at_most():
    message = refused(resolve_columns, [f"c{number}" for number in range(200)])
    assert "'c19', ... (200 in all)" in message
    assert "'c20'" not in message


def test_resolve_columns_maps_and_leaves_the_rest_under_our_names():
    found = resolve_columns(
        ["text", "question", "A", "B", "label", "id"], {"passage": "text", "options": ["A", "B"]}
    )
    assert found == ColumnMap("text", "question", ("A", "B"), "label", "id")


def test_resolve_columns_can_pass_over_an_id_column():
    assert resolve_columns([*OURS, "id"], {"id": None}).id is None


def test_resolve_columns_lets_a_column_called_id_be_the_passage_id():
    found = resolve_columns([*OURS, "id"], {"passage_id": "id"})
    assert (found.id, found.passage_id) == (None, "id")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"options": "choices", "label": "key"}, ("article", "question", "choices", "key")),
        ({"options": "choices"}, ("article", "question", "choices", "answer")),
        ({"question": "article", "passage": "question", "options": "choices"},
         ("question", "article", "choices", "answer")),
    ],
)  # fmt: skip
def test_resolve_columns_looks_up_each_name_that_a_map_leaves_out(columns, expected):
    available = ["article", "question", "choices", "key", "answer"]
    assert resolve_columns(available, columns) == ColumnMap(*expected)


def test_resolve_columns_mixes_our_names_and_those_of_race():
    available = ["passage", "stem", "options", "answer"]
    found = resolve_columns(available, {"question": "stem"})
    assert found == ColumnMap("passage", "stem", "options", "answer")


def test_resolve_columns_takes_our_names_where_all_are_there():
    available = ["text", "question", "options", "label", "answer"]
    assert resolve_columns(available, {"passage": "text"}).label == "label"


def test_resolve_columns_does_not_choose_between_our_name_and_that_of_race():
    available = ["article", "stem", "options", "label", "answer"]
    message = refused(resolve_columns, available, {"question": "stem"}, "q.csv")
    assert "label is not mapped, and there is both 'label' and 'answer'; say which" in message
    assert resolve_columns(available, {"question": "stem", "id": "label"}).label == "answer"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"pasage": "text"}, "'pasage' is no name of ours; to be mapped are passage, question"),
        ({"passage": "txt"}, "there is no 'txt' for passage; found 'text', 'question'"),
        ({"passage": None}, "there is no None for passage"),
        (
            {"passage": "text", "options": ["question", "text"]},
            "'question' is named for question and again",
        ),
        ({"passage": "text", "options": ["options"]}, "options names 1 columns"),
        ({"passage": "text", "options": [3, "text"]}, "there is no 3 for options"),
        ({}, "passage is not mapped, and there is neither 'passage' nor 'article'; say which"),
        ("passage=text", "columns is a str"),
    ],
)
def test_resolve_columns_refuses_a_wrong_map(columns, message):
    available = ["text", "question", "options", "label"]
    assert message in refused(resolve_columns, available, columns, "q.csv")
    assert refused(resolve_columns, available, columns, "q.csv").startswith("q.csv: ")


# Values


@pytest.mark.parametrize("value", [1, np.int64(1), "1", "B", "b"])
def test_to_example_reads_a_label_as_index_or_letter(value):
    assert example_of(label=value).label == 1


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        0.0,
        None,
        "two",
        "",
        "AB",
        "01",
        " A",
        "\u0131",
        "\u0661",
        "D",
        "d",
        3,
        -1,
        "-1",
    ],
)
def test_to_example_refuses_any_other_label(value):
    message = refusal(label=value)
    assert message.startswith("q.jsonl, record 3: 'label' is ")
    assert "the index of the right one of 3 options, from 0, or its letter" in message


def test_to_example_reads_letters_beyond_d():
    options = [f"option {number}" for number in range(26)]
    assert example_of(options=options, label="Z").label == 25
    assert example_of(options=options, label="25").label == 25


@pytest.mark.parametrize("column", ["passage", "question"])
@pytest.mark.parametrize("value", [None, 3, ["a"]])
def test_to_example_refuses_what_is_no_text(column, value):
    assert refusal(**{column: value}).startswith(f"q.jsonl, record 3: '{column}' is ")


def test_to_example_names_a_field_that_a_record_lacks():
    record = {key: RECORD[key] for key in ("question", "options", "label")}
    message = refused(to_example, record, ColumnMap(*OURS), Place("q.jsonl, record", 8))
    assert message == "q.jsonl, record 8: 'passage' is null or missing; it must be a text"


def test_to_example_keeps_empty_texts():
    example = example_of(passage="", question="", options=["", "a"])
    assert (example.passage, example.question, example.options) == ("", "", ("", "a"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["one"], "1 options; 2 to 26 are allowed"),
        (["x"] * 27, "27 options; 2 to 26 are allowed"),
        (["a", None], "'options' has null or missing at index 1"),
        ([1, 2], "'options' has 1 (int) at index 0"),
        (None, "'options' is null or missing; it must be a list of texts"),
        ("['a', 'b']", "it must be a list of texts"),
        ('"ab"', "it must be a list of texts"),
        ({"a": "b"}, "it must be a list of texts"),
    ],
)
def test_to_example_refuses_wrong_options(options, message):
    assert refusal(options=options).startswith("q.jsonl, record 3: ")
    assert message in refusal(options=options)


def test_to_example_reads_options_written_as_a_json_list():
    assert example_of(options='["a, b", "c\\"d"]').options == ("a, b", 'c"d')


def test_to_example_lets_the_last_option_columns_be_null():
    columns = {"options": ["A", "B", "C", "D"]}
    cells = {"A": "one", "B": "two", "C": None, "D": None}
    assert example_of(columns, **cells).options == ("one", "two")
    assert "'B' is null or missing" in refusal(columns, **{**cells, "B": None, "D": "four"})
    assert "1 options" in refusal(columns, **{**cells, "B": None})
    assert "index of the right one of 2 options" in refusal(columns, **cells, label="C")


def test_to_example_refuses_an_empty_cell_of_an_option_column():
    columns = {"options": ["A", "B", "C"]}
    message = refusal(columns, A="one", B="two", C="")
    assert message.startswith("q.jsonl, record 3: 'C' is empty; it must be a text")
    assert "a JSON list in one column" in message


def test_to_example_refuses_half_a_character():
    assert "passage holds '\\ud83d', half a character" in refusal(passage="a \ud83d")


# Ids


@pytest.mark.parametrize(("value", "text"), [("q/1", "q/1"), (17, "17"), (np.int32(4), "4")])
def test_to_example_takes_texts_and_integers_for_ids(value, text):
    example = example_of(id=value, passage_id=value)
    assert (example.id, example.passage_id) == (text, text)


@pytest.mark.parametrize("value", [None, True, 1.0, ""])
@pytest.mark.parametrize("column", ["id", "passage_id"])
def test_to_example_refuses_any_other_id(column, value):
    assert refusal(**{column: value}).startswith("q.jsonl, record 3: ")


def test_digest_ids_are_what_they_have_been():
    example = example_of()
    assert example.id == "6b99ea4f83c5832447e94f645c424ce6"
    assert example.passage_id == "3ef1b92c20c120fbe384cf5999b9d4af"


def test_digest_ids_do_not_depend_on_how_the_label_is_written():
    assert {example_of(label=value).id for value in (1, "1", "B", "b")} == {example_of(label=1).id}


@pytest.mark.parametrize(
    "change", [{"passage": "x"}, {"question": "x"}, {"options": ["two", "x"]}, {"label": 1}]
)
def test_digest_ids_depend_on_each_field(change):
    assert example_of(**change).id != example_of().id


def read_all(records, tmp_path, columns=None):
    return list(read_examples([written(tmp_path / "q.jsonl", records)], columns, "test"))


def test_exact_repeats_are_numbered(tmp_path):
    other = {**RECORD, "label": 1}
    ids = [one.id for one in read_all([RECORD, other, RECORD, RECORD], tmp_path)]
    assert ids[2:] == [f"{ids[0]}-2", f"{ids[0]}-3"]
    assert ids[1] != ids[0]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
record_sets = st.lists(
    st.tuples(texts, texts, st.lists(texts, min_size=2, max_size=4), st.integers(0, 1)),
    max_size=5,
    unique_by=repr,
)


@given(rows=record_sets, data=st.data())
def test_digest_ids_depend_on_no_other_row(rows, data):
    def ids(some):
        identities, columns = Identities(), ColumnMap(*OURS)
        for number, row in enumerate(some):
            place = Place("row", number)
            example = to_example(dict(zip(OURS, row, strict=True)), columns, place)
            yield repr(row), identities.admit(example, columns, place).id

    assert dict(ids(data.draw(st.permutations(rows)))) == dict(ids(rows))
    assert len(set(dict(ids(rows)).values())) == len(rows)


def test_an_id_used_twice_is_refused_with_both_places(tmp_path):
    first = written(tmp_path / "a.jsonl", [{**RECORD, "id": 1}, {**RECORD, "id": "7"}])
    second = written(tmp_path / "b.jsonl", [{**RECORD, "id": 7}])
    message = refused(list, read_examples([first, second], None, "test"))
    assert message.startswith(f"{second}, record 1: 'id' is '7', as in {first}, record 2;")


def test_a_passage_id_stands_for_one_passage(tmp_path):
    records = [
        {**RECORD, "passage_id": "p"},
        {**RECORD, "passage_id": "p", "label": 1},
        {**RECORD, "passage_id": "p", "passage": "Another text."},
    ]
    assert {one.passage_id for one in read_all(records[:2], tmp_path)} == {"p"}
    message = refused(read_all, records, tmp_path)
    assert "record 3: 'passage_id' is 'p', as in " in message
    assert "the passages differ" in message


def test_admit_takes_the_same_place_twice_for_one_record():
    identities, columns = Identities(), ColumnMap(*OURS)
    for _ in range(2):
        for number in (4, 9):
            identities.admit(example_of(), columns, Place("row", number))
    assert identities.repeats == {Place("row", 9): 2}


# Files

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


# Splits


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
