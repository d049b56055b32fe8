from collections.abc import Callable
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import corpora, find_source
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]
ZERO_WIDTH = "\u200b"


def xml(questions: str, head: str = '<?xml version="1.0" ?>\n', attributes: str = "") -> str:
    instance = f'<instance id="0"{attributes}><text> I baked.\n</text>{questions}</instance>'
    return f"{head}<data>{instance}</data>"


def question(answers: str, attributes: str = "") -> str:
    return f'<questions><question id="5" text="Who?"{attributes}>{answers}</question></questions>'


RIGHT = '<answer correct="True" id="1" text="I did"/>'
WRONG = '<answer correct="False" id="0" text="A &amp; B"/>'
PLAIN = xml(question(WRONG + RIGHT))


@pytest.mark.parametrize("corpus", ["mcscript", "mcscript2"])
def test_mcscript_reads_text_options_and_label(store, read: Read, corpus: str) -> None:
    (row,) = read(corpus, store(corpus, {"dev-data.xml": PLAIN}), "validation")
    assert row == Example(
        id="validation/0-0",
        passage_id="validation/0",
        passage=" I baked.\n",
        question="Who?",
        options=("A & B", "I did"),
        label=1,
        facts={"question_type": None, "scenario": None},
    )


def test_mcscript_ids_that_repeat_across_splits_get_the_split_in_front(store, read: Read) -> None:
    raw = store("mcscript", {"train-data.xml": PLAIN, "test-data.xml": PLAIN})
    assert read("mcscript", raw, "train")[0].id == "train/0-0"
    assert read("mcscript", raw, "test")[0].id == "test/0-0"


def test_mcscript_question_type_and_scenario_where_given(store, read: Read) -> None:
    content = xml(question(RIGHT + WRONG, ' type="text"'), attributes=' scenario="baking a cake"')
    (row,) = read("mcscript", store("mcscript", {"test-data.xml": content}), "test")
    assert row.facts == {"question_type": "text", "scenario": "baking a cake"}
    assert row.label == 0


def test_mcscript_keeps_zero_width_spaces(store, read: Read) -> None:
    content = PLAIN.replace("I did", f"I{ZERO_WIDTH}did").replace("baked", f"{ZERO_WIDTH}baked")
    (row,) = read("mcscript", store("mcscript", {"test-data.xml": content}), "test")
    assert row.passage == f" I {ZERO_WIDTH}baked.\n"
    assert row.answer == f"I{ZERO_WIDTH}did"


@pytest.mark.parametrize("empty", ["<questions/>", "<questions></questions>", ""])
def test_mcscript_instance_without_questions_gives_no_row(store, read: Read, empty: str) -> None:
    more = f'<instance id="1"><text>Nothing.</text>{empty}</instance></data>'
    content = PLAIN.replace("</data>", more)
    rows = read("mcscript", store("mcscript", {"train-data.xml": content}), "train")
    assert [row.id for row in rows] == ["train/0-0"]


def test_mcscript_trial_data_is_no_split(store) -> None:
    four = xml(question(WRONG * 3 + RIGHT))
    raw = store("mcscript", {"trial-data.xml": four, "train-data.xml": PLAIN})
    assert find_source(corpora.get("mcscript"), raw).splits() == ("train",)


def test_mcscript_reads_bom_crlf_and_a_named_dtd(store, read: Read) -> None:
    head = '<?xml version="1.0" encoding="utf-8"?>\r\n<!DOCTYPE data SYSTEM "MCScript.dtd">\r\n'
    content = (
        b"\xef\xbb\xbf" + xml(question(WRONG + RIGHT), head).replace("d.\n", "d.\r\n").encode()
    )
    (row,) = read("mcscript", store("mcscript", {"test-data.xml": content}), "test")
    assert row.passage == " I baked.\n"


@pytest.mark.parametrize(
    ("asked", "other"),
    [("mcscript", "mcscript2"), ("mcscript2", "mcscript"), ("mcscript2", "MCScript")],
)
def test_mcscript_versions_with_equal_file_names_are_told_apart(
    store, read: Read, asked: str, other: str
) -> None:
    store(other, {"train-data.xml": PLAIN.replace("baked", "cooked"), "test-data.xml": PLAIN})
    raw = store(asked, {"train-data.xml": PLAIN})
    assert find_source(corpora.get(asked), raw).splits() == ("train",)
    assert read(asked, raw, "train")[0].passage == " I baked.\n"


@pytest.mark.parametrize("name", ["MCScript2.0", "MCScript-2.0", "mcscript_2"])
def test_mcscript2_is_known_by_its_spellings(store, read: Read, name: str) -> None:
    raw = store(name, {"dev-data.xml": PLAIN})
    assert find_source(corpora.get("mcscript2"), raw).splits() == ("validation",)


ENTITY = '<?xml version="1.0"?><!DOCTYPE data [<!ENTITY a "aaaa">]>'
EXTERNAL = '<?xml version="1.0"?><!DOCTYPE data [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (PLAIN[:-3], "broken XML"),
        ("", "broken XML"),
        (xml(question(WRONG + RIGHT), ENTITY), "entities and external references are refused"),
        (xml(question(WRONG + RIGHT), EXTERNAL), "entities and external references are refused"),
        (xml(question(RIGHT)), "instance '0', question '5': 1 answers, expected 2"),
        (xml(question(RIGHT + WRONG * 2)), "3 answers, expected 2"),
        (xml(question(RIGHT + RIGHT)), "'correct' is ['True', 'True']"),
        (xml(question(WRONG + WRONG)), "'correct' is ['False', 'False']"),
        (xml(question(WRONG + RIGHT.replace("True", "true"))), "'correct' is ['False', 'true']"),
        (xml(question(WRONG + RIGHT.replace(' text="I did"', ""))), "has no attribute 'text'"),
        (PLAIN.replace('<instance id="0"', "<instance"), "has no attribute 'id'"),
        (PLAIN.replace("<text> I baked.\n</text>", ""), "needs one element 'text'"),
        (PLAIN.replace("baked", "<b>baked</b>"), "needs one element 'text'"),
    ],
)
def test_mcscript_bad_file_is_one_line(
    tmp_path: Path, write_folder, read: Read, content: str, complaint: str
) -> None:
    write_folder(tmp_path, {"mcscript/test-data.xml": content})
    with pytest.raises(DataError) as caught:
        read("mcscript", tmp_path, "test")
    assert complaint in str(caught.value)
    assert "test-data.xml" in str(caught.value)
    assert "\n" not in str(caught.value)
