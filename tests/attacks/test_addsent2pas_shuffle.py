from __future__ import annotations

from strategies import ORDINARY

from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.example import Example

ATTACK = attacks.get("addsent2pas-shuffle")


def _attack(question: str, *options: str, passage: str = "It rained.", seed: int = 0) -> Attacked:
    """The attack on an example whose first option is the answer."""
    return apply(ATTACK, Example("test/1-0", "test/1", passage, question, options, 0), seed)


def test_the_appended_text_holds_the_distractors_but_not_the_answer() -> None:
    attacked = _attack("Who came in?", "aunt Ada", "uncle Bo", "nobody")
    appended = attacked.passage.removeprefix("It rained. ").split(" ")
    assert " ".join(sorted(appended)) == "? Bo Who came in nobody uncle"


def test_the_passage_itself_stays_byte_for_byte() -> None:
    for example in ORDINARY:
        attacked = apply(ATTACK, example)
        ((start, end),) = attacked.inserted
        assert attacked.passage[: start - 1] == example.passage
        assert attacked.passage[start - 1] == " "
        assert end == len(attacked.passage)


def test_an_empty_passage_becomes_the_text_without_a_joining_space() -> None:
    attacked = _attack("Who came in?", "aunt Ada", "uncle Bo", passage="")
    assert attacked.inserted == ((0, len(attacked.passage)),)
    assert attacked.passage == attacked.passage.strip() != ""


def test_no_distractor_of_two_words_or_more_stands_whole_whatever_its_case() -> None:
    for seed in range(100):
        attacked = _attack("BO UNCLE Uncle who ?", "aunt Ada", "uncle Bo", "no one", seed=seed)
        text = f" {attacked.passage.casefold()} "
        assert " uncle bo " not in text
        assert " no one " not in text
        assert attacked.reasons == ()


# `a b` stands in `xa b` as characters, not as words.
def test_a_distractor_inside_longer_words_is_no_match() -> None:
    drawn = {_attack("xa", "answer", "a b", passage="", seed=seed).passage for seed in range(100)}
    assert {"a xa b", "xa b a"} <= drawn
    assert not {"xa a b", "a b xa"} & drawn


def test_a_distractor_of_one_word_cannot_be_kept_out() -> None:
    attacked = _attack("Did they come in time?", "yes", "no", "later")
    assert {"no", "later"} < set(attacked.passage.split())
    assert attacked.reasons == ()


# Every order of a, b, b, a has an a beside a b, one way or the other.
def test_a_distractor_that_stands_whole_in_every_order_is_reported() -> None:
    attacked = _attack("", "x", "a b", "b a")
    assert "option-intact" in attacked.reasons


def test_a_row_without_another_order_is_left_alone() -> None:
    for question, distractor, reason in [
        ("", "", "empty"),
        (" ", "no", "one-word"),
        ("no", "no", "one-word"),
    ]:
        attacked = _attack(question, "yes", distractor)
        assert attacked.passage == "It rained."
        assert attacked.reasons == (reason,)
        assert attacked.inserted == ()
        assert attacked.shuffle_degree == (None,)
