"""Which columns of a file are which."""

import pytest
from own_records import OURS, refused

from mcrc_adversarial.corpora.custom import ColumnMap, resolve_columns


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
