from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from hypothesis import given
from strategies import examples

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS, MAX_OPTIONS, MIN_OPTIONS, Example

GOOD: dict[str, Any] = {
    "id": "test/7-0",
    "passage_id": "test/7",
    "passage": "Ann has a dog.",
    "question": "What has Ann?",
    "options": ("a cat", "a dog"),
    "label": 1,
}


def test_example_keeps_its_fields() -> None:
    example = Example(**GOOD, facts={"level": "middle"})
    assert dataclasses.asdict(example) == GOOD | {"facts": {"level": "middle"}}


@given(examples())
def test_example_splits_its_options_into_answer_and_distractors(example: Example) -> None:
    together = list(example.distractors)
    together.insert(example.label, example.answer)
    assert example.options == tuple(together)
    assert len(example.distractors) == len(example.options) - 1


def test_example_finds_the_distractors_by_index_not_by_text() -> None:
    example = Example(**GOOD | {"options": ("a dog", "a dog", "a cat"), "label": 1})
    assert example.distractors == ("a dog", "a cat")


def test_example_is_frozen() -> None:
    example = Example(**GOOD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.passage = "other"  # type: ignore[misc]


def test_example_allows_empty_texts_and_26_options() -> None:
    assert Example(**GOOD | {"passage": "", "question": "", "options": ("", "")}).answer == ""
    assert Example(**GOOD | {"options": tuple(LETTERS), "label": 25}).answer == "Z"


def test_example_allows_2_to_26_options() -> None:
    assert (MIN_OPTIONS, MAX_OPTIONS, len(set(LETTERS))) == (2, 26, 26)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("id", "", "id and passage_id must not be empty"),
        ("passage_id", "", "id and passage_id must not be empty"),
        ("id", 7, "record 7: id is int, not text"),
        ("passage_id", None, "passage_id is NoneType, not text"),
        ("passage", None, "passage is NoneType, not text"),
        ("question", ["x"], "question is list, not text"),
        ("options", ("one",), "1 options; 2 to 26 are allowed"),
        ("options", (), "0 options; 2 to 26 are allowed"),
        ("options", (*tuple(LETTERS), "AA"), "27 options; 2 to 26 are allowed"),
        ("options", ("one", None), "option B is NoneType, not text"),
        ("options", ["one", "two"], "options is list, not a tuple of texts"),
        ("options", "ab", "options is str, not a tuple of texts"),
        ("label", 2, "label is 2; it must be an index from 0 to 1"),
        ("label", -1, "label is -1; it must be an index from 0 to 1"),
        ("label", True, "label is True; it must be an index from 0 to 1"),
        ("label", "B", "label is 'B'; it must be an index from 0 to 1"),
        ("label", 1.0, "label is 1.0; it must be an index from 0 to 1"),
        ("label", None, "label is None; it must be an index from 0 to 1"),
        ("passage", "half \ud83d emoji", r"passage holds '\ud83d', half a character"),
        ("options", ("a", "\udc00"), r"option B holds '\udc00', half a character"),
    ],
)
def test_example_refuses_a_bad_field(field: str, value: object, message: str) -> None:
    with pytest.raises(DataError, match=f"^record .*{re.escape(message)}$|^{re.escape(message)}$"):
        Example(**GOOD | {field: value})


@pytest.mark.parametrize("field", ["passage", "question", "label"])
def test_example_names_the_record_at_fault(field: str) -> None:
    with pytest.raises(DataError, match=f"^record 'test/7-0': {field} is NoneType|{field} is None"):
        Example(**GOOD | {field: None})
