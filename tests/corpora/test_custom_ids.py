"""Ids of records, given or made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_records import OURS, RECORD, example_of, refusal, refused, written

from mcrc_adversarial.corpora.custom import ColumnMap, Identities, Place, read_examples, to_example


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
