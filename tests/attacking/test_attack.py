"""Any dataset in, the rows of an attacked config out."""

import datasets
import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rows_to_attack import EXAMPLES, NAMES, OWN, RACE, expected, own_row
from strategies import examples

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.rows import ATTACK_FEATURES


@pytest.mark.parametrize("name", attacks.names())
def test_attack_gives_the_rows_of_a_config(name):
    assert attack(Dataset.from_list(OWN), name).to_list() == expected(name)


def test_attack_passes_seed_and_parameters_on():
    name = "addsent2opt-shuffle"
    rows = attack(Dataset.from_list(OWN), name, seed=7, shuffle_degree=0.8).to_list()
    assert rows == expected(name, seed=7, shuffle_degree=0.8)
    assert rows != expected(name, seed=7)
    assert rows != expected(name, seed=0, shuffle_degree=0.8)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(example=examples(), name=st.sampled_from(attacks.names()), seed=st.integers(0, 2**70))
def test_attack_gives_the_rows_of_a_config_for_any_text(example, name, seed):
    stream = attack(
        IterableDataset.from_generator(lambda: iter([own_row(example)])), name, seed=seed
    )
    assert list(stream) == expected(name, [example], seed=seed)


@pytest.mark.parametrize("name", NAMES)
def test_attack_takes_race_as_it_is_on_the_hub(name):
    attacked = attack(Dataset.from_list(RACE), name)
    with_ids = attack(
        Dataset.from_list(
            [{**one, "native": ex.id} for one, ex in zip(RACE, EXAMPLES, strict=True)]
        ),
        name,
        columns={
            "passage": "article",
            "label": "answer",
            "id": "native",
            "passage_id": "example_id",
        },
    )
    assert attacked.column_names == [*RACE[0], *ATTACK_FEATURES]
    assert attacked["answer"] == [one["answer"] for one in RACE]
    pairs = {
        "article": "passage",
        "question": "question",
        "options": "options",
        "inserted": "inserted",
    }
    for theirs, ours in pairs.items():
        assert with_ids[theirs] == [one[ours] for one in expected(name)]


@pytest.mark.parametrize("name", NAMES)
def test_all_kinds_of_dataset_give_the_same_rows(name):
    table = Dataset.from_list(RACE)
    attacked = attack(table, name)
    stream = attack(table.to_iterable_dataset(num_shards=3), name)
    splits = attack(DatasetDict(a=table, b=table), name)
    streams = attack(IterableDatasetDict(a=table.to_iterable_dataset()), name)

    kinds = [type(one) for one in (attacked, stream, splits, streams)]
    assert kinds == [Dataset, IterableDataset, DatasetDict, IterableDatasetDict]
    rows = attacked.to_list()
    assert [list(stream), *map(list, splits.values()), list(streams["a"])] == [rows] * 4
    assert stream.features == attacked.features == splits["b"].features == streams["a"].features


@pytest.mark.parametrize("num_proc", [1, 2, 3])
def test_attack_with_processes_gives_the_same_rows(num_proc):
    table = Dataset.from_list(RACE + RACE[::-1])
    assert (
        attack(table, "pq-shuffle", num_proc=num_proc).to_list()
        == attack(table, "pq-shuffle").to_list()
    )


def test_attack_leaves_the_dataset_as_it_was():
    table = Dataset.from_list(OWN)
    attack(table, "p-remove")
    assert table.to_list() == OWN


def test_attack_keeps_split_and_info():
    table = Dataset.from_list(OWN, split="validation")
    table.info.description = "Mine"
    attacked = attack(table, "p-remove")
    assert (str(attacked.split), attacked.info.description) == ("validation", "Mine")


def test_attack_of_no_rows_gives_no_rows_with_all_columns():
    table = Dataset.from_list(OWN)
    attacked = attack(table.select([]), "p-shuffle")
    assert len(attacked) == 0
    assert attacked.features == attack(table, "p-shuffle").features


def test_attack_of_a_selection_uses_its_rows_alone():
    table = Dataset.from_list(RACE)
    picked = [7, 2, 2, 0]
    attacked = attack(table.select(picked), "q-shuffle").to_list()
    whole = attack(table, "q-shuffle").to_list()
    assert [attacked[0], attacked[1], attacked[3]] == [whole[7], whole[2], whole[0]]
    # The repeat has an id of its own, and so an order of its own.
    assert attacked[2]["answer"] == whole[2]["answer"]
    assert sorted(attacked[2]["question"].split()) == sorted(whole[2]["question"].split())


def test_exact_repeats_are_told_apart_whatever_the_batch_or_process():
    long = "one two three four five six seven eight nine ten eleven twelve thirteen"
    record = {**RACE[0], "question": long}
    table = Dataset.from_list([record] * 5)
    questions = attack(table, "q-shuffle")["question"]
    assert len(set(questions)) == 5
    assert attack(table, "q-shuffle", num_proc=3)["question"] == questions
    assert [
        one["question"] for one in attack(table.to_iterable_dataset(), "q-shuffle")
    ] == questions


def test_original_of_the_loading_script_becomes_its_attacked_config():
    original = datasets.load_dataset("mcrc_adversarial", "sample")

    attacked = attack(original, "q-shuffle", seed=3)

    expected = datasets.load_dataset("mcrc_adversarial", "sample-q-shuffle", seed=3)
    assert list(attacked) == list(expected)
    for split, rows in expected.items():
        assert (
            attacked[split].to_list() == rows.select_columns(attacked[split].column_names).to_list()
        )


def test_attacked_config_is_not_attacked_again():
    attacked = datasets.load_dataset("mcrc_adversarial", "sample-q-shuffle", split="test")

    with pytest.raises(DataError, match="attack the original"):
        attack(attacked, "p-shuffle")
