"""Batches: which sequences go through the model together, and the tensors of a batch.

A batch is flat: one sequence an option, of as many questions as fit, whatever their numbers of
options. The model sees each as a question of one choice, tensors (n_sequences, 1, length), so that
no computing goes into padded options; `option_logits` brings the logits back into questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from mcrc_adversarial.encoding import EncodedQuestion
from mcrc_adversarial.encoding.matching import EncodedMatch
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.seeding import check_seed, stream_seed

# Items are sorted by length within blocks of this many mean batches, so that batches of an epoch
# are nearly free of padding and still differ from those of the next.
_BATCHES_A_BLOCK = 50
_VERSION = 1


def epoch_rng(seed: int, epoch: int) -> Random:
    """The generator that orders one epoch of training.

    Raises:
        ParameterError: the seed is not an int of at least 0.
    """
    key = str(epoch)
    return Random(stream_seed(check_seed(seed), "training-batches", _VERSION, "question", key))


def token_budget_batches(
    lengths: Sequence[int],
    budget: int,
    *,
    counts: Sequence[int] | None = None,
    rng: Random | None = None,
) -> list[list[int]]:
    """Group items of like length so that no batch has more than `budget` tokens, padding counted.

    Args:
        lengths: tokens of each item's longest sequence.
        budget: tokens of a batch at most: its number of sequences times its greatest length.
        counts: sequences of each item, one where None; a question's options stay together.
        rng: shuffles items before they are grouped, and the batches. Without it batches are
            sorted, the longest first: what does not fit into memory fails at once. A batch then
            also ends where lengths have fallen by 5 %, once a quarter of the budget is used.

    Returns:
        Indices of items, each in exactly one batch.

    Raises:
        ParameterError: one item alone has more tokens than the budget.
    """
    number = [1] * len(lengths) if counts is None else counts
    sizes = [length * count for length, count in zip(lengths, number, strict=True)]
    if max(sizes, default=0) > budget:
        msg = (
            f"token budget is {budget}, but item {sizes.index(max(sizes))} alone has"
            f" {max(sizes)} tokens; give at least that"
        )
        raise ParameterError(msg)
    items_a_batch = budget * len(sizes) // max(sum(sizes), 1)
    batches: list[list[int]] = []
    for block in _blocks(lengths, rng, _BATCHES_A_BLOCK * max(items_a_batch, 1)):
        batches += _filled(block, lengths, number, budget, is_sorted=rng is None)
    if rng is not None:
        rng.shuffle(batches)
    return batches


def question_batches(
    questions: Sequence[EncodedQuestion | EncodedMatch], budget: int, *, rng: Random | None = None
) -> list[list[int]]:
    """`token_budget_batches` of questions, each with all its options.

    Raises:
        ParameterError: one question alone has more tokens than the budget.
    """
    lengths = [max(question.lengths) for question in questions]
    counts = [question.n_sequences for question in questions]
    return token_budget_batches(lengths, budget, counts=counts, rng=rng)


def length_grouped_batches(
    lengths: Sequence[int], batch_size: int, *, rng: Random
) -> list[list[int]]:
    """Group items of like length into batches of `batch_size`, in random order.

    Args:
        lengths: tokens of each item's longest sequence.
        batch_size: items of a batch; one batch may be smaller.
        rng: shuffles items before they are grouped, and the batches.

    Returns:
        Indices of items, each in exactly one batch.

    Raises:
        ParameterError: `batch_size` is below 1.
    """
    if batch_size < 1:
        msg = f"batch_size is {batch_size}; it must be at least 1"
        raise ParameterError(msg)
    batches = [
        block[start : start + batch_size]
        for block in _blocks(lengths, rng, _BATCHES_A_BLOCK * batch_size)
        for start in range(0, len(block), batch_size)
    ]
    rng.shuffle(batches)
    return batches


def _blocks(lengths: Sequence[int], rng: Random | None, block_size: int) -> list[list[int]]:
    """Indices in blocks, each sorted by falling length; one block of all without `rng`."""
    order = list(range(len(lengths)))
    if rng is not None:
        rng.shuffle(order)
    else:
        block_size = max(1, len(order))
    starts = range(0, len(order), block_size)
    blocks = [order[start : start + block_size] for start in starts]
    return [sorted(block, key=lambda item: -lengths[item]) for block in blocks]


def _filled(
    block: list[int], lengths: Sequence[int], counts: Sequence[int], budget: int, *, is_sorted: bool
) -> list[list[int]]:
    """Cut a block, sorted by falling length, into batches within the budget."""
    batches: list[list[int]] = []
    n_sequences = longest = 0
    for item in block:
        is_full = (n_sequences + counts[item]) * longest > budget
        # A GPU is busy with a quarter of what fits; more would only add padding.
        is_uneven = lengths[item] < 0.95 * longest and n_sequences * longest >= budget / 4
        if not batches or is_full or (is_sorted and is_uneven):
            batches.append([])
            n_sequences, longest = 0, lengths[item]
        batches[-1].append(item)
        n_sequences += counts[item]
    return batches


def collate(
    questions: Sequence[EncodedQuestion],
    labels: Sequence[int] | None,
    pad_id: int,
    *,
    multiple_of: int = 1,
) -> dict[str, Tensor]:
    """The tensors of a batch of questions, in the flat layout.

    Args:
        questions: at least one; any numbers of options.
        labels: index of the right option of each question; None where it is not known.
        pad_id: the tokeniser's `pad_token_id`.
        multiple_of: the length is rounded up to a multiple of this (8 suits tensor cores).

    Returns:
        What the model takes, each of shape (n_sequences, 1, length): `input_ids`,
        `attention_mask`, and `token_type_ids` where the tokeniser has segments. Beside it
        `question_index` (n_sequences,), number of each sequence's question in the batch;
        `n_options` (n_questions,); and `labels` (n_questions,) unless None.
    """
    sequences = [
        (question, option) for question in questions for option in range(question.n_options)
    ]
    batch = collate_sequences(sequences, pad_id, multiple_of=multiple_of)
    counts = torch.tensor([question.n_options for question in questions])
    batch["question_index"] = torch.repeat_interleave(torch.arange(len(questions)), counts)
    batch["n_options"] = counts
    if labels is not None:
        batch["labels"] = torch.tensor(labels)
    return batch


def collate_sequences(
    sequences: Sequence[tuple[EncodedQuestion, int]], pad_id: int, *, multiple_of: int = 1
) -> dict[str, Tensor]:
    """What the model takes for some sequences, each of shape (n_sequences, 1, length).

    Args:
        sequences: questions and the option meant of each, at least one.
        pad_id: the tokeniser's `pad_token_id`.
        multiple_of: the length is rounded up to a multiple of this.
    """
    layout = sequences[0][0].layout
    token_lists = [question.sequence(option) for question, option in sequences]
    longest = max(map(len, token_lists))
    length = -(-longest // multiple_of) * multiple_of
    ids = np.full((len(sequences), length), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    segments = np.full_like(ids, layout.pad_segment)
    for row, ((question, option), tokens) in enumerate(zip(sequences, token_lists, strict=True)):
        first = length - len(tokens) if layout.padding_side == "left" else 0
        here = slice(first, first + len(tokens))
        ids[row, here] = tokens
        mask[row, here] = 1
        own_segments = question.segments(option)
        if own_segments is not None:
            segments[row, here] = own_segments
    found = {"input_ids": ids, "attention_mask": mask}
    if layout.segments is not None:
        found["token_type_ids"] = segments
    return {name: torch.from_numpy(values).unsqueeze(1) for name, values in found.items()}


def option_logits(flat_logits: Tensor, n_options: Tensor) -> Tensor:
    """Bring the logits of sequences back into questions.

    Args:
        flat_logits: one a sequence, shape (n_sequences,) or (n_sequences, 1).
        n_options: options of each question, shape (n_questions,), summing up to n_sequences.

    Returns:
        Logits in float32, shape (n_questions, greatest number of options), -inf where a question
        has no such option; gradients flow back.
    """
    width = int(n_options.max())
    exists = torch.arange(width, device=n_options.device) < n_options.unsqueeze(1)
    logits = flat_logits.new_full(exists.shape, -torch.inf, dtype=torch.float32)
    return logits.masked_scatter(exists, flat_logits.reshape(-1).float())


def option_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross entropy over the options that each question has; a scalar.

    Args:
        logits: from `option_logits`, shape (n_questions, n_options).
        labels: index of the right option, shape (n_questions,).
    """
    return cross_entropy(logits, labels)
