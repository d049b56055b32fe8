"""The two attacks that choose among a model's candidates, with candidates given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from attack_checks import check_everything
from chosen_distractors import BOAT, EXTRACTION, GENERATION, attacked_with, spans_of
from fake_resources import falsifier
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial.attacks._falsehoods import Falsifier
from mcrc_adversarial.attacks._model_made import Pick, asks_for_truth, with_distractors
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example


def test_distractors_that_are_alike_but_for_marks_are_duplicates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    example = replace(BOAT, options=("a red boat", "plums", "Plums!", "a map"))

    found = attacked_with("distractor-generation", example, ("Tom", "Tom!"), monkeypatch)

    assert found.options == ("a red boat", "Tom", "Tom!", "plums")
    assert "duplicate-distractors" in found.reasons


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following is true?", True),
        ("Which of the following statements is TRUE ?", True),
        ("Which of the following is NOT true?", False),
        ("Which of the following isn't true?", False),
        ("Which of the following isn\u2019t true?", False),
        ("What is true?", False),
        ("Which of the following cannot be true?", False),
        # Words that run together, or hold another, count as in the paper's code.
        ("Which of the following isNOT True?", False),
        ("Which of the following might NOTbe true?", False),
        ("Which of the followings is True?", True),
        ("Which of the following notes is true?", False),
        ("Which of the following is untrue?", True),
        ("All of the following are true EXCEPT _ .", True),
    ],
)
def test_question_about_what_is_true_is_known(question: str, expected: bool) -> None:
    assert asks_for_truth(question) == expected


TRUE = replace(
    BOAT,
    question="Which of the following is true?",
    options=("Ann is tall", "p", "q", "r"),
)


@pytest.mark.parametrize(
    ("statement", "altered", "how"),
    [
        ("There Tom sold 5 tall boats", "There Adams sold 67 tall boats", None),
        ("Ann is tall and short", "Ann is short and short", "antonym"),
        ("Ann is here", "Ann is not here", "negation"),
        ("Ann is not here", "Ann is here", "negation"),
        ("plums", "plums", None),
    ],
)
def test_distractors_of_a_true_question_are_falsified(
    statement: str, altered: str, how: str | None
) -> None:
    edits = falsifier().statement(statement)
    found = with_distractors(TRUE, [Pick(statement, "span 1 of m")], set(), falsifier)

    assert found.changes is not None
    if how is not None:
        assert [edit.how for edit in edits] == [how]
        assert found.changes[1].how == how
    assert found.options[1].split()[:2] == altered.split()[:2]
    assert sum(map(str.isdecimal, found.options[1])) == sum(map(str.isdecimal, altered))


def test_falsified_distractor_that_would_equal_the_answer_stays() -> None:
    found = with_distractors(TRUE, [Pick("Ann is short", "span 1 of m")], set(), falsifier)

    # Its antonym would make it `Ann is tall`, which is right.
    assert found.options[1] == "Ann is short"
    assert "equals-answer" in found.reasons


def test_falsified_distractor_that_would_equal_the_answer_but_for_a_stop_stays() -> None:
    picks = [
        Pick(f"{text}.", "span 1 of m") for text in ("Ann is short", "Bo is here", "it is red")
    ]

    found = with_distractors(TRUE, picks, set(), falsifier)

    assert found.options[1] == "Ann is short."
    assert found.reasons == ("equals-answer",)


def test_distractor_without_anything_to_falsify_is_reported() -> None:
    picks = [Pick(text, "span 1 of m") for text in ("plums", "Bo is here", "it is red")]

    found = with_distractors(TRUE, picks, set(), falsifier)

    assert found.options[1:] == ("plums", "Bo is not here", "it is not red")
    assert found.reasons == ("not-falsified",)
    assert with_distractors(TRUE, picks, set(), None).reasons == ()


def test_distractors_of_other_questions_are_not_falsified() -> None:
    def never() -> Falsifier:
        raise AssertionError

    picks = [Pick("Ann is tall", "span 1 of m")]
    assert with_distractors(BOAT, picks, set(), never).options[1] == "Ann is tall"
    assert with_distractors(TRUE, [Pick("Tom", "x")], set(), None).options[1] == "Tom"


@given(examples(), st.lists(texts(max_pieces=3), max_size=4), st.booleans())
def test_placed_distractors_keep_the_contract(
    example: Example, spans: list[str], is_true_question: bool
) -> None:
    if is_true_question:
        example = replace(example, question="Which of the following is true?")
    picks = spans_of(example, spans)

    found = with_distractors(example, picks, set(), falsifier)

    check_everything(EXTRACTION, example, found, 0.65)


@pytest.mark.parametrize("attack", [EXTRACTION, GENERATION], ids=lambda attack: attack.name)
def test_parameters_are_checked(attack: object) -> None:
    for name, value in (("true_questions", "lie"), ("neighbours", "x")):
        with pytest.raises(ParameterError, match=f"^{name} is '.*'; it must be one of"):
            EXTRACTION.resolve({name: value})
    with pytest.raises(ParameterError, match="the name of a file"):
        EXTRACTION.resolve({"spans": 3})


def test_file_is_a_name_a_path_or_not_given() -> None:
    for value, name in ((Path("f"), "f"), ("f", "f"), (None, "")):
        assert EXTRACTION.resolve({"spans": value})["spans"] == name


def test_left_true_questions_need_no_resources() -> None:
    assert EXTRACTION.resource_names(EXTRACTION.resolve({"true_questions": "leave"})) == ()
    assert "wordnet" in EXTRACTION.resource_names(EXTRACTION.resolve({}))
