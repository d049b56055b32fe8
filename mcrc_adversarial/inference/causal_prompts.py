"""Prompts for causal language models: what is shared by the options, and what is scored of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.encoding.truncation import (
    cut_passage,
    inserted_tokens,
    no_room_for_inserted,
    shortened,
)
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import LETTERS

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

IntArray: TypeAlias = npt.NDArray[np.int32]
Row: TypeAlias = Mapping[str, Any]


class Texts(NamedTuple):
    """A prompt as text: what stands before the answer, and each option's answer."""

    prompt: str
    answers: tuple[str, ...]


def option_texts(passage: str, question: str, options: tuple[str, ...]) -> Texts:
    r"""The prompt whose answers are the options' own texts.

    >>> option_texts("Ann left.", "Who left?", ("Ann", "Bob"))
    Texts(prompt='Ann left.\n\nQuestion: Who left?\nAnswer:', answers=(' Ann', ' Bob'))
    """
    prompt = _joined(passage, f"Question: {question}".rstrip(), "Answer:")
    return Texts(prompt, tuple(f" {option}" for option in options))


def letter_texts(passage: str, question: str, options: tuple[str, ...]) -> Texts:
    r"""The prompt that lists the options, whose answers are their letters.

    >>> letter_texts("", "Who left?", ("Ann", "Bob"))
    Texts(prompt='Question: Who left?\nA. Ann\nB. Bob\nAnswer:', answers=(' A', ' B'))
    """
    letters = LETTERS[: len(options)]
    listed = [f"{letter}. {option}" for letter, option in zip(letters, options, strict=True)]
    prompt = _joined(passage, f"Question: {question}".rstrip(), *listed, "Answer:")
    return Texts(prompt, tuple(f" {letter}" for letter in letters))


def race_texts(passage: str, question: str, options: tuple[str, ...]) -> Texts:
    r"""The prompt of lm-evaluation-harness's task `race`, for one question alone.

    As that harness does, white space at the prompt's end counts as the answer's: there is some
    where the question was removed.

    >>> race_texts("Ann left.", "Who left?", ("Ann", "Bob"))
    Texts(prompt='Article: Ann left.\n\nWho left?', answers=(' Ann', ' Bob'))
    """
    whole = f"Article: {passage}\n\n{question}"
    prompt = whole.rstrip()
    return Texts(prompt, tuple(f"{whole[len(prompt) :]} {option}" for option in options))


def _joined(passage: str, *lines: str) -> str:
    asked = "\n".join(lines)
    return f"{passage}\n\n{asked}" if passage else asked


# Divides an option's log-likelihood: (tokens, characters) of its answer -> divisor.
Divisor: TypeAlias = Callable[[int, int], int]


class Method(NamedTuple):
    """A way to score options: the prompt, and what the log-likelihood is divided by."""

    texts: Callable[[str, str, tuple[str, ...]], Texts]
    divisor: Divisor


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "sum": Method(option_texts, lambda tokens, characters: 1),
        "per-token": Method(option_texts, lambda tokens, characters: tokens),
        "per-character": Method(option_texts, lambda tokens, characters: max(characters, 1)),
        "letter": Method(letter_texts, lambda tokens, characters: 1),
        "race": Method(race_texts, lambda tokens, characters: 1),
        "race-per-character": Method(race_texts, lambda tokens, characters: max(characters, 1)),
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Prompt:
    """A question in tokens.

    Attributes:
        prefix: tokens that all options share, shape (n_prefix,), at least one.
        rests: the tokens that follow for each option, at least one each.
        n_scored: how many of them, at their end, are the option's answer.
        divisors: what each option's log-likelihood is divided by.
        truncated: whether the passage was shortened.
    """

    prefix: IntArray
    rests: tuple[IntArray, ...]
    n_scored: tuple[int, ...]
    divisors: tuple[int, ...]
    truncated: bool

    def key(self, option: int) -> bytes:
        """16 bytes that are equal exactly where the same answer follows the same tokens."""
        digest = hashlib.blake2b(self.n_scored[option].to_bytes(4, "big"), digest_size=16)
        digest.update(self.prefix.tobytes())
        digest.update(self.rests[option].tobytes())
        return digest.digest()


class _Whole(NamedTuple):
    """Prompt and answer of one option in tokens, and how many of them are the answer's."""

    ids: IntArray
    n_scored: int


