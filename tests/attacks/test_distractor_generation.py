"""What a model wrote becomes distractors."""

from __future__ import annotations

import pytest
from chosen_distractors import attacked_with, texts_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial.attacks.distractor_generation import chosen_beams, jaccard
from mcrc_adversarial.example import Example
from mcrc_adversarial.words import bare_key, word_key

HOME = Example(
    "test/home-0", "test/home", "He went home.", "What then?", ("He slept", "x", "y", "z"), 0
)


@pytest.mark.parametrize(
    ("beams", "chosen", "reasons"),
    [
        (("he ate", "she sat", "they ran"), ["he ate", "she sat", "they ran"], set()),
        # Half of the words shared is too much: 2 of 4.
        (
            ("he ate well", "he ate badly", "she sat", "they ran"),
            ["he ate well", "she sat", "they ran"],
            set(),
        ),
        # The third differs from both before it.
        (
            ("he ate", "she sat", "she sat still", "they ran"),
            ["he ate", "she sat", "they ran"],
            set(),
        ),
        # None is left: the second beam, then the next that was not taken.
        (("he ate", "he ate well", "she sat"), ["he ate", "she sat", "he ate well"], {"alike"}),
        (
            ("he ate", "he ate well", "he ate badly", "he ate up"),
            ["he ate", "he ate well", "he ate badly"],
            {"alike"},
        ),
        # The answer is refused in any case, and so are blank texts and repeats.
        (
            ("HE  slept", "he ate", " ", "He ate", "she sat", "they ran"),
            ["he ate", "she sat", "they ran"],
            {"equals-answer"},
        ),
        (
            ("he ate", "\u2018He slept.\u2019", "she sat", "they ran"),
            ["he ate", "she sat", "they ran"],
            {"equals-answer"},
        ),
        # It is no reason where it would not have been taken: behind the last one, or too alike.
        (("he ate", "she sat", "they ran", "he slept"), ["he ate", "she sat", "they ran"], set()),
        (
            ("he slept well", "he slept", "she sat", "they ran"),
            ["he slept well", "she sat", "they ran"],
            set(),
        ),
        # There is none left: it would have filled up.
        (("he slept well", "he slept"), ["he slept well"], {"equals-answer"}),
        ((), [], set()),
    ],
)
def test_beams_are_chosen_by_the_rules(
    beams: tuple[str, ...], chosen: list[str], reasons: set[str]
) -> None:
    picks, found = chosen_beams(HOME, beams, "m@1")

    assert texts_of(picks) == chosen
    assert found == reasons


@given(examples(), st.lists(texts(max_pieces=3), max_size=12))
def test_chosen_beams_are_unlike_one_another_unless_it_is_said(
    example: Example, beams: list[str]
) -> None:
    picks, reasons = chosen_beams(example, beams, "m@1")
    keys = [word_key(pick.text) for pick in picks]
    folded = [word_key(" ".join(beam.split())) for beam in beams]
    answer = bare_key(example.answer)
    fit = {key for key in folded if bare_key(key) != answer} - {""}

    assert len({*keys}) == len(keys) == min(len(example.options) - 1, len(fit))
    assert {*keys} <= fit
    if "alike" not in reasons:
        pairs = [(one, other) for one in keys for other in keys if one != other]
        assert all(jaccard(one, other) < 0.5 for one, other in pairs)
    if keys:
        assert keys[0] == next(key for key in folded if key in fit)


def test_generation_never_takes_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    found = attacked_with("distractor-generation", HOME, ("he slept", "he ate"), monkeypatch)

    assert found.options == ("He slept", "he ate", "x", "y")
    assert found.reasons == ("equals-answer", "few-candidates")
