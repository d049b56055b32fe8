"""What paper C measures of a question (section 5), one number each; None where it has none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mcrc_adversarial.difficulty.parser_files import Surprisal, passages_of
from mcrc_adversarial.difficulty.questions import Question, Questions
from mcrc_adversarial.difficulty.words_of_texts import (
    Frequency,
    grade,
    grade_tool,
    mean_frequency,
    plain_words,
    unknown_share,
)

TITLES: Mapping[str, str] = {
    "passage-words": "passage length, words",
    "question-words": "question length, words",
    "option-words": "mean option length, words",
    "grade": "Flesch-Kincaid grade",
    "syntactic-surprisal": "syntactic surprisal, nats a word",
    "lexical-surprisal": "lexical surprisal, nats a word",
    "total-surprisal": "total surprisal, bits a word",
    "answering-time": "answering time, s a question",
    "writing-time": "writing time, s",
    "word-frequency": "mean word frequency, per million",
}


@dataclass(frozen=True)
class Sources:
    """Where the measures that are not counted come from.

    Attributes:
        frequency: word -> occurrences in a million; None: not measured.
        frequency_name: of its list.
        parsed: passage id -> the parser's surprisals; empty: not measured.
        surprisal: passage id -> mean surprisal of a word in bits; empty: not measured.
        surprisal_name: of the language model.
    """

    frequency: Frequency | None = None
    frequency_name: str = ""
    parsed: Mapping[str, Surprisal] = field(default_factory=dict)
    surprisal: Mapping[str, float] = field(default_factory=dict)
    surprisal_name: str = ""

    def sentences(self, questions: Questions) -> tuple[str, ...]:
        """What computed what, for notes."""
        notes = [
            "Lengths count words that hold a letter or digit; a contraction, a number and initials"
            " are one word each",
            grade_tool(),
        ]
        if self.frequency is not None:
            passages = passages_of([one.example for one in questions.items]).values()
            unknown = unknown_share(passages, self.frequency)
            share = "" if unknown is None else f", {100 * unknown:.1f} % of the passages' words"
            notes.append(f"Word frequency: {self.frequency_name}; words not in it count 0{share}")
        if self.surprisal_name:
            notes.append(
                f"Surprisal: of the language model {self.surprisal_name}, total, in bits a word;"
                " this is not the incremental parser of the paper"
            )
        if self.parsed:
            notes.append("Syntactic and lexical surprisal: the output of the parser, means a word")
        return tuple(f"{note}." for note in notes)


@dataclass(frozen=True)
class Measure:
    """A measure with its values.

    Attributes:
        name: kebab-case.
        title: with the unit.
        values: one a question; None where it has none.
    """

    name: str
    title: str
    values: tuple[float | None, ...]

    def of_valid(self, questions: Questions) -> list[tuple[Question, float]]:
        """Each valid question that has a value, and the value."""
        valid = {id(one) for one in questions.valid}
        return [
            (one, value)
            for one, value in zip(questions.items, self.values, strict=True)
            if id(one) in valid and value is not None
        ]


@lru_cache(maxsize=1 << 14)
def _length(text: str) -> int:
    return len(plain_words(text))


# Two questions on one passage have one grade.
_grade = lru_cache(maxsize=1 << 14)(grade)


def _option_length(one: Question) -> float:
    options = one.example.options
    return sum(map(_length, options)) / len(options)


def measured(questions: Questions, sources: Sources) -> list[Measure]:
    """Every measure that there is anything to compute from."""
    table: dict[str, Callable[[Question], float | None]] = {
        "passage-words": lambda one: _length(one.example.passage),
        "question-words": lambda one: _length(one.example.question),
        "option-words": _option_length,
        "grade": lambda one: _grade(one.example.passage),
        "syntactic-surprisal": lambda one: _split(sources.parsed, one, "syntactic"),
        "lexical-surprisal": lambda one: _split(sources.parsed, one, "lexical"),
        "total-surprisal": lambda one: sources.surprisal.get(one.example.passage_id),
        "answering-time": lambda one: one.votes.mean_seconds if one.votes else None,
        "writing-time": lambda one: one.writing_seconds,
        "word-frequency": _frequency_of(sources),
    }
    found = [
        Measure(name, TITLES[name], tuple(map(function, questions.items)))
        for name, function in table.items()
    ]
    return [one for one in found if any(value is not None for value in one.values)]


def absent(measures: Sequence[Measure]) -> list[str]:
    """What paper C measures and these questions lack, a sentence each."""
    why = {
        "syntactic-surprisal": "Syntactic and lexical surprisal need a parser's output.",
        "total-surprisal": "Total surprisal needs the name of a language model.",
        "answering-time": "Answering time needs votes that tell their seconds.",
        "writing-time": "Writing time is not known of these questions.",
        "word-frequency": "Word frequency needs a list of words.",
    }
    names = {one.name for one in measures}
    return [sentence for name, sentence in why.items() if name not in names]


def _split(parsed: Mapping[str, Surprisal], one: Question, part: str) -> float | None:
    found = parsed.get(one.example.passage_id)
    return None if found is None else float(getattr(found, part))


def _frequency_of(sources: Sources) -> Callable[[Question], float | None]:
    if sources.frequency is None:
        return lambda _: None
    frequency = sources.frequency

    @lru_cache(maxsize=1 << 14)
    def of_passage(passage: str) -> float | None:
        return mean_frequency(passage, frequency)

    return lambda one: of_passage(one.example.passage)
