import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import corpora, find_source
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]


def passage(n_questions: int = 1, **changes: object) -> str:
    record: dict[str, object] = {
        "article": "The goat ate the map.\nNobody saw it.",
        "questions": [f"Who ate it? ({number})" for number in range(n_questions)],
        "options": [["a goat", "a cow", "a\nhen", "a cow"]] * n_questions,
        "answers": ["B"] * n_questions,
        "id": "middle1.txt",
    }
    return json.dumps(record | changes)


TREE = {
    "RACE/test/high/3.txt": passage(),
    "RACE/test/middle/10.txt": passage(),
    "RACE/test/middle/2.txt": passage(2),
    "RACE/dev/middle/2.txt": passage(),
    "RACE/dev/high/2.txt": passage(),
}


def test_race_orders_by_level_then_number(store, read: Read) -> None:
    rows = read("race", store("race", TREE), "test")
    assert [row.id for row in rows] == [
        "test/middle/2-0",
        "test/middle/2-1",
        "test/middle/10-0",
        "test/high/3-0",
    ]
    assert [row.passage_id for row in rows[:2]] == ["test/middle/2"] * 2
    assert [row.facts["level"] for row in rows] == ["middle", "middle", "middle", "high"]


def test_race_levels_share_ids_with_race(store, read: Read) -> None:
    raw = store("race", TREE)
    parts = read("race-middle", raw, "test") + read("race-high", raw, "test")
    assert parts == read("race", raw, "test")


def test_race_validation_is_the_folder_dev(store, read: Read) -> None:
    raw = store("race", TREE)
    assert [row.id for row in read("race", raw, "validation")] == [
        "validation/middle/2-0",
        "validation/high/2-0",
    ]
    assert find_source(corpora.get("race"), raw).splits() == ("validation", "test")


def test_race_keeps_newlines_and_repeated_options(store, read: Read) -> None:
    row = read("race-high", store("race", TREE), "test")[0]
    assert row.passage == "The goat ate the map.\nNobody saw it."
    assert row.options == ("a goat", "a cow", "a\nhen", "a cow")
    assert row.label == 1


def test_race_file_without_questions_gives_no_row(store, read: Read) -> None:
    tree = {"RACE/test/high/3.txt": passage(), "RACE/test/high/4.txt": passage(0)}
    assert [row.id for row in read("race-high", store("race", tree), "test")] == ["test/high/3-0"]


def test_race_reads_bom_and_crlf(store, read: Read) -> None:
    indented = json.dumps(json.loads(passage()), indent=1).replace("\n", "\r\n")
    tree = {"RACE/test/high/3.txt": b"\xef\xbb\xbf" + indented.encode()}
    assert read("race-high", store("race", tree), "test")[0].question == "Who ate it? (0)"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (passage()[:-5], "broken JSON at column "),
        ("[1, 2]", "found a list, expected an object"),
        (passage(answers=[]), "1 questions, 1 options, 0 answers"),
        (passage(answers=["E"]), "field 'answers': 'E' is none of the letters 'ABCD'"),
        (passage(answers=["b"]), "'b' is none of the letters"),
        (passage(answers=["AB"]), "'AB' is none of the letters"),
        (passage(answers=[""]), "'' is none of the letters"),
        (passage(answers=[1]), "field 'answers', item 0 is a number, expected a text"),
        (passage(article=None), "field 'article' is null, expected a text"),
        (passage(options=["abcd"]), "field 'options', item 0 is a text, expected a list"),
        (passage(options=[["a", 1, "c", "d"]]), "item 0, item 1 is a number, expected a text"),
        (passage(options=[["a"]], answers=["A"]), "1 options; 2 to 26 are allowed"),
        ('{"article": "a", "questions": []}', "field 'answers' is missing"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_race_bad_file_is_one_line_with_file_and_field(
    tmp_path: Path, write_folder, read: Read, content: str, complaint: str
) -> None:
    write_folder(tmp_path, {"RACE/test/high/3.txt": content})
    with pytest.raises(DataError) as caught:
        read("race-high", tmp_path, "test")
    assert complaint in str(caught.value)
    assert "test/high/3" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_race_not_utf8_names_file_and_offset(tmp_path: Path, write_folder, read: Read) -> None:
    content = b"\xef\xbb\xbf" + passage().encode().replace(b"goat", b"go\xe4t", 1)
    write_folder(tmp_path, {"RACE/test/high/3.txt": content})
    with pytest.raises(
        DataError, match=rf"3\.txt' is not UTF-8: byte 0xe4 at offset {content.index(0xE4)}"
    ):
        read("race-high", tmp_path, "test")


def test_race_one_level_alone_is_half_a_split(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"RACE/test/high/3.txt": passage()})
    source = find_source(corpora.get("race"), tmp_path)
    with pytest.raises(
        DataError, match=r"'test' is half there: .*high/3\.txt' is, but no file fits .*middle"
    ):
        source.splits()
