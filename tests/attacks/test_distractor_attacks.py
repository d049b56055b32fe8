"""What is special to the six attacks that replace distractors."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDINARY

from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.example import Example
from mcrc_adversarial.words import sentences, words

SENTENCE_ATTACKS = ("addsent2opt", "addsent2opt-shuffle", "sent2opt-shuffle")
ALL = (*SENTENCE_ATTACKS, "addans2opt", "addans2opt-shuffle", "ans2opt-shuffle")
FOUR = ("She left.", "He came too.", "It rained all day.", "Nobody saw the cat.")


def _attack(name: str, *options: str, passage: str = " ".join(FOUR), seed: int = 0) -> Attacked:
    """The attack on an example whose first option is the answer."""
    example = Example("test/1-0", "test/1", passage, "What?", options, 0)
    return apply(attacks.get(name), example, seed)


def _sentence_of(option: str, distractor: str) -> str:
    """The sentence of FOUR that an option is made of."""
    rest = Counter(words(option)) - Counter(words(distractor))
    (found,) = (sentence for sentence in FOUR if Counter(words(sentence)) == rest)
    return found


@pytest.mark.parametrize("name", SENTENCE_ATTACKS)
def test_each_distractor_gets_a_sentence_of_its_own(name: str) -> None:
    for seed in range(30):
        attacked = _attack(name, "a", "b1", "c1", "d1", seed=seed)
        added = {"sent2opt-shuffle": ("", "", "")}.get(name, ("b1", "c1", "d1"))
        found = [_sentence_of(*pair) for pair in zip(attacked.options[1:], added, strict=True)]
        assert len(set(found)) == 3


@pytest.mark.parametrize("name", SENTENCE_ATTACKS)
def test_any_sentence_of_the_passage_may_be_drawn(name: str) -> None:
    distractor = "" if name == "sent2opt-shuffle" else "b1"
    drawn = {
        _sentence_of(_attack(name, "a", "b1", seed=seed).options[1], distractor)
        for seed in range(60)
    }
    assert drawn == set(FOUR)


def test_sentences_come_again_only_when_all_are_used() -> None:
    attacked = _attack(
        "addsent2opt", "a", *(f"b{n}" for n in range(6)), passage="She left. He came."
    )
    used = Counter(option.split(" ", 1)[1] for option in attacked.options[1:])
    assert used == {"She left.": 3, "He came.": 3}


@pytest.mark.parametrize("name", SENTENCE_ATTACKS)
@pytest.mark.parametrize("passage", ["", "  \n", "...", "- - -"])
def test_a_passage_without_a_sentence_leaves_the_row_alone(name: str, passage: str) -> None:
    attacked = _attack(name, "a", "b", "c", passage=passage)
    assert attacked.options == ("a", "b", "c")
    assert attacked.reasons == ("no-sentence",)


def test_sent2opt_shuffle_draws_sentences_that_have_another_order() -> None:
    for seed in range(20):
        attacked = _attack(
            "sent2opt-shuffle", "a", "b", "c", passage="Help? Run\n\nIt rained.", seed=seed
        )
        assert all(option != "Run" for option in attacked.options)


def test_sent2opt_shuffle_leaves_the_row_alone_where_no_sentence_has_another_order() -> None:
    attacked = _attack("sent2opt-shuffle", "a", "b", "c", passage="Run")
    assert attacked.options == ("a", "b", "c")
    assert attacked.reasons == ("one-word",)


def test_sent2opt_shuffle_never_rebuilds_the_answer() -> None:
    for seed in range(30):
        attacked = _attack("sent2opt-shuffle", "b a", "x", passage="a B", seed=seed)
        assert attacked.options == ("b a", "x")
        assert attacked.reasons == ("equals-answer",)


def test_addsent2opt_joins_by_one_space_and_leaves_the_distractor_as_it_was() -> None:
    attacked = _attack("addsent2opt", "a", "two  spaces\u00a0", passage="She\n left.")
    assert attacked.options[1] == "two  spaces\u00a0 She left."


@pytest.mark.parametrize("blank", ["", " ", "\n\u00a0"])
def test_addsent2opt_puts_no_space_before_what_replaces_a_blank_distractor(blank: str) -> None:
    assert _attack("addsent2opt", "a", blank, passage="It rained.").options == ("a", "It rained.")


@pytest.mark.parametrize("blank", ["", " ", "\n\u00a0"])
def test_addans2opt_leaves_a_blank_distractor_that_would_become_the_answer(blank: str) -> None:
    attacked = _attack("addans2opt", "the answer", blank, "wrong")
    assert attacked.options == ("the answer", blank, "wrong the answer")
    assert attacked.reasons == ("equals-answer",)


@pytest.mark.parametrize(
    ("answer", "distractor", "expected"),
    [("red cars", "two", "two red cars"), ("Red", "red", "red Red"), ("a", "b.", "b. a")],
)
def test_addans2opt_puts_the_answer_behind(answer: str, distractor: str, expected: str) -> None:
    assert _attack("addans2opt", answer, distractor).options == (answer, expected)


@pytest.mark.parametrize("name", ["addans2opt", "ans2opt-shuffle"])
def test_an_empty_answer_leaves_the_row_alone(name: str) -> None:
    for answer in ("", " \n"):
        attacked = _attack(name, answer, "some words", "")
        assert attacked.options == (answer, "some words", "")
        assert attacked.reasons == ("empty",)


def test_addans2opt_of_equal_distractors_says_that_they_are_equal() -> None:
    attacked = _attack("addans2opt", "a", "no one", "No one", "nobody")
    assert attacked.options == ("a", "no one a", "No one a", "nobody a")
    assert attacked.reasons == ("duplicate-distractors",)


# Two equal distractors of enough words are told apart by their orders.
def test_addans2opt_shuffle_of_equal_distractors_gives_different_ones() -> None:
    for seed in range(30):
        attacked = _attack("addans2opt-shuffle", "a b", "no one", "no one", "no one", seed=seed)
        assert len(set(attacked.options)) == 4
        assert attacked.reasons == ()


def test_equal_distractors_that_were_not_altered_are_no_reason() -> None:
    attacked = _attack("ans2opt-shuffle", "Yes", "No", "no", "NO")
    assert attacked.reasons == ("equals-answer",)


# The sentence `a b` cannot be used beside the answer `b a`, so its distractor is kept; `c d` has
# one other order, which is that distractor's text.
@pytest.mark.parametrize("distractors", [("d c", "x"), ("x", "d c")])
def test_a_distractor_equal_to_one_that_was_kept_is_reported(distractors: tuple[str, str]) -> None:
    outcomes = {
        (attacked.options[1:], attacked.reasons)
        for seed in range(30)
        for attacked in [
            _attack("sent2opt-shuffle", "b a", *distractors, passage="a b\n\nc d", seed=seed)
        ]
    }
    assert outcomes == {
        (("d c", "d c"), ("equals-answer", "duplicate-distractors")),
        (distractors, ("equals-answer",)),
    }


def test_each_shuffle_of_one_row_takes_another_order() -> None:
    attacked = _attack("ans2opt-shuffle", "one two three four five", "b", "c", "d")
    assert len(set(attacked.options)) == 4


@pytest.mark.parametrize("name", ["addsent2opt-shuffle", "sent2opt-shuffle"])
def test_the_sentences_drawn_depend_on_no_threshold(name: str) -> None:
    example = ORDINARY[0]
    low, high = (apply(attacks.get(name), example, shuffle_degree=t) for t in (0.0, 0.9))
    assert [sorted(words(o)) for o in low.options] == [sorted(words(o)) for o in high.options]


@given(st.lists(st.sampled_from(["yes", "YES", "yes yes", "no", ""]), min_size=2, max_size=5))
def test_few_words_never_make_a_distractor_the_answer(options: list[str]) -> None:
    for name in ALL:
        attacked = _attack(name, *options, passage="yes")
        for before, after in zip(options[1:], attacked.options[1:], strict=True):
            assert before == after or after.casefold() != options[0].casefold()


def test_sentences_of_the_four_are_four() -> None:
    assert sentences(" ".join(FOUR)) == list(FOUR)


# Of `Er...` no order lies above 0.5, since three of its four words are equal.
def test_sent2opt_shuffle_prefers_sentences_that_can_pass() -> None:
    for seed in range(20):
        attacked = _attack("sent2opt-shuffle", "x", "y", passage="Er...\nIt rained.", seed=seed)
        assert attacked.reasons == ()
        assert "Er" not in attacked.options[1]
    alone = _attack("sent2opt-shuffle", "x", "y", passage="Er... Run")
    assert alone.reasons == ("threshold-unreachable",)
