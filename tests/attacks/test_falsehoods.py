"""Questions and distractors are altered until they are false."""

from __future__ import annotations

from random import Random

import pytest
from fake_resources import FakeAntonyms, FakeTagger, falsifier
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.attacks._falsehoods import Edit, Falsifier


def edited(text: str, edits: list[Edit]) -> str:
    for edit in reversed(edits):
        text = text[: edit.start] + edit.after + text[edit.end :]
    return text


def hows(edits: list[Edit]) -> list[str]:
    return [edit.how for edit in edits]


@pytest.mark.parametrize(
    ("text", "altered", "how"),
    [
        ("When did Tom run?", "When did Adams run?", "neighbour fake"),
        ("Where did TOM run?", "Where did ADAMS run?", "neighbour fake"),
        ("Who is tall?", "Who is short?", "antonym"),
        ("Who is tall and old?", "Who is short and old?", "antonym"),
        ("Who is best?", "Who is worst?", "antonym"),
        ("Who is better?", "Who is worse?", "antonym"),
        ("Who is tallest?", "Who is not tallest?", "negation"),
        ("Who is new?", "Who is not new?", "negation"),
        ("What is it?", "What is not it?", "negation"),
        ("What were they, and what is it?", "What were they, and what is not it?", "negation"),
        ("What is not new?", "What is new?", "negation"),
        ("Why doesn't she talk?", "Why does she talk?", "negation"),
        ("Can't she talk?", "Can she talk?", "negation"),
        ("Why won\u2019t she talk?", "Why will she talk?", "negation"),
        ("Why not?", "Why ?", "negation"),
        ("What broken thing?", "What not broken thing?", "negation"),
        ("They learn what?", "They not learn what?", "negation"),
    ],
)
def test_question_is_altered_by_the_rules(text: str, altered: str, how: str) -> None:
    edits = falsifier().question(text)

    assert edited(text, edits) == altered
    assert hows(edits) == [how]


@pytest.mark.parametrize("text", ["Why?", "", "妹妹画了什么", "_", "..."])
def test_question_without_a_verb_or_adjective_stays(text: str) -> None:
    assert falsifier().question(text) == []


@given(st.integers(0, 50))
def test_numbers_grow_by_ten_to_a_hundred_in_questions_and_one_to_ten_in_distractors(
    seed: int,
) -> None:
    question, distractor = falsifier(seed).question("How 5 here?"), falsifier(seed).distractor("5")

    assert 15 <= int(question[0].after) <= 105
    assert 6 <= int(distractor[0].after) <= 15


def test_numbers_in_words_or_with_marks_stay() -> None:
    assert "number" not in hows(falsifier().question("Was it B52 or ٣ or " + "9" * 30))


def test_no_word_is_put_in_twice() -> None:
    one = falsifier()
    words = [one.question("When did Tom run?")[0].after for _ in range(8)]

    assert len({*words}) == 8
    # All names are used up: what is left is the negation.
    assert hows(one.question("When did Tom run?")) == ["negation"]


def test_near_word_has_another_stem_and_the_token_s_tag() -> None:
    class Near:
        def nearest(self, word: str) -> list[str]:
            return ["the", "toms", "x1", "running", "run", "oak"]

    class Tags(FakeTagger):
        def word_tag(self, word: str) -> str:
            return {"Running": "VBG", "Run": ""}.get(word, super().word_tag(word))

    one = Falsifier(Tags(), FakeAntonyms(), Near(), "fake", Random(0))

    # `Run` has no known tag, which counts as fit: but its stem is used by none before.
    assert edited("Did Tom go?", one.question("Did Tom go?")) == "Did Run go?"


@pytest.mark.parametrize(
    ("text", "altered"),
    [
        ("the old kite", "the young hotel"),
        ("Tom and Ann", "Tom and Hayes"),
        ("quickly", "not quickly"),
        ("it is", "not it is"),
        ("", "not"),
        ("  ", "not  "),
    ],
)
def test_distractor_is_altered_by_the_rules(text: str, altered: str) -> None:
    found = {edited(text, falsifier(seed).distractor(text)) for seed in range(9)}

    assert altered in found
