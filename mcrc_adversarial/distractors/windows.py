"""Passages in windows: what an extractive model reads at once, the question in front of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transformers import PreTrainedTokenizerBase

from mcrc_adversarial.errors import ParameterError

# A question is left at least so many tokens.
_LEAST_QUESTION = 8


def check_fast(tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise unless the tokeniser tells where its tokens stand in the text.

    Raises:
        ParameterError: it does not.
    """
    if not tokenizer.is_fast:
        msg = f"{type(tokenizer).__name__} gives no offsets; take a model with a fast tokeniser"
        raise ParameterError(msg)


def check_length(max_length: int, config: Any) -> None:
    """Raise unless the model reads so many tokens at once.

    Raises:
        ParameterError: it has fewer positions.
    """
    positions = getattr(config, "max_position_embeddings", None)
    if type(positions) is int and 0 < positions < max_length:
        msg = f"max_length is {max_length}, but the model has {positions} positions; give fewer"
        raise ParameterError(msg)


def shortened(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], n_tokens: int) -> list[str]:
    """The texts without what is behind their first `n_tokens` tokens."""
    found = tokenizer(
        list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    return [
        text if len(offsets) <= n_tokens else text[: offsets[n_tokens - 1][1]]
        for text, offsets in zip(texts, found["offset_mapping"], strict=True)
    ]


def encode_windows(
    tokenizer: PreTrainedTokenizerBase,
    questions: Sequence[str],
    passages: Sequence[str],
    *,
    max_length: int,
    stride: int,
) -> Any:
    """Question and passage in tokens; a long passage in several windows that overlap.

    Args:
        tokenizer: a fast one.
        questions: those with more tokens than leave room for a passage lose their end.
        passages: as many.
        max_length: tokens of a window at most.
        stride: tokens that one window of a passage shares with the next.

    Returns:
        What the tokeniser returns: a window an item, with `offset_mapping`, and in
        `overflow_to_sample_mapping` the number of its question.

    Raises:
        ParameterError: `max_length` leaves no room.
    """
    n_special = tokenizer.num_special_tokens_to_add(pair=True)
    most = max_length - n_special - 2 * stride
    if stride < 0 or most < _LEAST_QUESTION:
        msg = (
            f"max_length is {max_length} and stride {stride}; a stride of at least 0 and a length"
            f" of at least twice the stride and {n_special + _LEAST_QUESTION} are needed"
        )
        raise ParameterError(msg)
    return tokenizer(
        shortened(tokenizer, questions, most),
        list(passages),
        truncation="only_second",
        max_length=max_length,
        stride=stride,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        verbose=False,
    )
