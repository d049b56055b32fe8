"""How far a table moves with the draw of the votes, where a corpus does not name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from mcrc_adversarial.difficulty.questions import Question, Questions
from mcrc_adversarial.difficulty.votes import Judgement, Rules, judge

N_DRAWS = 20
_PERCENT = 100


def over_draws(questions: Questions, wanted: Callable[[Judgement], bool | None]) -> str:
    """A sentence on human accuracy and the gap over other draws; empty where none is drawn.

    Which votes filter and which measure people is chance, and no interval of the table holds it.

    Args:
        questions: of a config.
        wanted: tells from the votes whether a question is in the table.
    """
    if not any(one.votes and one.votes.filtering is None for one in questions.items):
        return ""
    found = [_drawn(questions, wanted, questions.rules.seed + 1 + n) for n in range(N_DRAWS)]
    parts = []
    for place, (name, unit) in enumerate((("human", " %"), ("the gap", " points"))):
        values = [value for one in found if (value := one[place]) is not None]
        if values:
            parts.append(
                f"{name} is from {min(values):.1f} to {max(values):.1f}{unit} ({fmean(values):.1f}"
                " on average)"
            )
    if not parts:
        return ""
    return (
        f"Over {N_DRAWS} other draws of the votes, with the seeds behind that one, and over all"
        f" sources, {' and '.join(parts)}; the intervals do not hold this."
    )


def _drawn(
    questions: Questions, wanted: Callable[[Judgement], bool | None], seed: int
) -> Sequence[float | None]:
    rules = replace(questions.rules, seed=seed)
    human, gap = [], []
    for one in [_judged(question, rules) for question in questions.items]:
        if wanted(one.judgement) and one.judgement.human is not None:
            # As in the table: over the questions that the models answered, if there are any.
            if one.gap is not None:
                gap.append(one.gap)
                human.append(one.judgement.human)
            elif not questions.counted:
                human.append(one.judgement.human)
    return [_PERCENT * fmean(values) if values else None for values in (human, gap)]


def _judged(question: Question, rules: Rules) -> Question:
    if question.votes is None:
        return question
    example = question.example
    return replace(question, judgement=judge(question.votes, example.label, example.id, rules))
