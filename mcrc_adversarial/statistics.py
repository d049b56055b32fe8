"""What an attack did to a split, in numbers: for tables, dataset cards and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from mcrc_adversarial.attacks import (
    REASONS,
    Attack,
    Attacked,
    Change,
    apply_all,
    attacks,
    is_attacked,
    self_contained,
)
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED
from mcrc_adversarial.words import is_plain, n_words, word_key, words

_BILLION = 10**9
Pair: TypeAlias = tuple[Example, Attacked]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over the rows of one config; those of two parts add up to those of the whole.

    Attributes:
        rows: number of rows.
        attacked: rows that differ from the original.
        reasons: rows that carry each code of `REASONS`; only codes that occur, in that order.
        shuffled: number of shuffled texts: a row has one for each distractor, or one for each of
            passage and question.
        degree_sum: sum of their ShuffleDegrees, each rounded to a billionth, in billionths: an
            integer, so that the sum does not depend on the order.
        answer_held: rows in which an altered distractor, or what was put into the passage, holds
            the answer as a run of words, ignoring case; None for attacks that make neither.
        texts: number of texts that the attack may touch: distractors, passages, questions.
        words_before: words in them before the attack, as `mcrc_adversarial.words` cuts them.
        words_after: words in them after it.
        changed: words of these texts that the attack altered one by one; None for attacks that do
            not list them.
    """

    rows: int = 0
    attacked: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    shuffled: int = 0
    degree_sum: int = 0
    answer_held: int | None = None
    texts: int = 0
    words_before: int = 0
    words_after: int = 0
    changed: int | None = None

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            rows=self.rows + other.rows,
            attacked=self.attacked + other.attacked,
            reasons=_counted(Counter(self.reasons) + Counter(other.reasons)),
            shuffled=self.shuffled + other.shuffled,
            degree_sum=self.degree_sum + other.degree_sum,
            answer_held=_added(self.answer_held, other.answer_held),
            texts=self.texts + other.texts,
            words_before=self.words_before + other.words_before,
            words_after=self.words_after + other.words_after,
            changed=_added(self.changed, other.changed),
        )

    @property
    def mean_degree(self) -> float | None:
        """Mean ShuffleDegree of the shuffled texts, from 0 to 1; None where there is none."""
        return self.degree_sum / (self.shuffled * _BILLION) if self.shuffled else None

    @property
    def answer_rate(self) -> float | None:
        """Share of all rows counted by `answer_held`, from 0 to 1; None where it is None."""
        if self.answer_held is None or not self.rows:
            return None
        return self.answer_held / self.rows

    @property
    def mean_change(self) -> float | None:
        """Mean change of length of a text that the attack may touch, in words."""
        return (self.words_after - self.words_before) / self.texts if self.texts else None

    @property
    def change_rate(self) -> float | None:
        """Share of `words_before` that was altered, above 0 up to 1; None where none was.

        An attack that lists the words of texts that it puts in (`addsent`) leaves those that are
        there as they are: 0 % would read as if it did nothing.
        """
        if not self.changed or not self.words_before:
            return None
        return self.changed / self.words_before


