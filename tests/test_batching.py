from __future__ import annotations

from random import Random

import pytest
import tiny_models
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from transformers import BertForMultipleChoice, DataCollatorForMultipleChoice

from mcrc_adversarial.encoding import EncodedQuestion, Encoder, encode_rows
from mcrc_adversarial.encoding.batching import (
    collate,
    collate_sequences,
    epoch_rng,
    length_grouped_batches,
    option_logits,
    option_loss,
    question_batches,
    token_budget_batches,
)
from mcrc_adversarial.errors import ParameterError

BERT = tiny_models.bert_tokenizer()
torch.set_num_threads(1)
_ITEMS = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 5)), max_size=80)


def questions(n_rows: int, *, seed: int = 0) -> list[EncodedQuestion]:
    rows = tiny_models.rows(Random(seed), n_rows)
    return encode_rows(rows, Encoder(BERT, max_length=100))


def run(model: BertForMultipleChoice, batch: dict[str, Tensor]) -> Tensor:
    names = ("input_ids", "attention_mask", "token_type_ids")
    logits: Tensor = model(**{name: batch[name] for name in names}).logits
    return logits


@given(items=_ITEMS, spare=st.integers(0, 200), seed=st.none() | st.integers(0, 9))
def test_token_budget_batches_hold_each_item_once_within_the_budget(
    items: list[tuple[int, int]], spare: int, seed: int | None
) -> None:
    lengths = [length for length, _ in items]
    counts = [count for _, count in items]
    budget = max((length * count for length, count in items), default=1) + spare
    rng = None if seed is None else Random(seed)
    batches = token_budget_batches(lengths, budget, counts=counts, rng=rng)
    assert sorted(item for batch in batches for item in batch) == list(range(len(items)))
    for batch in batches:
        longest = max(lengths[item] for item in batch)
        assert longest * sum(counts[item] for item in batch) <= budget


def test_token_budget_batches_without_rng_start_with_the_longest() -> None:
    assert token_budget_batches([3, 9, 5, 9], 18) == [[1, 3], [2], [0]]


def test_token_budget_batches_without_rng_pad_little() -> None:
    lengths = [300, 299, 200, 200, 199, 100, 100]
    assert token_budget_batches(lengths, 1200) == [[0, 1], [2, 3, 4], [5, 6]]
    # A quarter of the budget is not used yet: padding is the lesser evil.
    assert token_budget_batches([100, 50, 50], 1200) == [[0, 1, 2]]


def test_token_budget_batches_names_an_item_above_the_budget() -> None:
    with pytest.raises(ParameterError, match="budget is 20, but item 1 alone has 24 tokens"):
        token_budget_batches([5, 8], 20, counts=[3, 3])


def test_token_budget_batches_waste_little_and_differ_by_epoch() -> None:
    rng = Random(0)
    lengths = [rng.randint(50, 400) for _ in range(2000)]
    first = token_budget_batches(lengths, 4096, rng=epoch_rng(0, 0))
    again = token_budget_batches(lengths, 4096, rng=epoch_rng(0, 0))
    second = token_budget_batches(lengths, 4096, rng=epoch_rng(0, 1))
    assert first == again
    assert {frozenset(batch) for batch in first} != {frozenset(batch) for batch in second}
    padded = sum(max(lengths[item] for item in batch) * len(batch) for batch in first)
    assert padded < 1.05 * sum(lengths)
    # Long and short batches come mixed: no trend over the epoch.
    longest = [max(lengths[item] for item in batch) for batch in first]
    half = len(longest) // 2
    means = [sum(part) / len(part) for part in (longest[:half], longest[half:])]
    assert abs(means[0] - means[1]) < 60


@given(
    lengths=st.lists(st.integers(1, 50), max_size=120),
    batch_size=st.integers(1, 9),
    seed=st.integers(0, 5),
)
def test_length_grouped_batches_hold_each_item_once(
    lengths: list[int], batch_size: int, seed: int
) -> None:
    batches = length_grouped_batches(lengths, batch_size, rng=Random(seed))
    assert sorted(item for batch in batches for item in batch) == list(range(len(lengths)))
    smaller = [batch for batch in batches if len(batch) != batch_size]
    assert len(smaller) <= 1
    assert all(len(batch) < batch_size for batch in smaller)


def test_length_grouped_batches_refuse_a_batch_of_nothing() -> None:
    with pytest.raises(ParameterError, match="batch_size is 0"):
        length_grouped_batches([1], 0, rng=Random(0))


def test_question_batches_keep_options_together() -> None:
    encoded = questions(60)
    batches = question_batches(encoded, 800, rng=Random(0))
    assert sorted(item for batch in batches for item in batch) == list(range(60))
    for batch in batches:
        lengths = collate([encoded[item] for item in batch], None, 0)["input_ids"].shape
        assert lengths[0] * lengths[2] <= 800


def test_epoch_rng_refuses_a_bool() -> None:
    with pytest.raises(ParameterError):
        epoch_rng(True, 0)


