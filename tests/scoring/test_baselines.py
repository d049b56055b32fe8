from __future__ import annotations

import numpy as np
import pytest
from datasets import load_dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.errors import ParameterError, ScoringError
from mcrc_adversarial.scoring import longest_option, majority_class, random_guess

OPTIONS = [
    ["a red kite", "an old and rusty bicycle"],  # B by either unit
    ["extraordinarily", "so he is", "a b c"],  # A by characters; B and C tie by words
    ["one", "two", "six", "four"],  # D by characters; all tie by words
]


@pytest.mark.parametrize(
    ("unit", "ties", "references", "accuracy"),
    [
        ("characters", "first", [1, 0, 3], 1.0),
        ("characters", "last", [1, 1, 2], 1 / 3),
        ("words", "first", [1, 1, 0], 1.0),
        ("words", "first", [1, 2, 3], 1 / 3),
        ("words", "last", [1, 2, 3], 1.0),
        ("words", "expected", [1, 2, 3], (1 + 1 / 2 + 1 / 4) / 3),
        ("words", "expected", [0, 0, 0], (0 + 0 + 1 / 4) / 3),
    ],
)
def test_longest_option_follows_unit_and_tie_rule(unit, ties, references, accuracy):
    baseline = longest_option(OPTIONS, references, unit=unit, ties=ties)
    assert baseline.accuracy == pytest.approx(accuracy)
    assert baseline.name == f"longest option ({unit}, ties {ties})"
    assert baseline.n == 3


def test_longest_option_takes_a_measure_of_the_callers():
    def vowels(text):
        return sum(letter in "aeiou" for letter in text)

    baseline = longest_option([["rhythms", "aeon"]], [1], unit=vowels, ties="first")
    assert baseline.accuracy == 1.0
    assert baseline.name == "longest option (vowels, ties first)"


options = st.lists(st.text("ab ", max_size=6), min_size=2, max_size=5)


@settings(deadline=None)
@given(st.lists(options, min_size=1, max_size=6), st.sampled_from(["characters", "words"]))
def test_expected_ties_are_the_mean_over_every_answer(rows, unit):
    def mean_of(ties):
        return np.mean([
            longest_option([row], [answer], unit=unit, ties=ties).accuracy * len(row)
            for row in rows
            for answer in range(len(row))
        ])  # fmt: skip

    # Over all answers of a row, every rule takes exactly one option.
    assert mean_of("first") == pytest.approx(mean_of("expected"))
    assert mean_of("last") == pytest.approx(mean_of("expected"))


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"unit": "tokens", "ties": "first"}, "unit is 'tokens'; allowed are characters, words"),
        ({"unit": "words", "ties": "random"}, "ties is 'random'; allowed are first, last, expect"),
    ],
)
def test_longest_option_refuses_unknown_rules(choice, message):
    with pytest.raises(ParameterError, match=message):
        longest_option(OPTIONS, [0, 0, 0], **choice)


@pytest.mark.parametrize(
    ("rows", "references", "message"),
    [
        ([], [], "are empty"),
        (OPTIONS, [0, 0], "options has 3 items, references 2"),
        (["A red kite", *OPTIONS[1:]], [0, 0, 0], r"options\[0\] is str; a list of 2 to 26 texts"),
        ([*OPTIONS[:2], None], [0, 0, 0], r"options\[2\] is NoneType; a list of 2 to 26 texts"),
        ([OPTIONS[0], ["alone"]], [0, 0], r"options\[1\] has 1 options; a list of 2 to 26"),
        ([["a"] * 27], [0], r"options\[0\] has 27 options; a list of 2 to 26"),
        ([["a", None]], [0], r"options\[0\]\[1\] is NoneType; a list of 2 to 26 texts"),
        (OPTIONS, [2, 0, 0], r"references\[0\] is 2, but row 0 has 2 options"),
    ],
)
def test_longest_option_refuses_rows_that_do_not_fit(rows, references, message):
    with pytest.raises(ScoringError, match=message):
        longest_option(rows, references, unit="words", ties="first")


def test_majority_class_counts_the_scored_rows_or_the_training_rows():
    scored = majority_class([2, 2, 0, 1])
    assert (scored.accuracy, scored.name) == (0.5, "majority class (C, of the scored rows)")
    trained = majority_class([2, 2, 0, 1], training_labels=[1, 1, 0])
    assert (trained.accuracy, trained.name) == (0.25, "majority class (B, of the training rows)")


def test_majority_class_takes_the_first_of_equally_frequent_labels():
    assert majority_class([3, 1, 3, 1, 0]).name.startswith("majority class (B")


@pytest.mark.parametrize("arguments", [([],), ([], [0]), ([0], [])])
def test_majority_class_needs_labels_and_rows(arguments):
    with pytest.raises(ScoringError, match=r"no labels|are empty"):
        majority_class(*arguments)


def test_random_guess_is_the_mean_chance():
    assert random_guess([4, 4, 4]).accuracy == 0.25
    assert random_guess([2, 3, 4, 26]).accuracy == pytest.approx(
        (1 / 2 + 1 / 3 + 1 / 4 + 1 / 26) / 4
    )


@pytest.mark.parametrize("counts", [[], [1], [27], [True], [2.0]])
def test_random_guess_refuses_other_numbers_of_options(counts):
    with pytest.raises(ScoringError, match="n_options"):
        random_guess(counts)


def test_random_guess_wants_one_number_a_row():
    with pytest.raises(ScoringError, match="n_options is the single number 4; give a list with"):
        random_guess(4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "unit", "first", "last", "expected"),
    [
        ("mc160", "characters", 37.9, 37.5, 37.9),
        ("mc160", "words", 32.5, 34.6, 33.8),
        ("mc500", "characters", 34.8, 35.3, 35.2),
        ("mc500", "words", 33.0, 36.8, 34.1),
        ("dream", "characters", 33.2, 35.7, 34.6),
        ("dream", "words", 33.0, 34.4, 33.7),
    ],
)
def test_longest_option_on_real_test_sets(data_dir, config, unit, first, last, expected):
    # Worked out from the corpora by other code. Paper A prints 34.6, 35.0 and 34.3 for the three,
    # which no one unit and tie rule gives.
    rows = load_dataset("mcrc_adversarial", config, split="test", data_dir=str(data_dir))
    found = [
        longest_option(rows["options"], rows["label"], unit=unit, ties=ties).accuracy * 100
        for ties in ("first", "last", "expected")
    ]
    assert found == pytest.approx([first, last, expected], abs=0.05)
