"""What a record's cells may hold."""

import numpy as np
import pytest
from own_records import OURS, RECORD, example_of, refusal, refused

from mcrc_adversarial.corpora.custom import ColumnMap, Place, to_example


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
