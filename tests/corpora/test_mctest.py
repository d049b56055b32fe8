from collections.abc import Callable
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import corpora, find_source
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]


def story(native_id: str, text: str = "Ann fed the fox.", properties: str | None = None) -> str:
    head = [native_id, properties or "Author: 7;Work Time(s): 61", text]
    questions = ["one: Who fed it?", "multiple: Why?", 'one: "Fox" or "cat"?', "one: one: two?"]
    for question in questions:
        head += [question, "Ann", "Ben", '"Cy" said Di', "Ed"]
    return "\t".join(head)


def tree(corpus: str = "mc160", **changes: str) -> dict[str, str]:
    files = {
        f"MCTest/{corpus}.train.tsv": story(f"{corpus}.train.0") + "\r\n",
        f"MCTest/{corpus}.train.ans": "A\tB\tC\tD\r\n",
        f"MCTest/{corpus}.test.tsv": f"{story(f'{corpus}.test.0')}\n{story(f'{corpus}.test.1')}\n",
        f"MCTestAnswers/{corpus}.test.ans": "D\tC\tB\tA\nA\tA\tA\tA\n",
        f"MCTest/{corpus}.test.txt": "the same for people",
    }
    return files | {f"MCTest/{name}": content for name, content in changes.items()}


def test_mctest_joins_test_answers_from_another_folder(store, read: Read) -> None:
    rows = read("mc160", store("mctest", tree()), "test")
    assert [row.label for row in rows] == [3, 2, 1, 0, 0, 0, 0, 0]
    assert [row.id for row in rows[3:5]] == ["test/mc160.test.0-3", "test/mc160.test.1-0"]
    assert rows[4].passage_id == "test/mc160.test.1"


def test_mctest_reads_crlf_and_a_file_without_a_last_line_end(store, read: Read) -> None:
    raw = store("mctest", tree(**{"mc160.train.ans": "A\tB\tC\tD"}))
    assert [row.label for row in read("mc160", raw, "train")] == [0, 1, 2, 3]
    assert read("mc160", raw, "train")[3].options[3] == "Ed"


def test_mctest_prefix_becomes_the_question_type_once(store, read: Read) -> None:
    rows = read("mc160", store("mctest", tree()), "train")
    assert [row.facts["question_type"] for row in rows] == ["one", "multiple", "one", "one"]
    assert [row.question for row in rows] == ["Who fed it?", "Why?", '"Fox" or "cat"?', "one: two?"]


def test_mctest_escapes_of_the_story_become_characters(store, read: Read) -> None:
    line = story("mc160.train.0", r"\tabUp.\newline\newlineDown.\new")
    rows = read("mc160", store("mctest", tree(**{"mc160.train.tsv": line})), "train")
    assert rows[0].passage == "\tUp.\n\nDown.\\new"


def test_mctest_a_double_quote_opens_nothing(store, read: Read) -> None:
    lines = f"{story('a', chr(34) + 'Run, he said.')}\n{story('b')}\n"
    raw = store("mctest", tree(**{"mc160.train.tsv": lines, "mc160.train.ans": "A\tA\tA\tA\n" * 2}))
    rows = read("mc160", raw, "train")
    assert rows[0].passage == '"Run, he said.'
    assert rows[0].options[2] == '"Cy" said Di'
    assert [row.passage_id for row in rows[::4]] == ["train/a", "train/b"]


def test_mctest_facts_leave_the_authors_out(store, read: Read) -> None:
    properties = "Author: 7;Work Time(s): 61;Qual. score: 95;Creativity Words: arm,sky"
    line = story("mc500.train.0", properties=properties)
    raw = store("mctest", tree("mc500", **{"mc500.train.tsv": line}))
    assert read("mc500", raw, "train")[0].facts == {
        "question_type": "one",
        "work_time_seconds": 61,
        "creativity_words": ["arm", "sky"],
    }
    assert read("mc500", raw, "test")[0].facts["creativity_words"] is None


def test_mctest_without_answers_is_half_a_split(store) -> None:
    files = tree()
    del files["MCTestAnswers/mc160.test.ans"]
    source = find_source(corpora.get("mc160"), store("mctest", files))
    with pytest.raises(
        DataError, match=r"'test' is half there: .*test\.tsv' is, but no file fits .*\.ans"
    ):
        source.read("test")
    assert len(source.read("train")) == 2


def test_mc160_and_mc500_stand_side_by_side(store, read: Read) -> None:
    raw = store("mctest", tree() | tree("mc500"))
    assert {row.id.split(".")[0] for row in read("mc160", raw, "test")} == {"test/mc160"}
    assert {row.id.split(".")[0] for row in read("mc500", raw, "test")} == {"test/mc500"}


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("mc160.train.tsv", "a\tb\tc", "line 1: 3 fields, expected 23"),
        ("mc160.train.tsv", "", "line 1: 1 fields, expected 23"),
        ("mc160.train.ans", "A\tB\tC\n", "line 1: 3 fields, expected 4"),
        ("mc160.train.ans", "A\tB\tC\tE\n", "line 1: the answer 'E' is none of the letters 'ABCD'"),
        ("mc160.train.ans", "A\tB\tC\tD\n" * 2, "1 stories, file"),
        ("mc160.train.tsv", story("a").replace("multiple: ", ""), "question 2: it begins with"),
        ("mc160.train.tsv", story("a", properties="Author: 7"), "have no 'Work Time(s)"),
    ],
)
def test_mctest_bad_line_is_named(
    tmp_path: Path, write_folder, read: Read, name: str, content: str, complaint: str
) -> None:
    write_folder(tmp_path, tree(**{name: content}))
    with pytest.raises(DataError) as caught:
        read("mc160", tmp_path, "train")
    assert complaint in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
