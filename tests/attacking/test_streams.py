"""Streams are attacked as they are read."""

import pickle

import datasets
import pytest
from datasets import Dataset, IterableDataset
from rows_to_attack import OWN, RACE, expected, refused

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.errors import DataError, ParameterError


def test_a_stream_is_read_when_it_is_used():
    seen = []

    def rows():
        for one in OWN:
            seen.append(one["id"])
            yield one

    features = Dataset.from_list(OWN).features
    stream = attack(IterableDataset.from_generator(rows, features=features), "q-remove")
    assert seen == []
    assert next(iter(stream)) == expected("q-remove")[0]
    assert list(stream) == expected("q-remove")


def test_an_original_s_stream_is_attacked_like_its_table():
    table = datasets.load_dataset("mcrc_adversarial", "sample", split="test")
    stream = attack(table.to_iterable_dataset(), "q-shuffle")

    assert list(stream) == attack(table, "q-shuffle").to_list()
    again = attack(
        datasets.load_dataset("mcrc_adversarial", "sample-q-shuffle", split="test", streaming=True),
        "p-remove",
    )
    with pytest.raises(DataError, match="a row was attacked before"):
        next(iter(again))


def test_a_stream_can_be_read_again_and_twice_at_once():
    stream = attack(Dataset.from_list(RACE + RACE).to_iterable_dataset(), "q-shuffle")
    once = list(stream)
    assert list(stream) == once
    assert [both[0] for both in zip(stream, stream, strict=True)] == once


def test_a_stream_can_be_shuffled_before_and_after():
    table = Dataset.from_list(OWN)
    by_id = {one["id"]: one for one in expected("q-shuffle")}
    before = attack(table.to_iterable_dataset().shuffle(seed=1, buffer_size=5), "q-shuffle")
    after = attack(table.to_iterable_dataset(), "q-shuffle").shuffle(seed=1, buffer_size=5)
    for stream in (before, after):
        for epoch in (0, 1):
            stream.set_epoch(epoch)
            rows = list(stream)
            assert {one["id"]: one for one in rows} == by_id
            assert [one["id"] for one in rows] != list(by_id)


def test_a_stream_finds_a_repeated_id_as_it_comes():
    stream = attack(Dataset.from_list([*OWN, OWN[2]]).to_iterable_dataset(), "q-remove")
    for _ in range(2):
        message = refused(DataError, list, stream)
        assert message.startswith(f"the dataset, row {len(OWN)}: 'id' is 'test/3-0', as in")
        assert "the dataset, row 2;" in message


def test_a_stream_without_rows_is_refused():
    empty = IterableDataset.from_generator(lambda: iter(()))
    assert "holds no row" in refused(DataError, attack, empty, "q-remove")


def test_an_attacked_stream_can_be_pickled():
    stream = attack(Dataset.from_list(OWN).to_iterable_dataset(), "q-shuffle")
    assert list(pickle.loads(pickle.dumps(stream))) == expected("q-shuffle")


def test_processes_for_a_stream_are_refused():
    stream = Dataset.from_list(OWN).to_iterable_dataset()
    assert "leave num_proc out" in refused(ParameterError, attack, stream, "q-remove", num_proc=2)
