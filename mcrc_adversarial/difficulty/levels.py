"""Easy, mid and hard questions, by thresholds on their difficulty (paper C, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
)
from mcrc_adversarial.difficulty.questions import GAP, HUMAN, MODELS, Question, Questions
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.scoring import wilson_interval

EASY, MID, HARD = "easy", "mid", "hard"
By = Literal["gap", "human", "models"]
WORDS = {
    GAP: "the gap between people and M-avg",
    HUMAN: "people's error rate",
    MODELS: "the error rate of M-avg",
}
_NAMES = {GAP: "gap", HUMAN: "people's error rate", MODELS: "error rate of M-avg"}
_PERCENT = 100
_Z = 1.959963984540054


@dataclass(frozen=True)
class Levels:
    """What difficulty is, and where easy ends and hard begins.

    Attributes:
        by: `gap`, `human` (error rate of people alone, paper C's appendix N) or `models` (error
            rate of M-avg, where there are no votes).
        easy: a question is easy up to this, in percent.
        hard: a question is hard from this on, in percent. Both are read out of garbled text: paper
            C's own limits seem to be 20 and 40.

    Raises:
        ParameterError: hard does not lie above easy, or `by` is unknown.
    """

    by: By = "gap"
    easy: float = 20.0
    hard: float = 40.0

    def __post_init__(self) -> None:
        if self.by not in get_args(By):
            msg = f"difficulty by {self.by!r}; allowed: {', '.join(get_args(By))}"
            raise ParameterError(msg)
        if not -_PERCENT <= self.easy < self.hard <= _PERCENT:
            msg = (
                f"easy up to {self.easy} %, hard from {self.hard} %: -100 <= easy < hard <= 100 is"
                " needed"
            )
            raise ParameterError(msg)

    def of(self, question: Question) -> str | None:
        """Easy, mid or hard; None where the difficulty is not known."""
        value = question.difficulty(self.by)
        if value is None:
            return None
        if _PERCENT * value <= self.easy:
            return EASY
        return HARD if _PERCENT * value >= self.hard else MID

    def sentence(self) -> str:
        """For notes."""
        return (
            f"Easy: {_NAMES[self.by]} up to {self.easy:g} %; hard: from {self.hard:g} %, among"
            " questions with high agreement where there are votes."
        )


def by_level(questions: Questions, levels: Levels) -> dict[str, list[Question]]:
    """The questions with high agreement, by their level; all questions without votes."""
    found: dict[str, list[Question]] = {EASY: [], MID: [], HARD: []}
    for one in questions.high_agreement:
        if (level := levels.of(one)) is not None:
            found[level].append(one)
    return found


def _steps(questions: Questions, levels: Levels) -> str:
    """What a limit in percent is worth with few models, and whether any question can be mid."""
    values = _possible(questions, levels)
    n = len(questions.counted)
    steps = ""
    if levels.by != HUMAN:
        models = "models" if n > 1 else "model"
        steps = f"With {n} {models}, M-avg of a question moves in steps of {_PERCENT / n:.3g} %."
    if not values or any(levels.easy < one < levels.hard for one in values):
        return steps
    return (
        f"{steps} No question can be mid: with these models and votes, no value lies between"
        f" {levels.easy:g} % and {levels.hard:g} %."
    ).lstrip()


def _possible(questions: Questions, levels: Levels) -> list[float]:
    """Every difficulty that a question can have, in percent; none where votes may be shared."""
    n, rules = len(questions.counted), questions.rules
    of_models = [round(_PERCENT * one / n, 9) for one in range(n + 1)] if n else []
    if levels.by == MODELS:
        return of_models
    if rules.human != "majority" or rules.no_majority == "share":
        return []
    if levels.by == HUMAN:
        return [0.0, float(_PERCENT)]
    return [sign * one for sign in (-1, 1) for one in of_models]


def counts_of_levels(questions: Questions, levels: Levels) -> Finding:
    """How many questions of each source are easy, mid and hard."""
    found = by_level(questions, levels)
    sources = list(dict.fromkeys(one.source for one in questions.high_agreement))
    rows: list[tuple[Value, ...]] = []
    for source in (*sources, None) if len(sources) > 1 else (None,):
        counts = [sum(source in (None, one.source) for one in found[level]) for level in found]
        total = sum(counts)
        shares = [one / total if total else None for one in counts]
        rows.append((source or "all", total, *counts, *shares))
    table = ResultTable(
        "levels",
        f"{questions.config}: easy, mid and hard questions",
        (
            Column("source", "source"),
            Column("n", "questions", "count"),
            *(Column(level, level, "count") for level in found),
            *(Column(f"{level}_rate", f"{level}, %", "fraction") for level in found),
        ),
        tuple(rows),
        tuple(note for note in (levels.sentence(), _steps(questions, levels)) if note),
    )
    charts = _chart(questions, [row for row in rows if row[1]])
    return Finding((table,), charts, tuple(_unknown(questions, levels)))


def _unknown(questions: Questions, levels: Levels) -> Iterator[str]:
    """Of how many questions the difficulty is not known, and which sources have no other."""
    chosen = questions.high_agreement
    unknown = [one for one in chosen if levels.of(one) is None]
    if not chosen:
        yield "No question is known to have high agreement, so none is easy, mid or hard."
    if not unknown:
        return
    which = "questions with high agreement" if questions.has_votes else "questions"
    if len(unknown) == len(chosen):
        yield f"No question has {WORDS[levels.by]}."
        return
    known = {one.source for one in chosen if levels.of(one) is not None}
    bare = [one for one in dict.fromkeys(one.source for one in unknown) if one not in known]
    of_all = f", among them all of {', '.join(bare)}" if bare else ""
    yield (
        f"{WORDS[levels.by][0].upper()}{WORDS[levels.by][1:]} is not known of {len(unknown)} of"
        f" {len(chosen)} {which}{of_all}."
    )


def _chart(questions: Questions, rows: Sequence[tuple[Value, ...]]) -> tuple[Chart, ...]:
    """Shares of easy and of hard questions, by source."""
    series = []
    for place, level in ((2, EASY), (4, HARD)):
        points = []
        for number, row in enumerate(rows):
            n, count = row[1], row[place]
            if isinstance(n, int) and isinstance(count, int) and n:
                low, high = wilson_interval(count / n, n, _Z)
                label = f"{row[0]} (n {n})"
                share = _PERCENT * count / n
                points.append(Point(number, share, _PERCENT * low, _PERCENT * high, count, label))
        series.append(Series(level, tuple(points)))
    if not any(one.points for one in series):
        return ()
    return (
        Chart(
            name="levels",
            title=f"Easy and hard questions by source, {questions.config}",
            kind="bars",
            x_label="source",
            y_label="questions with high agreement, %" if questions.has_votes else "questions, %",
            series=tuple(series),
            reference={},
            ticks={},
            notes=("Lines: Wilson's 95 % intervals; what is missing to 100 % is mid.",),
        ),
    )
