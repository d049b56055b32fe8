from __future__ import annotations

from random import Random

import pytest
import tiny_models
from accelerate import skip_first_batches
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.encoding import EncodedQuestion, Encoder, encode_rows
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training.batches import (
    BatchPlan,
    Collator,
    EpochBatches,
    EpochLoader,
    TrainingQuestions,
    exactly,
)

ENCODER = Encoder(tiny_models.bert_tokenizer(), max_length=64)
QUESTIONS = encode_rows(tiny_models.rows(Random(1), 60), ENCODER)


def questions(number: int) -> list[EncodedQuestion]:
    return QUESTIONS[:number]


def epoch(
    plan: BatchPlan, number: int, n_questions: int, n_processes: int
) -> list[list[list[int]]]:
    """Batches of each process."""
    found = []
    for rank in range(n_processes):
        own = BatchPlan(
            plan.seed, plan.n_questions, plan.token_budget, plan.n_epochs, rank, n_processes
        )
        batches = EpochBatches(questions(n_questions), own)
        batches.set_epoch(number)
        found.append(list(batches))
        assert len(found[-1]) == len(batches)
    return found


@given(st.integers(4, 60), st.integers(1, 4), st.integers(1, 9), st.sampled_from([0, 400, 1500]))
def test_epoch_has_each_question_once_and_equally_many_batches_a_process(
    n_questions: int, n_processes: int, size: int, budget: int
) -> None:
    plan = BatchPlan(seed=3, n_questions=size, token_budget=budget, n_epochs=2)

    first, second = (epoch(plan, number, n_questions, n_processes) for number in (0, 1))

    for found in (first, second):
        assert {len(of_process) for of_process in found} == {len(first[0])}
        seen = [index for of_process in found for batch in of_process for index in batch]
        assert sorted(seen) == list(range(n_questions))
        assert all(batch for of_process in found for batch in of_process)


def test_batches_keep_to_the_token_budget() -> None:
    plan = BatchPlan(seed=0, n_questions=1, token_budget=900, n_epochs=3)
    for number in range(3):
        for of_process in epoch(plan, number, 60, 2):
            for batch in of_process:
                longest = max(max(QUESTIONS[index].lengths) for index in batch)
                n_sequences = sum(QUESTIONS[index].n_options for index in batch)
                assert longest * n_sequences <= 900


def test_batches_hold_questions_of_like_length() -> None:
    batches = epoch(BatchPlan(seed=0, n_questions=6), 0, 60, 1)[0]
    padded = real = 0
    for batch in batches:
        longest = max(max(QUESTIONS[index].lengths) for index in batch)
        padded += longest * sum(QUESTIONS[index].n_options for index in batch)
        real += sum(sum(QUESTIONS[index].lengths) for index in batch)

    assert real / padded > 0.85


def test_epochs_and_seeds_differ_and_repeat() -> None:
    plan = BatchPlan(seed=0, n_questions=4)
    first = epoch(plan, 0, 60, 1)

    assert epoch(plan, 0, 60, 1) == first
    assert epoch(plan, 1, 60, 1) != first
    assert epoch(BatchPlan(seed=1, n_questions=4), 0, 60, 1) != first


def test_fewer_questions_than_processes_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"2 training questions for 3 processes"):
        EpochBatches(questions(2), BatchPlan(seed=0, n_questions=1, n_processes=3))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.data())
def test_exactly_makes_as_many_batches_and_loses_nothing(
    sizes: list[int], data: st.DataObject
) -> None:
    numbers = iter(range(sum(sizes)))
    batches = [[next(numbers) for _ in range(size)] for size in sizes]
    wanted = data.draw(st.integers(1, sum(sizes)))

    found = exactly(batches, wanted)

    assert len(found) == wanted
    assert sorted(index for batch in found for index in batch) == list(range(sum(sizes)))
    assert all(found)


def loader(seed: int = 0) -> EpochLoader:
    data = TrainingQuestions(QUESTIONS, [0] * len(QUESTIONS))
    plan = BatchPlan(seed=seed, n_questions=7)
    return EpochLoader(
        data, batch_sampler=EpochBatches(QUESTIONS, plan), collate_fn=Collator(ENCODER)
    )


def test_loader_goes_on_in_the_middle_of_an_epoch() -> None:
    whole, started_later = loader(), loader()
    for one in (whole, started_later):
        one.set_epoch(1)
    rest = list(skip_first_batches(started_later, 3))

    for expected, found in zip(list(whole)[3:], rest, strict=True):
        assert expected["input_ids"].equal(found["input_ids"])


def test_loader_set_epoch_changes_the_batches() -> None:
    one = loader()
    first = [batch["labels"].shape for batch in one], next(iter(one))["input_ids"]
    one.set_epoch(1)

    assert not next(iter(one))["input_ids"].equal(first[1])
