"""Encoded texts in padded batches, for the models that find or write distractors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from transformers import PreTrainedTokenizerBase

from mcrc_adversarial.distractors.questions import Report
from mcrc_adversarial.encoding.batching import token_budget_batches

_MULTIPLE = 8


def padded_batches(
    encoded: Any,
    names: Sequence[str],
    tokenizer: PreTrainedTokenizerBase,
    device: torch.device,
    *,
    token_budget: int,
    report: Report,
) -> Iterator[tuple[list[int], Any]]:
    """Texts of like length together: their places, and the model's inputs (n_texts, length).

    Args:
        encoded: what the tokeniser gave for all texts.
        names: of what in it the model takes.
        tokenizer: that gave it.
        device: of the model.
        token_budget: tokens of a batch at most, padding counted.
        report: called with texts done and texts to do when the next batch is asked for.
    """
    lengths = [len(ids) for ids in encoded["input_ids"]]
    done = 0
    for batch in token_budget_batches(lengths, token_budget):
        padded = tokenizer.pad(
            {name: [encoded[name][index] for index in batch] for name in names},
            pad_to_multiple_of=_MULTIPLE,
            return_tensors="pt",
        )
        yield batch, padded.to(device)
        done += len(batch)
        report(done, len(lengths))
