"""What `attack` refuses, and when."""

import pytest
from datasets import Dataset, DatasetDict
from rows_to_attack import OWN, expected, refused

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.errors import DataError, ParameterError, UnknownNameError
from mcrc_adversarial.rows import ATTACK_FEATURES


@pytest.mark.parametrize("num_proc", [None, 2])
def test_a_bad_row_is_refused_before_anything_is_written(load, tmp_path, num_proc):
    table = load(label=2, options=["a", "b"])
    before = sorted((tmp_path / "cache").rglob("*"))
    message = refused(DataError, attack, table, "q-shuffle", num_proc=num_proc)
    assert message.startswith("the dataset, row 0: 'label' is 2 (int); ")
    assert sorted((tmp_path / "cache").rglob("*")) == before


def test_a_bad_split_is_refused_before_the_first_is_written(load, tmp_path):
    good = load()
    bad = Dataset.from_list([*OWN, OWN[0]])
    before = sorted((tmp_path / "cache").rglob("*.arrow"))
    message = refused(DataError, attack, DatasetDict(train=good, test=bad), "q-shuffle")
    assert message.startswith(
        f"split 'test', row {len(OWN)}: 'id' is 'test/1-0', as in split 'test'"
    )
    assert sorted((tmp_path / "cache").rglob("*.arrow")) == before


def test_ids_may_repeat_across_splits():
    table = Dataset.from_list(OWN)
    attacked = attack(DatasetDict(train=table, test=table), "q-shuffle")
    assert attacked["train"].to_list() == attacked["test"].to_list() == expected("q-shuffle")


@pytest.mark.parametrize("column", ATTACK_FEATURES)
def test_a_column_of_ours_that_is_there_already_is_refused(column):
    table = Dataset.from_list([{**one, column: 1} for one in OWN])
    for one in (table, table.to_iterable_dataset()):
        message = refused(DataError, attack, one, "q-shuffle")
        assert f"an attack adds a column '{column}', which is there already" in message


@pytest.mark.parametrize(
    ("error", "changes", "message"),
    [
        (
            UnknownNameError,
            {"name": "q-shufle"},
            "no attack is called 'q-shufle'; did you mean q-sh",
        ),
        (ParameterError, {"seed": -1}, "seed is -1"),
        (ParameterError, {"seed": True}, "seed is True"),
        (ParameterError, {"shuffle_degree": 1}, "shuffle_degree is 1"),
        (ParameterError, {"shufle": 1}, "has no parameter 'shufle'; it takes shuffle_degree"),
        (ParameterError, {"num_proc": 0}, "num_proc is 0"),
        (DataError, {"columns": {"passage": "text"}}, "there is no 'text' for passage"),
        (DataError, {"dataset": OWN}, "the dataset is a list; it must be a Dataset, DatasetDict"),
        (DataError, {"dataset": {"a": OWN}}, "the dataset is a dict; it must be"),
        (DataError, {"dataset": DatasetDict(a=OWN)}, "split 'a' is a list; it must be"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(error, changes, message):
    arguments = {"dataset": Dataset.from_list(OWN), "name": "q-shuffle", **changes}
    assert message in refused(error, attack, **arguments)