def test_collate_pads_what_the_tokenizer_pads() -> None:
    encoded = questions(7)
    batch = collate(encoded, None, BERT.pad_token_id, multiple_of=8)
    features = [
        {"input_ids": ids, "token_type_ids": types}
        for question in encoded
        for ids, types in zip(question.input_ids, question.token_type_ids or [], strict=True)
    ]
    expected = BERT.pad(features, pad_to_multiple_of=8, return_tensors="pt")
    for name, values in expected.items():
        assert torch.equal(batch[name].squeeze(1), values), name
    assert batch["input_ids"].shape[1:] == (1, batch["input_ids"].shape[2])
    assert batch["n_options"].tolist() == [question.n_options for question in encoded]
    owners = batch["question_index"]
    assert torch.equal(torch.bincount(owners), batch["n_options"])
    assert owners.tolist() == sorted(owners.tolist())
    assert "labels" not in batch


def test_collate_pads_on_the_side_of_the_tokenizer() -> None:
    tokenizer = tiny_models.xlnet_tokenizer()
    encoder = Encoder(tokenizer, max_length=64)
    encoded = encode_rows(tiny_models.rows(Random(2), 5), encoder)
    batch = collate(encoded, None, encoder.pad_id)
    ids = [ids for question in encoded for ids in question.input_ids]
    expected = tokenizer.pad({"input_ids": ids}, return_tensors="pt")
    assert torch.equal(batch["input_ids"].squeeze(1), expected["input_ids"])
    assert torch.equal(batch["attention_mask"].squeeze(1), expected["attention_mask"])
    assert (batch["attention_mask"][:, 0, -1] == 1).all()


def test_collate_gives_no_segments_to_a_tokenizer_without() -> None:
    tokenizer = tiny_models.roberta_tokenizer()
    encoder = Encoder(tokenizer, max_length=64)
    encoded = encode_rows(tiny_models.rows(Random(2), 2), encoder)
    assert "token_type_ids" not in collate(encoded, [0, 1], encoder.pad_id)


def uniform_batch() -> tuple[list[EncodedQuestion], list[int]]:
    rng = Random(5)
    rows = [
        tiny_models.row(
            number,
            passage=tiny_models.text(rng, rng.randint(1, 30)),
            options=[tiny_models.text(rng, rng.randint(1, 5)) for _ in range(4)],
            label=rng.randrange(4),
        )
        for number in range(6)
    ]
    return encode_rows(rows, Encoder(BERT, max_length=64)), [one["label"] for one in rows]


def test_flat_batch_gives_the_logits_loss_and_gradients_of_the_stock_form() -> None:
    encoded, labels = uniform_batch()
    model = tiny_models.bert(BERT)
    features = [
        {"input_ids": one.input_ids, "token_type_ids": one.token_type_ids, "label": label}
        for one, label in zip(encoded, labels, strict=True)
    ]
    stock = model(**DataCollatorForMultipleChoice(BERT)(features))
    stock.loss.backward()
    gradients = [weight.grad.clone() for weight in model.parameters() if weight.grad is not None]
    model.zero_grad()
    batch = collate(encoded, labels, BERT.pad_token_id)
    logits = option_logits(run(model, batch), batch["n_options"])
    loss = option_loss(logits, batch["labels"])
    loss.backward()
    assert logits.shape == (6, 4)
    assert logits.std() > 0.1
    torch.testing.assert_close(logits, stock.logits)
    torch.testing.assert_close(loss, stock.loss)
    ours = [weight.grad for weight in model.parameters() if weight.grad is not None]
    assert len(ours) == len(gradients) > 10
    torch.testing.assert_close(ours, gradients)


def test_mixed_batch_gives_each_question_the_logits_it_has_alone() -> None:
    encoded = questions(12, seed=3)
    assert len({question.n_options for question in encoded}) > 2
    labels = [question.n_options - 1 for question in encoded]
    model = tiny_models.bert(BERT)
    batch = collate(encoded, labels, 0)
    logits = option_logits(run(model, batch), batch["n_options"])
    losses = []
    for number, question in enumerate(encoded):
        alone = collate([question], None, 0)
        own = run(model, alone).reshape(-1)
        torch.testing.assert_close(logits[number, : question.n_options], own)
        assert torch.isneginf(logits[number, question.n_options :]).all()
        losses.append(torch.nn.functional.cross_entropy(own, torch.tensor(labels[number])))
    torch.testing.assert_close(option_loss(logits, batch["labels"]), torch.stack(losses).mean())


@settings(max_examples=30)
@given(counts=st.lists(st.integers(2, 26), min_size=1, max_size=12))
def test_option_logits_puts_each_logit_in_its_place(counts: list[int]) -> None:
    flat = torch.arange(sum(counts), dtype=torch.bfloat16, requires_grad=True)
    logits = option_logits(flat.unsqueeze(1), torch.tensor(counts))
    assert logits.dtype == torch.float32
    assert logits.shape == (len(counts), max(counts))
    assert torch.equal(logits[logits.isfinite()], flat.float())
    assert logits.isfinite().sum(1).tolist() == counts
    option_loss(logits, torch.tensor([0] * len(counts))).backward()
    assert flat.grad is not None
    assert flat.grad.isfinite().all()


def test_collate_sequences_takes_single_options() -> None:
    encoded = questions(3)
    batch = collate_sequences([(encoded[2], 1), (encoded[0], 0)], 0)
    for number, ids in enumerate((encoded[2].input_ids[1], encoded[0].input_ids[0])):
        assert batch["input_ids"][number, 0, : len(ids)].tolist() == ids
        assert int(batch["attention_mask"][number].sum()) == len(ids)