class PromptEncoder:
    """Turns rows into prompts for one tokeniser.

    Prompt and answer are tokenised as one text, so that the model meets them as in running text; a
    token belongs to the answer if any of its characters does.

    Args:
        tokenizer: a fast tokeniser.
        method: one of `METHODS`.
        max_length: tokens of prompt and answer at most.

    Raises:
        ParameterError: no method is called so, or the tokeniser is not fast.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, method: str, max_length: int) -> None:
        if method not in METHODS:
            msg = f"method is {method!r}; allowed are {', '.join(METHODS)}"
            raise ParameterError(msg)
        if not tokenizer.is_fast:
            msg = f"{type(tokenizer).__name__} is not fast; a tokenizer.json is needed"
            raise ParameterError(msg)
        self.tokenizer = tokenizer
        self.method = METHODS[method]
        self.max_length = max_length

    def encode(self, row: Row) -> Prompt:
        """Encode one row, dropping words from the end of the original passage where needed.

        Raises:
            ParameterError: the row does not fit without its passage, its inserted text alone is
                too long, or an answer makes no tokens; the message names the row.
        """
        passage = row["passage"]
        wholes = self._wholes(row, passage)
        n_too_many = self._excess(wholes)
        truncated = n_too_many > 0
        room = len(self._offsets(passage)) if truncated else 0
        while n_too_many > 0:
            room -= n_too_many
            passage = self._shortened(row, room)
            wholes = self._wholes(row, passage)
            n_too_many = self._excess(wholes)
        n_shared = _n_shared(wholes)
        n_scored = tuple(whole.n_scored for whole in wholes)
        n_characters = map(len, row["options"])
        return Prompt(
            prefix=wholes[0].ids[:n_shared],
            rests=tuple(whole.ids[n_shared:] for whole in wholes),
            n_scored=n_scored,
            divisors=tuple(map(self.method.divisor, n_scored, n_characters)),
            truncated=truncated,
        )

    def _excess(self, wholes: list[_Whole]) -> int:
        return max(len(whole.ids) for whole in wholes) - self.max_length

    def _offsets(self, passage: str) -> IntArray:
        found = self.tokenizer(passage, add_special_tokens=False, return_offsets_mapping=True)
        return np.array(found["offset_mapping"], dtype=np.int32).reshape(-1, 2)

    def _shortened(self, row: Row, room: int) -> str:
        """The passage in at most `room` tokens."""
        if room < 0:
            msg = (
                f"row {row['id']!r}: without its passage the prompt is still {-room} tokens longer"
                f" than max_length {self.max_length}; give more"
            )
            raise ParameterError(msg)
        offsets = self._offsets(row["passage"])
        n_inserted = int(np.sum(inserted_tokens(offsets, row["inserted"])))
        if n_inserted > room:
            lacking = n_inserted - room
            raise no_room_for_inserted(row["id"], n_inserted, self.max_length, lacking)
        cut = cut_passage(row["passage"], offsets, row["inserted"], room)
        return shortened(row["passage"], row["inserted"], cut.position)

    def _wholes(self, row: Row, passage: str) -> list[_Whole]:
        texts = self.method.texts(passage, row["question"], tuple(row["options"]))
        found = self.tokenizer(
            [texts.prompt + answer for answer in texts.answers],
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            verbose=False,
        )
        wholes = []
        columns = ("input_ids", "offset_mapping", "special_tokens_mask")
        for option, item in enumerate(zip(*(found[name] for name in columns), strict=True)):
            ids, offsets, special = (np.array(values, dtype=np.int32) for values in item)
            is_answer = (special == 0) & (offsets[:, 1] > len(texts.prompt))
            if not np.any(is_answer):
                msg = (
                    f"row {row['id']!r}: option {LETTERS[option]} ({row['options'][option]!r})"
                    " makes no tokens, so it has no likelihood; drop the row"
                )
                raise ParameterError(msg)
            # Behind the answer a tokeniser may put an end-of-text token.
            first, last = np.flatnonzero(is_answer)[[0, -1]]
            wholes.append(_Whole(ids[: last + 1], int(last + 1 - first)))
        return wholes


def _n_shared(wholes: list[_Whole]) -> int:
    """How many tokens before the answers are the same for all options."""
    n_before = min(len(whole.ids) - whole.n_scored for whole in wholes)
    heads = np.stack([whole.ids[:n_before] for whole in wholes])
    differs = np.flatnonzero(np.any(heads != heads[0], axis=0))
    return int(differs[0]) if len(differs) else n_before
