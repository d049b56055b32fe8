from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.attacks.random_span import _random_order
from mcrc_adversarial.example import Example
from mcrc_adversarial.words import n_words, word_key, words

RANDOM_SPAN = attacks.get("random-span")


def with_answer(passage: str, answer: str, *distractors: str) -> Example:
    return Example("test/1-0", "test/1", passage, "Q?", (answer, *distractors), 0)


def test_random_span_gives_passage_words_of_the_answer_s_length() -> None:
    passage = "He doesn't know\nthe  way home, so he asks a tall man."
    example = with_answer(passage, "a tall man", "one", "a much longer distractor", "")

    for seed in range(30):
        attacked = apply(RANDOM_SPAN, example, seed)
        assert attacked.reasons == ()
        for span in attacked.options[1:]:
            assert n_words(span) == 3
            assert span in " ".join(passage.split())
            assert span != "a tall man"


def test_random_span_reaches_every_span_alike() -> None:
    example = with_answer("one two three four five", "six", "seven")

    found = Counter(apply(RANDOM_SPAN, example, seed).options[1] for seed in range(1000))

    assert set(found) == {"one", "two", "three", "four", "five"}
    assert min(found.values()) > 140


@pytest.mark.parametrize(
    ("passage", "answer", "options", "reasons"),
    [
        ("", "a", ("a", "b", "c"), ("no-span",)),
        ("A a A", "a", ("a", "b", "c"), ("no-span",)),
        ("up", "going down", ("going down", "up", "c"), ("no-span",)),
        ("... !", "a", ("a", "b", "c"), ("no-span",)),
        ("so so", "going", ("going", "so", "c"), ("no-span",)),
    ],
)
def test_random_span_keeps_distractors_where_there_is_no_span_left(
    passage: str, answer: str, options: tuple[str, ...], reasons: tuple[str, ...]
) -> None:
    attacked = apply(RANDOM_SPAN, with_answer(passage, answer, "b", "c"))

    assert attacked.reasons == reasons
    assert attacked.options == options


@given(example=examples(), seed=st.integers(0, 3))
def test_random_span_makes_no_two_equal_spans_and_none_equal_to_the_answer(
    example: Example, seed: int
) -> None:
    attacked = apply(RANDOM_SPAN, example, seed)

    made = [new for old, new in zip(example.options, attacked.options, strict=True) if old != new]
    keys = [word_key(text) for text in made]
    assert len(set(keys)) == len(keys)
    assert word_key(example.answer) not in keys
    passage = "".join(words(example.passage))
    assert all("".join(text.split()) in "".join(passage.split()) for text in made)


@given(st.integers(0, 40), st.integers(0, 9))
def test_random_order_has_each_number_once(count: int, seed: int) -> None:
    assert sorted(_random_order(count, Random(seed))) == list(range(count))
