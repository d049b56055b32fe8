"""Rows to token sequences: one `[CLS] passage [SEP] question option [SEP]` an option.

Source of the layout: papers A (section 5.2) and B; segment 0 for the passage, 1 for the rest,
where the tokeniser has segments. The special tokens are those that the tokeniser itself puts
around a pair of texts.

Truncation shortens the passage alone, to the same text for all options of a question, and never
takes inserted text (`mcrc_adversarial.encoding.truncation`). Where question and option alone are
too long, the passage is left out for all options, and only the options that are too long lose
their end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np

from mcrc_adversarial.encoding.question import (
    EncodedQuestion,
    IntArray,
    PairLayout,
    pair_layout,
)
from mcrc_adversarial.encoding.texts import TokenizedTexts, find_pad_id
from mcrc_adversarial.encoding.truncation import cut_passage, inserted_tokens, no_room_for_inserted
from mcrc_adversarial.errors import ParameterError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = [
    "EncodedQuestion",
    "Encoder",
    "PairLayout",
    "Row",
    "encode_rows",
    "fill_blanks",
    "pair_layout",
    "second_texts",
    "with_option",
]

Encoded_co = TypeVar("Encoded_co", covariant=True)
Row: TypeAlias = Mapping[str, Any]
# Called with the number of rows encoded since the last call.
Progress: TypeAlias = Callable[[int], object]

_BLANK = re.compile(r"\s*_+\s*")
_ROWS_AT_ONCE = 512
_EMPTY: IntArray = np.zeros(0, dtype=np.int32)


def with_option(question: str, option: str) -> str:
    """Question and option, parted by a space where there are both."""
    return f"{question} {option}" if question and option else question + option


def fill_blanks(question: str, option: str) -> str:
    """The question with the option in place of each run of `_`; behind it where there is none.

    >>> fill_blanks("I have  _  .", "a dog.")
    'I have a dog.'
    >>> fill_blanks("Who left?", "Ann")
    'Who left? Ann'
    """
    if "_" not in question:
        return with_option(question, option)
    text = option.strip()

    def fill(blank: re.Match[str]) -> str:
        left = " " if blank.start() else ""
        following = question[blank.end() : blank.end() + 1]
        if not following or following in ".,;:?!)":
            return left + text.removesuffix(following)
        return f"{left}{text} "

    return _BLANK.sub(fill, question)


def second_texts(row: Row, *, fill_blank: bool) -> list[str]:
    """Question and option in one text, for each option."""
    joined = fill_blanks if fill_blank else with_option
    return [joined(row["question"], option) for option in row["options"]]


class Encoder:
    """Turns rows into token sequences for one tokeniser.

    Args:
        tokenizer: a fast tokeniser.
        max_length: tokens of a sequence at most, special ones counted.
        fill_blank: put the option in the question's `_` instead of behind the question.

    Raises:
        ParameterError: `max_length` leaves no room for text, the tokeniser is not fast, or has no
            padding token.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, *, max_length: int, fill_blank: bool = False
    ) -> None:
        self.tokenizer = tokenizer
        self.layout = pair_layout(tokenizer)
        self.pad_id = find_pad_id(tokenizer)
        self.max_length = max_length
        self.fill_blank = fill_blank
        if max_length <= self.layout.n_special:
            msg = (
                f"max_length is {max_length}, of which {self.layout.n_special} go to special"
                " tokens; give more"
            )
            raise ParameterError(msg)
        self._passages = TokenizedTexts(tokenizer, with_offsets=True)
        self._seconds = TokenizedTexts(tokenizer, with_offsets=False)

    def encode(self, row: Row) -> EncodedQuestion:
        """Encode one row; `encode_many` is faster for many."""
        return next(self.encode_many([row]))

    def encode_many(self, rows: Iterable[Row]) -> Iterator[EncodedQuestion]:
        """Encode rows in their order; see `encode_pairs`."""
        return (question for _, question in self.encode_pairs(rows))

    def encode_pairs(self, rows: Iterable[Row]) -> Iterator[tuple[Row, EncodedQuestion]]:
        """Encode rows in their order, and give each row back beside its tokens.

        Args:
            rows: with the fields `id`, `passage`, `question`, `options`, `inserted`.

        Raises:
            ParameterError: `max_length` is too small for a row; the message names it.
        """
        remaining = iter(rows)
        while chunk := list(islice(remaining, _ROWS_AT_ONCE)):
            texts = [second_texts(row, fill_blank=self.fill_blank) for row in chunk]
            self._passages.add(row["passage"] for row in chunk)
            self._seconds.add(text for of_row in texts for text in of_row)
            for row, of_row in zip(chunk, texts, strict=True):
                yield row, self._joined(row, [self._seconds[text].ids for text in of_row])

    def _joined(self, row: Row, seconds: list[IntArray]) -> EncodedQuestion:
        tokens = self._passages[row["passage"]]
        room = self.max_length - self.layout.n_special - max(map(len, seconds))
        if len(tokens.ids) <= room:
            return EncodedQuestion(self.layout, tokens.ids, tuple(seconds))
        n_inserted = int(np.sum(inserted_tokens(tokens.offsets, row["inserted"])))
        if n_inserted > max(room, 0):
            raise no_room_for_inserted(row["id"], n_inserted, self.max_length, n_inserted - room)
        if room < 0:
            return self._without_passage(row, seconds)
        cut = cut_passage(row["passage"], tokens.offsets, row["inserted"], room)
        return EncodedQuestion(self.layout, tokens.ids[cut.kept], tuple(seconds), truncated=True)

    def _without_passage(self, row: Row, seconds: list[IntArray]) -> EncodedQuestion:
        most = self.max_length - self.layout.n_special
        shorter = tuple(second[:most] for second in seconds)
        n_before = len({second.tobytes() for second in seconds})
        if len({second.tobytes() for second in shorter}) < n_before:
            longest = max(map(len, seconds)) + self.layout.n_special
            msg = (
                f"row {row['id']!r}: within max_length {self.max_length} question and option are"
                f" the same tokens for two options; {longest} would hold them all"
            )
            raise ParameterError(msg)
        return EncodedQuestion(self.layout, _EMPTY, shorter, truncated=True, options_truncated=True)


class RowEncoder(Protocol[Encoded_co]):
    """What turns rows into questions in tokens."""

    def encode_many(self, rows: Iterable[Row]) -> Iterator[Encoded_co]:
        """Encode rows in their order."""
        ...


def encode_rows(
    rows: Iterable[Row], encoder: RowEncoder[Encoded_co], *, progress: Progress | None = None
) -> list[Encoded_co]:
    """Encode rows in their order.

    Args:
        rows: of one config, or of several.
        encoder: for the model's tokeniser.
        progress: called with the number of rows done since its last call.

    Raises:
        ParameterError: `max_length` is too small for a row; the message names it.
    """
    encoded = []
    for question in encoder.encode_many(rows):
        encoded.append(question)
        if progress is not None:
            progress(1)
    return encoded
