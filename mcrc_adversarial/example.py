"""The one form that every corpus is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from mcrc_adversarial.errors import DataError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MIN_OPTIONS = 2
MAX_OPTIONS = len(LETTERS)

Fact: TypeAlias = str | int | float | bool | list[str] | list[int] | list[float] | list[bool] | None


@dataclass(frozen=True, slots=True)
class Example:
    """One multiple-choice question on one passage.

    Attributes:
        id: `<split>/<native id>-<question index>`, unique in a config, the same in every config of
            the corpus.
        passage_id: shared by the questions on one passage.
        passage: the text to read; may be empty.
        question: may be empty, may hold a blank written as `_`.
        options: 2 to 26 texts.
        label: index of the answer in `options`, from 0.
        facts: the corpus's own columns, by name (`level`, `question_type`, ...).

    Raises:
        DataError: a field has the wrong type, there are too few or too many options, the label is
            not the index of an option, or a text cannot be encoded as UTF-8.
    """

    id: str
    passage_id: str
    passage: str
    question: str
    options: tuple[str, ...]
    label: int
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("id", "passage_id", "passage", "question"):
            self._check_text(name, getattr(self, name))
        if not self.id or not self.passage_id:
            msg = f"record {self.id!r}: id and passage_id must not be empty"
            raise DataError(msg)
        self._check_tuple("options", self.options)
        if not MIN_OPTIONS <= len(self.options) <= MAX_OPTIONS:
            msg = (
                f"record {self.id!r}: {len(self.options)} options;"
                f" {MIN_OPTIONS} to {MAX_OPTIONS} are allowed"
            )
            raise DataError(msg)
        for number, option in enumerate(self.options):
            self._check_text(f"option {LETTERS[number]}", option)
        if type(self.label) is not int or not 0 <= self.label < len(self.options):
            msg = (
                f"record {self.id!r}: label is {self.label!r}; it must be an index"
                f" from 0 to {len(self.options) - 1}"
            )
            raise DataError(msg)

    def _check_tuple(self, name: str, value: object) -> None:
        if not isinstance(value, tuple):
            msg = f"record {self.id!r}: {name} is {type(value).__name__}, not a tuple of texts"
            raise DataError(msg)

    def _check_text(self, name: str, value: object) -> None:
        if not isinstance(value, str):
            msg = f"record {self.id!r}: {name} is {type(value).__name__}, not text"
            raise DataError(msg)
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                msg = f"record {self.id!r}: {name} holds {value[error.start]!r}, half a character"
                raise DataError(msg) from error

    @property
    def answer(self) -> str:
        """The text of the right option."""
        return self.options[self.label]

    @property
    def distractors(self) -> tuple[str, ...]:
        """The wrong options, in order."""
        return self.options[: self.label] + self.options[self.label + 1 :]
