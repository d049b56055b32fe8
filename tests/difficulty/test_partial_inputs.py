"""Accuracy with a part of the input."""

from __future__ import annotations

from difficult_questions import MODELS, example, questions

from mcrc_adversarial.difficulty.partial_inputs import partial_inputs


def test_a_model_that_has_nothing_right_has_no_drop_and_says_so() -> None:
    rows = [
        example(
            number,
            models_right=[False, *[True] * (len(MODELS) - 1)],
            partial_models=["A: one", "A: two"],
            partial_models_right=[number % 2 == 0, number % 2 == 0],
        )
        for number in range(8)
    ]

    finding = partial_inputs(questions(rows), None)

    names = [column.name for column in finding.tables[0].columns]
    drops = {row[0]: row[names.index("drop")] for row in finding.tables[0].rows}
    assert drops["one"] is None
    assert drops["two"].value == 50.0
    assert finding.missing == (
        "Partial inputs: one has none of 8 questions right with the full input, so no drop under"
        " A.",
    )
