from __future__ import annotations

from random import Random
from typing import Any

import pytest
import tiny_models
from tiny_models import row

from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.inference.baselines import (
    BASELINES,
    overlap_scores,
    random_scores,
    score_baseline,
)
from mcrc_adversarial.scoring.baselines import longest_option
from mcrc_adversarial.scoring.formulas import accuracy


def rows(n: int = 200) -> list[dict[str, Any]]:
    return tiny_models.rows(Random(0), n)


def test_random_guesses_depend_on_seed_and_row_alone() -> None:
    by_name = {"plain": rows(), "backwards": rows()[::-1]}
    first = score_baseline("random", by_name, seed=3)
    assert first["plain"].predictions == first["backwards"].predictions[::-1]
    assert first == score_baseline("random", by_name, seed=3)
    assert first != score_baseline("random", by_name, seed=4)


def test_random_guesses_are_spread_over_all_options() -> None:
    options = ["a", "b", "c", "d"]
    many = [row(number, options=options) for number in range(2000)]
    predictions = score_baseline("random", {"plain": many})["plain"].predictions
    for option in range(4):
        assert 430 < predictions.count(option) < 570


def test_random_guess_is_the_same_on_the_attacked_row() -> None:
    assert random_scores(row(5), 1) == random_scores({**row(5), "passage": "other"}, 1)
    assert random_scores(row(5), 1) != random_scores(row(6), 1)


def test_longest_option_has_the_accuracy_of_the_scored_rule() -> None:
    answers = score_baseline("longest-option", {"plain": rows()})["plain"]
    options = [one["options"] for one in rows()]
    expected = longest_option(options, answers.labels, unit="characters", ties="first")
    assert accuracy(answers.predictions, answers.labels) == expected.accuracy
    assert score_baseline("longest-option", {"a": [row(options=["b", "cc", "dd"])]})[
        "a"
    ].predictions == [1]


def test_word_overlap_is_the_share_of_distinct_words_in_the_passage() -> None:
    one = row(
        passage="Ann doesn't like THE old mill.",
        options=["the mill, the mill", "Ann left the mill", "...", "plum", "old like ann"],
    )
    assert overlap_scores(one) == [1.0, 0.75, 0.0, 0.0, 1.0]


def test_word_overlap_takes_an_empty_passage() -> None:
    answers = score_baseline("word-overlap", {"plain": [row(passage="")]})["plain"]
    assert answers.logits == [[0.0, 0.0]]
    assert answers.predictions == [0]


@pytest.mark.parametrize("name", BASELINES)
def test_baseline_answers_every_row_and_drops_nothing(name: str) -> None:
    answers = score_baseline(name, {"plain": rows(), "none": []})
    assert answers["plain"].ids == [one["id"] for one in rows()]
    assert answers["plain"].n_options == [len(one["options"]) for one in rows()]
    assert answers["plain"].n_truncated == 0
    assert answers["none"].ids == []


def test_score_baseline_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean longest-option"):
        score_baseline("longest", {})


def test_score_baseline_refuses_a_seed_that_is_none() -> None:
    with pytest.raises(ParameterError, match="seed is True"):
        score_baseline("longest-option", {}, seed=True)
