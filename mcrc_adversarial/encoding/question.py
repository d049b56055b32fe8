"""A question in tokens: what stands in each option's sequence, without building it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.errors import ParameterError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

IntArray: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PairLayout:
    """What a tokeniser puts around a passage and the text that follows it.

    Attributes:
        parts: special tokens before the passage, between the two texts, and at the end.
        segments: segment of each of those tokens; None where the tokeniser has no segments.
        text_segments: segments of the passage and of the second text.
        padding_side: "right" or "left".
        pad_segment: segment of padding.
    """

    parts: tuple[IntArray, IntArray, IntArray]
    segments: tuple[IntArray, IntArray, IntArray] | None
    text_segments: tuple[int, int]
    padding_side: str
    pad_segment: int

    @property
    def n_special(self) -> int:
        """Number of special tokens in a sequence."""
        return sum(len(part) for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedQuestion:
    """A question in tokens; the options share the passage's array.

    Attributes:
        layout: of the tokeniser.
        passage: tokens of the passage, perhaps shortened, shape (n_passage,).
        seconds: tokens of question and option, one array an option.
        truncated: whether any token was dropped.
        options_truncated: whether an option lost its end (and so all options the passage).
    """

    layout: PairLayout
    passage: IntArray
    seconds: tuple[IntArray, ...]
    truncated: bool = False
    options_truncated: bool = False

    @property
    def n_options(self) -> int:
        """Number of options, and so of sequences."""
        return len(self.seconds)

    @property
    def lengths(self) -> list[int]:
        """Tokens of each option's sequence, special ones counted."""
        return [self.length(option) for option in range(self.n_options)]

    @property
    def n_sequences(self) -> int:
        """Number of sequences that go through the model, one an option."""
        return len(self.seconds)

    def key(self, option: int) -> bytes:
        """16 bytes, equal exactly where the model's input is equal (one tokeniser given)."""
        digest = hashlib.blake2b(len(self.passage).to_bytes(4, "big"), digest_size=16)
        digest.update(self.passage.tobytes())
        digest.update(self.seconds[option].tobytes())
        return digest.digest()

    def length(self, option: int) -> int:
        """Tokens of one option's sequence, special ones counted."""
        return self.layout.n_special + len(self.passage) + len(self.seconds[option])

    def sequence(self, option: int) -> IntArray:
        """Tokens of one option's sequence, shape (length,)."""
        before, between, after = self.layout.parts
        parts = (before, self.passage, between, self.seconds[option], after)
        return np.concatenate(parts)

    def segments(self, option: int) -> IntArray | None:
        """Segment of each of those tokens, shape (length,); None where there are no segments."""
        if self.layout.segments is None:
            return None
        before, between, after = self.layout.segments
        first, second = self.layout.text_segments
        passage = np.full(len(self.passage), first, dtype=np.int32)
        rest = np.full(len(self.seconds[option]), second, dtype=np.int32)
        return np.concatenate((before, passage, between, rest, after))

    @property
    def input_ids(self) -> list[list[int]]:
        """Tokens of each option's sequence, as lists."""
        return [self.sequence(option).tolist() for option in range(self.n_options)]

    @property
    def token_type_ids(self) -> list[list[int]] | None:
        """Segments of each option's sequence, as lists; None where there are no segments."""
        found = [self.segments(option) for option in range(self.n_options)]
        lists = [segments.tolist() for segments in found if segments is not None]
        return lists or None


def pair_layout(tokenizer: PreTrainedTokenizerBase) -> PairLayout:
    """Read off how `tokenizer` joins two texts.

    Raises:
        ParameterError: it is no fast tokeniser, or makes no tokens of the letter "a".
    """
    if not tokenizer.is_fast:
        msg = (
            f"{type(tokenizer).__name__} does not say where its tokens stand in the text; a fast"
            " tokeniser (a tokenizer.json) is needed"
        )
        raise ParameterError(msg)
    # Two different texts, so that equal tokens cannot be taken for each other.
    pair = tokenizer("a", "a", return_token_type_ids=True)
    owners = np.array([-1 if owner is None else owner for owner in pair.sequence_ids(0)])
    first, second = np.flatnonzero(owners == 0), np.flatnonzero(owners == 1)
    if not len(first) or not len(second):
        msg = f"{type(tokenizer).__name__} makes no tokens of the letter 'a'; is its file whole?"
        raise ParameterError(msg)
    has_segments = "token_type_ids" in tokenizer.model_input_names
    segments = np.array(pair["token_type_ids"], dtype=np.int32)
    ids = np.array(pair["input_ids"], dtype=np.int32)

    def around(values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        return values[: first[0]], values[first[-1] + 1 : second[0]], values[second[-1] + 1 :]

    return PairLayout(
        around(ids),
        around(segments) if has_segments else None,
        (int(segments[first[0]]), int(segments[second[0]])),
        tokenizer.padding_side,
        tokenizer.pad_token_type_id,
    )
