"""How a model's answer moves as an altered text comes in, word by word: paper A's figure 9.

Si et al. (2019, section 5.4) begin with a distractor of padding and fill in the words of the
shuffled one from the left. Here it begins empty. What grows is one distractor that the attack
altered, the others stand as the attack left them; where the attack put text into the passage, that
text grows instead. Where it did neither (an original, a shuffled passage), a distractor grows with
its own words, which shows what words do without an attack on the options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from mcrc_adversarial.analysis._measures import content_words
from mcrc_adversarial.analysis._runs import Run
from mcrc_adversarial.analysis._stop_words import STOP_WORDS
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.rows import row
from mcrc_adversarial.scoring import probabilities
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws
from mcrc_adversarial.words import words

# (name of the config, rows) -> predictions, as `experiment.scorers.RowScorer`.
Scorer = Callable[[str, Iterable[Mapping[str, Any]]], ConfigPredictions]
Row = dict[str, Any]
# What comes in: an altered distractor, text put into the passage, a distractor as it always was.
Grown = Literal["altered", "inserted", "own"]

STOP, PASSAGE, DISTRACTOR, QUESTION, SIGN = (
    "stop word",
    "word of the passage",
    "word of the original distractor",
    "word of the question",
    "punctuation",
)
CLASSES = (STOP, PASSAGE, DISTRACTOR, QUESTION, SIGN)
_AGREE = 0.02


@dataclass(frozen=True)
class Trace:
    """The answers to one question while a text grew by one word after another.

    Attributes:
        id: of the question.
        passage_id: that it stands on.
        label: index of the right option.
        option: index of the distractor that grew; None where it was text in the passage.
        grown: what kind of text that was.
        words: that came in, in order.
        classes: of `CLASSES`, those that each word belongs to.
        probabilities: one an option, before any word and after each; shape (n_words + 1,
            n_options).
        is_as_scored: whether the last step gives what the run's predictions say.
    """

    id: str
    passage_id: str
    label: int
    option: int | None
    grown: Grown
    words: tuple[str, ...]
    classes: tuple[frozenset[str], ...]
    probabilities: tuple[tuple[float, ...], ...]
    is_as_scored: bool

    @property
    def changes(self) -> list[float]:
        """Change of the right option's probability by each word, from -1 to 1."""
        right = [step[self.label] for step in self.probabilities]
        return [after - before for before, after in pairwise(right)]


@dataclass(frozen=True)
class _Plan:
    """The rows to ask about for one trace."""

    number: int
    option: int | None
    grown: Grown
    words: tuple[str, ...]
    steps: tuple[Row, ...]


def trace(
    run: Run, rows: ConfigRows, numbers: Sequence[int], scorer: Scorer, option: int | None = None
) -> list[Trace]:
    """Trace several questions at once.

    Args:
        run: that was scored on the rows.
        rows: of a config.
        numbers: of the rows to trace.
        scorer: of the run's model.
        option: index of the distractor that grows; of those that the attack altered, the one that
            the model finds likeliest, if None.

    Raises:
        ParameterError: `option` is the right one, none at all, or not altered where others are.
        ScoringError: the model gives numbers that cannot be ranked.
    """
    plans = [_plan(run, rows, number, option) for number in numbers]
    asked = [step for plan in plans for step in plan.steps]
    answers = scorer(str(rows.config), asked)
    found, start = [], 0
    for plan in plans:
        end = start + len(plan.steps)
        steps = tuple(tuple(probabilities(logits)) for logits in answers.logits[start:end])
        found.append(_trace(run, rows, plan, steps))
        start = end
    return found


def without_words(trace: Trace) -> Trace:
    """The trace with numbers in the places of its words."""
    numbered = (f"word {number}" for number in range(1, len(trace.words) + 1))
    return replace(trace, words=tuple(numbered))


def row_number(rows: ConfigRows, row_id: str) -> int:
    """Number of the row called so.

    Raises:
        DataError: there is none.
    """
    for number, example in enumerate(rows.examples):
        if example.id == row_id:
            return number
    msg = (
        f"config {str(rows.config)!r} has no question {row_id!r}; the ids are like"
        f" {rows.examples[0].id!r}"
    )
    raise DataError(msg)


def some_rows(rows: ConfigRows, wanted: int) -> list[int]:
    """Numbers of rows, drawn: each question by its own stream, the same in every run.

    Only rows with an altered distractor or a text put into the passage; all, where none has any.
    """
    every = range(len(rows.examples))
    altered = [one for one in every if altered_distractors(rows, one) or _inserted(rows, one)]
    return sorted(sorted(altered or every, key=lambda one: _draw(rows.examples[one]))[:wanted])


def altered_distractors(rows: ConfigRows, number: int) -> list[int]:
    """Indices of the distractors that the attack altered in a row."""
    before, after = rows.examples[number].options, rows.options(number)
    return [one for one, text in enumerate(after) if text != before[one]]


