"""Rows to texts that are compared: the sentences of a passage, and question with option.

A matching model sees each text alone, never passage and option together. The logit of an option is
how like its text is to that sentence of the passage which is most like it: cosine of the mean
token vectors (Reimers and Gurevych 2019, arXiv 1908.10084, section 3), the greatest over the
sentences, times `SCALE`.

Nothing of a passage is left out: a sentence longer than `max_length` becomes several pieces. Where
question and option are longer, the option loses its end, and the row counts as truncated; options
that nothing is left of then tie.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from mcrc_adversarial.encoding import Row, second_texts
from mcrc_adversarial.encoding.question import IntArray
from mcrc_adversarial.encoding.texts import TokenizedTexts, find_pad_id
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.words import sentences

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# Cosines lie within 1 of each other; this makes a softmax over them able to be sure. The default
# of sentence-transformers' MultipleNegativesRankingLoss.
SCALE = 20.0
_ROWS_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class EncodedMatch:
    """A question in tokens; every text with its special tokens.

    Attributes:
        pieces: sentences of the passage; one piece without text where the passage has none.
        seconds: question and option, one array an option.
        truncated: whether an option lost its end.
    """

    pieces: tuple[IntArray, ...]
    seconds: tuple[IntArray, ...]
    truncated: bool = False

    @property
    def n_options(self) -> int:
        """Number of options."""
        return len(self.seconds)

    @property
    def n_sequences(self) -> int:
        """Number of texts that go through the model."""
        return len(self.pieces) + len(self.seconds)

    @property
    def lengths(self) -> list[int]:
        """Tokens of each text."""
        return [len(text) for text in (*self.pieces, *self.seconds)]

    def key(self, option: int) -> bytes:
        """16 bytes, equal exactly where the model's input is equal (one tokeniser given)."""
        digest = self._passage_digest.copy()
        digest.update(self.seconds[option].tobytes())
        return digest.digest()

    @cached_property
    def _passage_digest(self) -> hashlib.blake2b:
        digest = hashlib.blake2b(len(self.pieces).to_bytes(4, "big"), digest_size=16)
        for piece in self.pieces:
            digest.update(len(piece).to_bytes(4, "big"))
            digest.update(piece.tobytes())
        return digest


