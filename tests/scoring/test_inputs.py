from __future__ import annotations

import re

import datasets
import needed
import numpy as np
import pytest

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import as_flags, as_indices, as_keys, as_letters, check_paired
from mcrc_adversarial.scoring.inputs import as_option_counts, check_clean_accuracy, numbered


@pytest.mark.parametrize(
    "values",
    [
        [0, 25, 3],
        (0, 25, 3),
        np.array([0, 25, 3], dtype=np.uint8),
        [np.int64(0), np.int32(25), 3],
        iter([0, 25, 3]),
        datasets.Dataset.from_dict({"label": [0, 25, 3]})["label"],
    ],
    ids=["list", "tuple", "array", "numpy items", "iterator", "dataset column"],
)
def test_as_indices_takes_integers_in_any_container(values):
    assert as_indices(values, "predictions").tolist() == [0, 25, 3]


def test_as_indices_takes_integer_tensors():
    needed.package("torch", "extra train")
    import torch

    assert as_indices(torch.tensor([2, 0]), "predictions").tolist() == [2, 0]


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (0.9, "float"),
        (1.0, "float"),
        (True, "bool"),
        (np.bool_(True), "bool"),
        (None, "NoneType"),
        (float("nan"), "float"),
        ("1", "str"),
        ("B", "str"),
        ([1], "list"),
    ],
)
def test_as_indices_refuses_what_is_no_integer(item, kind):
    message = rf"^predictions\[1\] is .* \({kind}.*\); an option index is needed"
    with pytest.raises(ScoringError, match=message):
        as_indices([0, item], "predictions")


@pytest.mark.parametrize(
    "values", [np.array([0.0, 1.0]), np.array([True, False]), np.array([[0, 1], [1, 0]])]
)
def test_as_indices_refuses_arrays_of_other_kinds(values):
    with pytest.raises(ScoringError, match=r"predictions\[0\] is .*an option index is needed"):
        as_indices(values, "predictions")


@pytest.mark.parametrize("index", [-1, 26, 10**30])
def test_as_indices_refuses_what_no_option_can_have(index):
    with pytest.raises(ScoringError, match=rf"references\[0\] is {index} .* lies in 0 to 25"):
        as_indices([index], "references")


@pytest.mark.parametrize(
    ("values", "kind"),
    [("AB", "str"), ({0: 1}, "dict"), ({0, 1}, "set"), (3, "int"), (None, "NoneType")],
)
def test_as_indices_refuses_what_has_no_order_or_is_no_list(values, kind):
    with pytest.raises(ScoringError, match=rf"^predictions is {kind}; it must be a list or array"):
        as_indices(values, "predictions")


def test_as_indices_refuses_an_array_without_dimension():
    with pytest.raises(ScoringError, match="predictions holds a single int"):
        as_indices(np.array(3), "predictions")


def test_as_letters_counts_from_a():
    assert as_letters(["A", "B", "Z"], "predictions").tolist() == [0, 1, 25]
    assert as_letters(np.array(["C"]), "predictions").tolist() == [2]


@pytest.mark.parametrize("item", ["a", "", "AB", " A", "1", "Ä", 0, None, True])
def test_as_letters_refuses_everything_but_one_capital(item):
    with pytest.raises(ScoringError, match=r"predictions\[0\] is .*one capital letter from A to Z"):
        as_letters([item], "predictions")


def test_as_flags_takes_booleans_only():
    assert as_flags(np.array([True, False]), "attacked").tolist() == [True, False]
    for item in (0, 1, "True", None, 1.0):
        with pytest.raises(ScoringError, match=r"attacked\[1\] is .*True or False is needed"):
            as_flags([True, item], "attacked")


def test_as_keys_takes_text_or_whole_numbers_of_one_kind():
    assert as_keys(["a", "b"], "passage_ids") == ["a", "b"]
    assert as_keys(np.array([3, 4]), "passage_ids") == [3, 4]
    keys = as_keys([np.int64(3), 4, np.uint8(5)], "passage_ids")
    assert keys == [3, 4, 5]
    assert {type(key) for key in keys} == {int}
    for items in (
        ["a", np.int64(1)],
        [np.bool_(True)],
        ["a", 1],
        [1, "a"],
        [None],
        [True],
        [1.5],
        ["a", None],
    ):
        with pytest.raises(ScoringError, match=r"passage_ids\[\d\] is .*one kind throughout"):
            as_keys(items, "passage_ids")


def test_numbered_counts_in_order_of_first_appearance():
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]


def test_option_counts_take_one_number_or_one_a_row():
    assert as_option_counts(4, 3).tolist() == [4, 4, 4]
    assert as_option_counts([2, 26]).tolist() == [2, 26]
    for counts, n_rows in ((1, 2), (27, 2), (True, 1), ([4, 1], 2), ([4.0], 1), ([None], 1)):
        with pytest.raises(ScoringError, match=r"n_options\[\d\] is .*2 to 26 options are allowed"):
            as_option_counts(counts, n_rows)
    with pytest.raises(ScoringError, match="n_options has 1 items, predictions 2"):
        as_option_counts([4], 2)


@pytest.mark.parametrize("value", [1, 1.0, 0.5, np.float32(0.5), 1e-9])
def test_clean_accuracy_may_be_any_positive_fraction(value):
    assert check_clean_accuracy(value) == float(value)


@pytest.mark.parametrize("value", [0, 0.0, -0.1, 1.0001, 75, float("nan"), float("inf")])
def test_clean_accuracy_outside_its_range_is_refused(value):
    with pytest.raises(ScoringError, match=r"clean_accuracy is .*above 0 and at most 1"):
        check_clean_accuracy(value)


@pytest.mark.parametrize("value", ["0.5", None, True, [0.5]])
def test_clean_accuracy_of_another_type_is_refused(value):
    with pytest.raises(ScoringError, match=r"clean_accuracy is .*a number is needed"):
        check_clean_accuracy(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clean_predictions", [0]),
        ("passage_ids", ["a", "b", "c"]),
        ("attacked", []),
        ("n_options", [4]),
    ],
)
def test_check_paired_wants_one_item_a_row(name, value):
    with pytest.raises(ScoringError, match=re.escape(f"{name} has {len(value)} items, pred")):
        check_paired(2, **{name: value})


def test_check_paired_finds_clean_predictions_outside_the_options():
    message = r"clean_predictions\[1\] is 3 \(int\); row 1 has 3 options, 0 to 2 \(A to C\)"
    with pytest.raises(ScoringError, match=message):
        check_paired(2, clean_predictions=[3, 3], n_options=[4, 3])
