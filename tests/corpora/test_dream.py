import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]


def dialogue(choice: object = ("tea", "milk", "Tea"), answer: object = "milk") -> list[object]:
    turns = ["W: Tea or milk?", "M: Milk, please."]
    return [turns, [{"question": "What?", "choice": choice, "answer": answer}], "4-7"]


def content(*dialogues: object) -> str:
    return json.dumps(dialogues, indent=2).replace("\n", "\r\n")


def test_dream_joins_turns_and_finds_the_answer(store, read: Read) -> None:
    (row,) = read("dream", store("dream", {"data/dev.json": content(dialogue())}), "validation")
    assert row.id == "validation/4-7-0"
    assert row.passage == "W: Tea or milk?\nM: Milk, please."
    assert row.options == ("tea", "milk", "Tea")
    assert row.label == 1


@pytest.mark.parametrize(
    ("choice", "answer", "label"),
    [
        (["tea", "milk", "Tea"], "Tea", 2),
        (["tea", "milk", "milk"], "milk", 1),
        (["tea ", "tea", "milk"], "tea", 1),
        (["milk", " tea", "rum"], "tea  ", 1),
    ],
)
def test_dream_answer_text_becomes_an_index(
    store, read: Read, choice: list[str], answer: str, label: int
) -> None:
    raw = store("dream", {"data/test.json": content(dialogue(choice, answer))})
    assert read("dream", raw, "test")[0].label == label


def test_dream_reads_a_byte_order_mark(store, read: Read) -> None:
    raw = store("dream", {"data/test.json": b"\xef\xbb\xbf" + content(dialogue()).encode()})
    assert len(read("dream", raw, "test")) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{}", "is an object, expected a list"),
        (content(dialogue()[:2]), "dialogue 0: 2 parts"),
        (content(dialogue(answer="TEA")), "field 'answer' is 'TEA', which is none of the options"),
        (content(dialogue(answer=1)), "field 'answer' is a number, expected a text"),
        (content(dialogue(choice="abc")), "field 'choice' is a text, expected a list"),
        (content(["one turn", [], "1-1"]), "turns is a text, expected a list"),
        (content([["a"], ["b"], "1-1"]), "question 0: found a text, expected an object"),
        (content([["a"], [{"question": "?"}], "1-1"]), "field 'choice' is missing"),
    ],
)
def test_dream_bad_record_is_named(
    tmp_path: Path, write_folder, read: Read, text: str, complaint: str
) -> None:
    write_folder(tmp_path, {"dream/data/test.json": text})
    with pytest.raises(DataError) as caught:
        read("dream", tmp_path, "test")
    assert complaint in str(caught.value)
    assert "test.json" in str(caught.value)
    assert "\n" not in str(caught.value)