def _added(*counts: int | None) -> int | None:
    """The sum of the counts that are known; None where none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def summarise(attack: Attack, pairs: Iterable[Pair]) -> Statistics:
    """The statistics of one attack over examples and what became of them, in one pass."""
    tally = _Tally(attack)
    for example, attacked in pairs:
        tally.add(example, attacked)
    return tally.statistics()


def table(examples: Sequence[Example], seed: int = DEFAULT_SEED) -> dict[str | None, Statistics]:
    """Attack `examples` with every attack: its name -> statistics; None for the original.

    Attacks that need resources beyond the package are left out.
    """
    found: dict[str | None, Statistics] = {None: Statistics(rows=len(examples))}
    for attack in map(attacks.get, self_contained()):
        made = apply_all(attack, examples, seed, attack.resolve({}))
        found[attack.name] = summarise(attack, zip(examples, made, strict=True))
    return found


def _counted(reasons: Mapping[str, int]) -> Mapping[str, int]:
    return {code: reasons[code] for code in REASONS if reasons.get(code)}


# Enough for RACE, the largest corpus, whose texts are in memory anyway: so each passage, and each
# question's options, are counted once for all attacks that a process runs.
@lru_cache(maxsize=1 << 15)
def _length(passage: str) -> int:
    return n_words(passage)


@lru_cache(maxsize=1 << 17)
def _lengths(options: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(map(n_words, options))


class _Answer(NamedTuple):
    """An answer as it is looked for.

    Attributes:
        text: the answer.
        run: its words between spaces, ignoring case.
        longest: the longest of them.
    """

    text: str
    run: str
    longest: str


# All attacks on a few hundred rows look for the same answers.
@lru_cache(maxsize=1 << 12)
def _answer(text: str) -> _Answer:
    key = word_key(text)
    return _Answer(text, f" {key} ", max(key.split(" "), key=len))


def _holds(text: str, answer: _Answer, *, is_shuffled: bool) -> bool:
    """Whether the words of the answer stand in `text` in a row, ignoring case."""
    if not is_plain(text):
        return answer.run in _run(text)
    folded = text.casefold()
    if is_shuffled:
        # Its words stand between single spaces.
        return answer.run in f" {folded} "
    # Most texts do not even hold the longest word: these need not be cut into words.
    if answer.longest not in folded:
        return False
    is_appended = bool(answer.longest) and text.endswith(f" {answer.text}")
    return is_appended or answer.run in _run(text)


def _run(text: str) -> str:
    """The words between spaces, so that a run of whole words is a substring of it."""
    return f" {' '.join(words(text))} ".casefold()


def _n_words_after(text: str, old: str, n_old: int, *, is_shuffled: bool) -> int:
    if is_shuffled:
        return text.count(" ") + 1
    # What was put behind an option is cut for it alone; the option has been counted.
    if text.startswith(f"{old} ") and is_plain(text):
        return n_old + n_words(text[len(old) + 1 :])
    return n_words(text)


def _change_of_length(changes: Iterable[Change], text: str) -> int:
    """How many more words a text has after letters of single words changed places.

    A word of letters alone stays one; marks inside may come to stand otherwise (`dno't`, `don't`).
    """
    return sum(
        n_words(change.after) - n_words(change.before)
        for change in changes
        if change.text == text and not change.after.isalpha()
    )


class _Tally:
    """Running counts of one attack."""

    def __init__(self, attack: Attack) -> None:
        self.touches = attack.touches
        self.rows = self.attacked = self.shuffled = 0
        self.degree_sum = self.answer_held = 0
        self.can_hold_answer = "options" in attack.touches
        self.texts = self.words_before = self.words_after = self.changed = 0
        # Of a distractor that became another text, the lineage lists the whole, not its words.
        self.has_lineage = attack.has_lineage and not self.can_hold_answer
        self.reasons: Counter[str] = Counter()

    def add(self, example: Example, attacked: Attacked) -> None:
        self.rows += 1
        self.attacked += is_attacked(example, attacked)
        if attacked.reasons:
            self.reasons.update(attacked.reasons)
        if attacked.changes:
            self.changed += sum(change.text in self.touches for change in attacked.changes)
        for degree in attacked.shuffle_degree:
            if degree is not None:
                self.shuffled += 1
                self.degree_sum += round(degree * _BILLION)
        if "passage" in self.touches:
            self._add_passage(example, attacked)
        if "question" in self.touches:
            before = n_words(example.question)
            is_shuffled = attacked.shuffle_degree[-1] is not None
            self._add_lengths(1, before, before if is_shuffled else n_words(attacked.question))
        if "options" in self.touches:
            self._add_options(example, attacked)

    def _add_lengths(self, texts: int, before: int, after: int) -> None:
        self.texts += texts
        self.words_before += before
        self.words_after += after

    def _add_passage(self, example: Example, attacked: Attacked) -> None:
        before = _length(example.passage)
        is_shuffled = attacked.shuffle_degree[0] is not None
        if attacked.inserted:
            self.can_hold_answer = True
            texts = [attacked.passage[start:end] for start, end in attacked.inserted]
            after = before + sum(
                _n_words_after(text, "", 0, is_shuffled=is_shuffled) for text in texts
            )
            answer = _answer(example.answer)
            self.answer_held += any(_holds(text, answer, is_shuffled=is_shuffled) for text in texts)
        elif is_shuffled or attacked.passage == example.passage:
            after = before
        elif attacked.changes is not None:
            after = before + _change_of_length(attacked.changes, "passage")
        else:
            after = n_words(attacked.passage)
        self._add_lengths(1, before, after)

    def _add_options(self, example: Example, attacked: Attacked) -> None:
        label, answer, is_held = example.label, _answer(example.answer), False
        lengths, degrees = _lengths(example.options), attacked.shuffle_degree
        before = after = sum(lengths) - lengths[label]
        for position, (old, new) in enumerate(zip(example.options, attacked.options, strict=True)):
            if new != old and position != label:
                n_old, is_shuffled = lengths[position], degrees[position] is not None
                after += _n_words_after(new, old, n_old, is_shuffled=is_shuffled) - n_old
                is_held = is_held or _holds(new, answer, is_shuffled=is_shuffled)
        self.answer_held += is_held
        self._add_lengths(len(lengths) - 1, before, after)

    def statistics(self) -> Statistics:
        return Statistics(
            rows=self.rows,
            attacked=self.attacked,
            reasons=_counted(self.reasons),
            shuffled=self.shuffled,
            degree_sum=self.degree_sum,
            answer_held=self.answer_held if self.can_hold_answer else None,
            texts=self.texts,
            words_before=self.words_before,
            words_after=self.words_after,
            changed=self.changed if self.has_lineage else None,
        )
