"""Question words and the two words behind them, of easy and of hard questions (paper C).

Articles are skipped. A question without a question word is a class of its own: what the paper does
with these is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
)
from mcrc_adversarial.difficulty.levels import EASY, HARD, Levels, by_level
from mcrc_adversarial.difficulty.questions import Question, Questions
from mcrc_adversarial.difficulty.words_of_texts import plain_words
from mcrc_adversarial.scoring import wilson_interval
from mcrc_adversarial.words import words

QUESTION_WORDS = ("what", "which", "who", "whom", "whose", "where", "when", "why", "how")
NONE = "(none)"
_ARTICLES = {"a", "an", "the"}
_N_BEHIND = 2
_MOST_OPENINGS = 40
_Z = 1.959963984540054


def opening(question: str) -> tuple[str, ...]:
    """The first question word and up to two words behind it, in small letters.

    >>> opening("In the end, which of the following is true?")
    ('which', 'of', 'following')
    >>> opening("Ann is _ .")
    ('(none)',)
    """
    found = [word for word in plain_words(question.casefold()) if word not in _ARTICLES]
    for place, word in enumerate(found):
        # what's, who'd: the question word, and what is short for a verb.
        first, rest = words(word)[0], words(word)[1:]
        if first in QUESTION_WORDS:
            return (first, *rest, *found[place + 1 :])[: 1 + _N_BEHIND]
    return (NONE,)


def openings(questions: Questions, levels: Levels) -> Finding:
    """Tables of question words and of openings, and a sunburst of easy and of hard questions."""
    found = by_level(questions, levels)
    if not found[EASY] and not found[HARD]:
        return Finding(missing=("There is neither an easy nor a hard question.",))
    counted = {level: Counter(map(_opening, found[level])) for level in (EASY, HARD)}
    firsts = {level: _summed(counts, 1) for level, counts in counted.items()}
    title = f"{questions.config}: question words of easy and hard questions"
    tables = (
        _table("question-words", title, firsts, levels, None),
        _table(
            "openings",
            f"{questions.config}: question words and the next two words, articles skipped",
            counted,
            levels,
            _MOST_OPENINGS,
        ),
    )
    return Finding(tables, _chart(questions, counted, levels))


def _opening(one: Question) -> tuple[str, ...]:
    return opening(one.example.question)


def _summed(counts: Mapping[tuple[str, ...], int], length: int) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for path, count in counts.items():
        found[path[:length]] += count
    return found


def _table(
    name: str,
    title: str,
    counted: Mapping[str, Mapping[tuple[str, ...], int]],
    levels: Levels,
    most: int | None,
) -> ResultTable:
    totals = {level: sum(counts.values()) for level, counts in counted.items()}
    paths = {path for counts in counted.values() for path in counts}
    ordered = sorted(paths, key=lambda path: (-sum(c.get(path, 0) for c in counted.values()), path))
    rows: list[tuple[Value, ...]] = []
    for path in ordered[:most]:
        counts = [counted[level].get(path, 0) for level in (EASY, HARD)]
        shares = [_share(n, totals[level]) for n, level in zip(counts, (EASY, HARD), strict=True)]
        rows.append((" ".join(path), *counts, *shares))
    notes = [
        f"{totals[EASY]} easy and {totals[HARD]} hard questions. {levels.sentence()}"
        " 95 % intervals: Wilson's."
    ]
    if len(rows) < len(ordered):
        notes.append(f"The {len(rows)} most frequent of {len(ordered)}.")
    return ResultTable(
        name,
        title,
        (
            Column("opening", "question begins"),
            Column("n_easy", "easy", "count"),
            Column("n_hard", "hard", "count"),
            Column("easy_rate", "of easy, %", "fraction"),
            Column("hard_rate", "of hard, %", "fraction"),
        ),
        tuple(rows),
        tuple(notes),
    )


def _share(n: int, total: int) -> Estimate | None:
    if not total:
        return None
    return Estimate(n / total, *wilson_interval(n / total, total, _Z))


def _chart(
    questions: Questions, counted: Mapping[str, Mapping[tuple[str, ...], int]], levels: Levels
) -> tuple[Chart, ...]:
    series = [
        Series(level, _points(list(counts.items()))) for level, counts in counted.items() if counts
    ]
    return (
        Chart(
            name="question-words",
            title=f"Question words and the next two words, {questions.config}",
            kind="sunburst",
            x_label="words of the question, from the middle outwards",
            y_label="questions",
            series=tuple(series),
            reference={},
            ticks={},
            notes=(
                "From the middle outwards: question word, first and second word behind it, articles"
                f" skipped; width: number of questions, n in the middle. {levels.sentence()}",
            ),
        ),
    )


def _points(counts: Sequence[tuple[tuple[str, ...], int]]) -> tuple[Point, ...]:
    return tuple(
        Point(float(number), float(count), n=count, label=" ".join(path))
        for number, (path, count) in enumerate(sorted(counts))
    )