def _inserted(rows: ConfigRows, number: int) -> bool:
    attacked = rows.attacked[number]
    return attacked is not None and bool(attacked.inserted)


def _draw(example: Example) -> float:
    draws = Draws(DEFAULT_SEED, "case", 1, example.id, example.passage_id)
    return draws.question().random()


def _plan(run: Run, rows: ConfigRows, number: int, option: int | None) -> _Plan:
    example = rows.examples[number]
    whole = row(example, rows.attacked[number])
    if option is None and _inserted(rows, number):
        return _passage_plan(number, whole)
    altered = altered_distractors(rows, number)
    if option is None:
        option = _likeliest(run, rows, number, altered or _wrong(example))
    _check_option(option, example, altered, rows)
    steps = []
    found = list(_prefixes(rows.options(number)[option]))
    for step, (_, prefix) in enumerate([("", ""), *found]):
        options = list(rows.options(number))
        options[option] = prefix
        steps.append({**whole, "id": f"{example.id}#{step}", "options": options})
    grown: Grown = "altered" if altered else "own"
    return _Plan(number, option, grown, tuple(word for word, _ in found), tuple(steps))


def _passage_plan(number: int, whole: Row) -> _Plan:
    """The texts that were put into the passage grow, one after another."""
    texts = [whole["passage"][start:end] for start, end in whole["inserted"]]
    states, found = [[""] * len(texts)], list[str]()
    for place, text in enumerate(texts):
        for word, prefix in _prefixes(text):
            found.append(word)
            states.append([*texts[:place], prefix, *[""] * (len(texts) - place - 1)])
    steps = tuple(
        {**whole, "id": f"{whole['id']}#{step}", **_with_texts(whole, state)}
        for step, state in enumerate(states)
    )
    return _Plan(number, None, "inserted", tuple(found), steps)


def _with_texts(whole: Row, texts: Sequence[str]) -> Row:
    """Passage and offsets with other texts in the places of those that were put in."""
    passage, done, spans = "", 0, []
    for (start, end), text in zip(whole["inserted"], texts, strict=True):
        passage += whole["passage"][done:start]
        done = end
        if text:
            spans.append([len(passage), len(passage) + len(text)])
            passage += text
        elif passage.endswith(" "):
            # The space that joined it.
            passage = passage[:-1]
        elif whole["passage"][end : end + 1] == " ":
            done += 1
    return {"passage": passage + whole["passage"][done:], "inserted": spans}


def _prefixes(text: str) -> Iterator[tuple[str, str]]:
    """Each word with the text up to its end; the last has all of it."""
    end = 0
    for word in words(text):
        end = text.index(word, end) + len(word)
        yield word, text[:end]


def _likeliest(run: Run, rows: ConfigRows, number: int, allowed: Sequence[int]) -> int:
    logits = run.answers[str(rows.config)].logits[number]
    return max(allowed, key=logits.__getitem__)


def _wrong(example: Example) -> list[int]:
    return [one for one in range(len(example.options)) if one != example.label]


def _check_option(option: int, example: Example, altered: list[int], rows: ConfigRows) -> None:
    allowed = altered or _wrong(example)
    if option not in allowed:
        what = f"altered by {rows.config.attack}" if option in _wrong(example) else "a distractor"
        msg = (
            f"option {LETTERS[option]} of {example.id!r} is not {what}; allowed are"
            f" {', '.join(LETTERS[one] for one in allowed)}"
        )
        raise ParameterError(msg)


def _trace(run: Run, rows: ConfigRows, plan: _Plan, steps: tuple[tuple[float, ...], ...]) -> Trace:
    example = rows.examples[plan.number]
    scored = probabilities(run.answers[str(rows.config)].logits[plan.number])
    gap = max(abs(now - then) for now, then in zip(steps[-1], scored, strict=True))
    return Trace(
        id=example.id,
        passage_id=example.passage_id,
        label=example.label,
        option=plan.option,
        grown=plan.grown,
        words=plan.words,
        classes=tuple(_classes(word, example, plan.option) for word in plan.words),
        probabilities=steps,
        is_as_scored=gap <= _AGREE,
    )


def _classes(word: str, example: Example, option: int | None) -> frozenset[str]:
    """A word may belong to several classes, or to none."""
    folded = word.casefold()
    if not any(map(str.isalnum, folded)):
        return frozenset({SIGN})
    if folded in STOP_WORDS:
        return frozenset({STOP})
    texts = example.distractors if option is None else (example.options[option],)
    belongs = {
        PASSAGE: folded in content_words(example.passage),
        DISTRACTOR: any(folded in content_words(text) for text in texts),
        QUESTION: folded in content_words(example.question),
    }
    return frozenset(name for name, is_in in belongs.items() if is_in)
