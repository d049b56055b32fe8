"""Mean surprisal of texts under a causal language model, in bits a word.

Not the surprisal of paper C, whose incremental parser (Roark et al. 2009) also parts it into
syntactic and lexical. A text longer than the model reads goes through in windows that overlap by
half, each token being scored once, with at least half a window before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import torch

from mcrc_adversarial.errors import ParameterError, ScoringError
from mcrc_adversarial.words import words

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_SHORTEST = 4


@torch.inference_mode()
def mean_surprisals(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    texts: Mapping[str, str],
    *,
    max_length: int = 1024,
    progress: Callable[[int, int], object] = lambda done, to_do: None,
) -> dict[str, float]:
    """Surprisal of each text, over the number of its words that hold a letter or digit.

    Args:
        model: any `AutoModelForCausalLM`, on the device where it is to run.
        tokenizer: the model's.
        texts: key -> text; texts without a word have no value.
        max_length: tokens of a window; no more than the model's positions.
        progress: called with texts done and to do.

    Raises:
        ParameterError: `max_length` is too small, or there is no token to begin a text with.
        ScoringError: a surprisal is not finite.
    """
    positions = getattr(model.config, "max_position_embeddings", None) or max_length
    window = min(max_length, positions)
    if window < _SHORTEST:
        msg = f"max_length is {max_length}; a window needs at least {_SHORTEST} tokens"
        raise ParameterError(msg)
    start = _start(tokenizer)
    model.eval()  # type: ignore[no-untyped-call]
    found = {}
    for number, (key, text) in enumerate(texts.items(), start=1):
        n_words = sum(any(map(str.isalnum, word)) for word in words(text))
        if n_words:
            ids = [start, *tokenizer(text, add_special_tokens=False)["input_ids"]]
            total = sum(_surprisal(model, part, begin) for part, begin in _windows(ids, window))
            if not math.isfinite(total):
                msg = f"text {key!r}: its surprisal is {total}; did the model overflow?"
                raise ScoringError(msg)
            found[key] = total / math.log(2) / n_words
        progress(number, len(texts))
    return found


def _start(tokenizer: PreTrainedTokenizerBase) -> int:
    """The token that a text begins with, so that its first word has a surprisal too."""
    start = tokenizer.bos_token_id
    start = tokenizer.eos_token_id if start is None else start
    if start is None:
        msg = "the tokenizer has neither a token for the beginning of a text nor for its end"
        raise ParameterError(msg)
    return int(str(start))


def _windows(ids: list[int], window: int) -> Iterator[tuple[list[int], int]]:
    """Windows, each with the place in it of the first token to score; every token but one once."""
    scored = 1
    start = 0
    while scored < len(ids):
        end = min(len(ids), start + window)
        yield ids[start:end], scored - start
        scored = end
        start = max(start + 1, end - window // 2)


def _surprisal(model: PreTrainedModel, ids: list[int], begin: int) -> float:
    """Sum over the tokens from `begin` on, in nats."""
    tokens = torch.tensor([ids], device=model.device)
    logits = model(input_ids=tokens).logits[0, begin - 1 : -1].float()
    log_probabilities = torch.log_softmax(logits, dim=-1)
    chosen = log_probabilities.gather(1, tokens[0, begin:, None])
    return -float(chosen.double().sum())