class MatchEncoder:
    """Turns rows into the texts that a matching model compares.

    Args:
        tokenizer: a fast tokeniser.
        max_length: tokens of one text at most, special ones counted.
        fill_blank: put the option in the question's `_` instead of behind the question.

    Raises:
        ParameterError: `max_length` leaves no room for text, or the tokeniser has no padding token.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, *, max_length: int, fill_blank: bool = False
    ) -> None:
        self.tokenizer = tokenizer
        self.pad_id = find_pad_id(tokenizer)
        self.max_length = max_length
        self.fill_blank = fill_blank
        self._before, self._after = _around(tokenizer)
        self._room = max_length - len(self._before) - len(self._after)
        if self._room < 1:
            n_special = max_length - self._room
            msg = (
                f"max_length is {max_length}, of which {n_special} go to special tokens; give more"
            )
            raise ParameterError(msg)
        self._texts = TokenizedTexts(tokenizer, with_offsets=False)

    def encode(self, row: Row) -> EncodedMatch:
        """Encode one row; `encode_many` is faster for many."""
        return next(self.encode_many([row]))

    def encode_many(self, rows: Iterable[Row]) -> Iterator[EncodedMatch]:
        """Encode rows in their order; see `encode_pairs`."""
        return (question for _, question in self.encode_pairs(rows))

    def encode_pairs(self, rows: Iterable[Row]) -> Iterator[tuple[Row, EncodedMatch]]:
        """Encode rows in their order, and give each row back beside its tokens.

        Args:
            rows: with the fields `passage`, `question`, `options`.
        """
        remaining = iter(rows)
        while chunk := list(islice(remaining, _ROWS_AT_ONCE)):
            parts = {text: sentences(text) or [""] for text in {row["passage"] for row in chunk}}
            seconds = [second_texts(row, fill_blank=self.fill_blank) for row in chunk]
            self._texts.add(text for of_passage in parts.values() for text in of_passage)
            passages = {text: self._pieces(found) for text, found in parts.items()}
            self._texts.add(text for of_row in seconds for text in of_row)
            for row, texts in zip(chunk, seconds, strict=True):
                ids = [self._texts[text].ids for text in texts]
                options = tuple(self._enclosed(one[: self._room]) for one in ids)
                truncated = max(map(len, ids)) > self._room
                yield row, EncodedMatch(passages[row["passage"]], options, truncated)

    def _pieces(self, texts: Sequence[str]) -> tuple[IntArray, ...]:
        found = []
        for text in texts:
            ids = self._texts[text].ids
            for start in range(0, max(len(ids), 1), self._room):
                found.append(self._enclosed(ids[start : start + self._room]))
        return tuple(found)

    def _enclosed(self, ids: IntArray) -> IntArray:
        return np.concatenate((self._before, ids, self._after))


def _around(tokenizer: PreTrainedTokenizerBase) -> tuple[IntArray, IntArray]:
    """The special tokens before and after a single text."""
    found = tokenizer("a", return_special_tokens_mask=True)
    ids = np.array(found["input_ids"], dtype=np.int32)
    own = np.flatnonzero(np.array(found["special_tokens_mask"]) == 0)
    if not len(own):
        msg = f"{type(tokenizer).__name__} makes no tokens of the letter 'a'; is its file whole?"
        raise ParameterError(msg)
    return ids[: own[0]], ids[own[-1] + 1 :]


def collate_texts(
    texts: Sequence[IntArray], pad_id: int, multiple_of: int = 1
) -> dict[str, Tensor]:
    """What the model takes for some texts, `input_ids` and `attention_mask`, (n_texts, length)."""
    length = -(-max(map(len, texts)) // multiple_of) * multiple_of
    ids = np.full((len(texts), length), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
        mask[row, : len(text)] = 1
    return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}


def collate_matches(
    questions: Sequence[EncodedMatch],
    labels: Sequence[int] | None,
    pad_id: int,
    *,
    multiple_of: int = 1,
) -> dict[str, Tensor]:
    """The tensors of a batch of questions; each distinct text is there once.

    Returns:
        `input_ids` and `attention_mask`, (n_texts, length); `option_text` (n_options in all,), the
        text of each option; `is_piece` (n_questions, n_texts), whether a text is one of the
        question's sentences; `n_options` (n_questions,); and `labels` (n_questions,) unless None.
    """
    numbers: dict[bytes, int] = {}
    texts: list[IntArray] = []

    def number(text: IntArray) -> int:
        found = numbers.setdefault(text.tobytes(), len(texts))
        if found == len(texts):
            texts.append(text)
        return found

    pieces = [[number(text) for text in question.pieces] for question in questions]
    options = [number(text) for question in questions for text in question.seconds]
    is_piece = torch.zeros(len(questions), len(texts), dtype=torch.bool)
    for row, of_question in enumerate(pieces):
        is_piece[row, of_question] = True
    batch = collate_texts(texts, pad_id, multiple_of)
    batch |= {"option_text": torch.tensor(options), "is_piece": is_piece}
    batch["n_options"] = torch.tensor([question.n_options for question in questions])
    if labels is not None:
        batch["labels"] = torch.tensor(labels)
    return batch


def text_vectors(model: nn.Module, batch: dict[str, Any]) -> Tensor:
    """The mean vector of each text's tokens, of length 1, in float32: (n_texts, width)."""
    mask = batch["attention_mask"]
    hidden = model(input_ids=batch["input_ids"], attention_mask=mask).last_hidden_state.float()
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)


def match_logits(
    vectors: Tensor, option_text: Tensor, is_piece: Tensor, n_options: Tensor
) -> Tensor:
    """The logit of each option, (n_options in all,); see `collate_matches` for the arguments."""
    cosines = vectors[option_text] @ vectors.T
    allowed = torch.repeat_interleave(is_piece, n_options, dim=0)
    return SCALE * cosines.masked_fill(~allowed, -torch.inf).amax(1)
