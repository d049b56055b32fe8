"""How many questions the filtering votes call valid, and on how many they agree (paper C)."""

from __future__ import annotations

from mcrc_adversarial.analysis import Column, ResultTable, Value
from mcrc_adversarial.difficulty.cells import mean_of, places
from mcrc_adversarial.difficulty.questions import Questions


def agreement(questions: Questions) -> ResultTable:
    """A line a source and method, over the questions that have the votes that filter."""
    rows: list[tuple[Value, ...]] = []
    for (source, method), found in places(questions.items).items():
        judged = [one for one in found if one.judgement.valid is not None]
        valid = [float(one.judgement.valid is True) for one in judged]
        high = [float(one.judgement.high_agreement is True) for one in judged]
        rates = [mean_of(judged, values, is_accuracy=True) for values in (valid, high)]
        rows.append((source, method, len(judged), *rates))
    return ResultTable(
        "agreement",
        f"{questions.config}: valid questions and high agreement (%)",
        (
            Column("source", "source"),
            Column("method", "collected"),
            Column("n", "questions", "count"),
            Column("valid_rate", "valid, %", "fraction"),
            Column("high_agreement_rate", "high agreement, %", "fraction"),
        ),
        tuple(rows),
        (
            *questions.rules.sentences(),
            "95 % intervals: Wilson's, clustered by passage; none where all questions stand on one"
            " passage.",
        ),
    )
