"""The spread of a table over draws of the votes."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from difficult_questions import example, questions, right

from mcrc_adversarial.difficulty import Rules, gather
from mcrc_adversarial.difficulty.accuracies import accuracies
from mcrc_adversarial.difficulty.drawn_votes import N_DRAWS
from mcrc_adversarial.example import Example

PATTERNS = ([2, 2, 2, 0, 1], [2, 2, 0, 0, 2], [0, 2, 2, 2, 2], [2, 0, 1, 0, 2])


def not_named() -> list[Example]:
    named = [
        example(number, votes=PATTERNS[number % 4], models_right=right(number % 6))
        for number in range(24)
    ]
    for one in named:
        del one.facts["filter_votes"], one.facts["human_votes"]  # type: ignore[attr-defined]
    return named


def by_hand(examples: Sequence[Example], seed: int) -> tuple[float, float]:
    """Human accuracy and gap of the valid questions, in percent and points."""
    found = gather("crowd-protocols", examples, rules=Rules(seed=seed)).valid
    human = fmean(one.judgement.human or 0.0 for one in found)
    models = fmean(one.models or 0.0 for one in found)
    return 100 * human, 100 * (human - models)


def test_note_of_the_table_has_the_range_over_other_draws() -> None:
    examples = not_named()
    draws = [by_hand(examples, seed) for seed in range(1, N_DRAWS + 1)]

    valid = accuracies(questions(examples)).tables[0]

    for values in zip(*draws, strict=True):
        low, high, mean = f"{min(values):.1f}", f"{max(values):.1f}", f"{fmean(values):.1f}"
        assert low != high
        assert f"from {low} to {high}" in valid.notes[-1]
        assert f"({mean} on average)" in valid.notes[-1]


def test_votes_that_the_corpus_names_have_no_such_note() -> None:
    valid = accuracies(questions([example(number) for number in range(8)])).tables[0]

    assert not any("other draws" in note for note in valid.notes)
