"""What becomes of a dataset's columns, types and format."""

import json

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Features, LargeList, List, Sequence, Value
from rows_to_attack import OWN, expected, refused
from strategies import ORDINARY

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.rows import ATTACK_FEATURES


def typed(**types):
    base = {
        "text": Value("string"),
        "question": Value("string"),
        "choices": List(Value("string")),
        "key": Value("string"),
    }
    return Features({**base, **types})


TYPED = [
    {"text": one.passage, "question": one.question, "choices": list(one.options)[:2], "key": "A"}
    for one in ORDINARY
]
COLUMNS = {"passage": "text", "options": "choices", "label": "key"}


@pytest.mark.parametrize(
    "types",
    [
        {},
        {"choices": Sequence(Value("string"))},
        {"choices": LargeList(Value("string"))},
        {"choices": LargeList(Value("large_string")), "text": Value("large_string")},
        {"choices": List(Value("string"), length=2)},
        {"key": ClassLabel(names=["A", "B"])},
        {"key": ClassLabel(names=["first", "second"])},
        {"key": Value("int8")},
        {"key": Value("uint64")},
    ],
)
def test_attack_keeps_the_types_of_columns(types):
    as_number = isinstance(types.get("key"), ClassLabel) or "int" in str(types.get("key"))
    rows = [{**one, "key": 0} for one in TYPED] if as_number else TYPED
    table = Dataset.from_list(rows, features=typed(**types))
    attacked = attack(table, "addans2opt-shuffle", columns=COLUMNS)
    assert attacked.features == Features({**table.features, **ATTACK_FEATURES})
    assert attacked["key"] == table["key"]
    plain = attack(Dataset.from_list(TYPED), "addans2opt-shuffle", columns=COLUMNS)
    assert attacked["choices"] == plain["choices"]
    stream = attack(table.to_iterable_dataset(), "addans2opt-shuffle", columns=COLUMNS)
    assert list(stream) == attacked.to_list()
    assert stream.features == attacked.features


def test_attack_writes_each_option_into_its_own_column():
    columns = {"options": ["A", "B", "C", "D"]}
    rows = []
    for one in OWN:
        cells = dict(zip("ABCD", one["options"], strict=False))
        if len(one["options"]) <= 4 and all(one["options"]):
            rest = {name: value for name, value in one.items() if name != "options"}
            rows.append({**rest, **dict.fromkeys("ABCD"), **cells})
    attacked = attack(Dataset.from_list(rows), "addsent2opt-shuffle", columns=columns)

    by_id = {one["id"]: one["options"] for one in expected("addsent2opt-shuffle")}
    found = [[row_[letter] for letter in "ABCD"] for row_ in attacked]
    assert found == [(by_id[one["id"]] + [None, None])[:4] for one in rows]
    assert any(options[3] is None for options in found)


def test_attack_writes_options_in_json_as_json():
    rows = [{**one, "options": json.dumps(one["options"])} for one in OWN]
    attacked = attack(Dataset.from_list(rows), "ans2opt-shuffle")
    assert [json.loads(text) for text in attacked["options"]] == [
        one["options"] for one in expected("ans2opt-shuffle")
    ]
    untouched = attack(Dataset.from_list(rows), "p-shuffle")
    assert untouched["options"] == [one["options"] for one in rows]


def test_attack_keeps_json_as_it_was_written_where_it_alters_no_option():
    texts = ['["one",  "two"]', '[ "\\u00e9\\u00e8", "b c d" ]']
    rows = [{**OWN[0], "options": text, "label": 0, "id": text} for text in texts]
    attacked = attack(Dataset.from_list(rows), "ans2opt-shuffle")
    assert attacked["attacked"] == [False, False]
    assert attacked["options"] == texts


def test_attack_keeps_other_columns_untouched():
    table = Dataset.from_dict(
        {
            **{name: [one[name] for one in OWN] for name in OWN[0]},
            "votes": [[1, None]] * len(OWN),
            "meta": [{"a": {"b": 1.5}, "c": "x\u0000y"}] * len(OWN),
            "when": np.arange(len(OWN)).astype("datetime64[ns]"),
        }
    )
    attacked = attack(table, "pq-remove")
    assert attacked.select_columns(["votes", "meta", "when", "label"]).to_list() == (
        table.select_columns(["votes", "meta", "when", "label"]).to_list()
    )
    assert attacked.column_names == [*table.column_names, *ATTACK_FEATURES]


def test_attack_keeps_a_format_and_is_not_misled_by_it():
    table = Dataset.from_list(OWN)
    plain = attack(table, "p-shuffle").to_list()
    for formatted in (
        table.with_format("numpy"),
        table.with_format("pandas"),
        table.with_format("numpy", columns=["question"]),
        table.with_format("numpy", columns=["question"], output_all_columns=True, dtype="float32"),
    ):
        attacked = attack(formatted, "p-shuffle")
        assert attacked.with_format(None).to_list() == plain
        before, after = dict(formatted.format), dict(attacked.format)
        assert after.pop("columns") == [*before.pop("columns"), *ATTACK_FEATURES]
        assert after == before


@pytest.mark.parametrize("kind", ["numpy", "arrow", "pandas"])
def test_attack_keeps_the_format_of_a_stream(kind):
    stream = Dataset.from_list(OWN).to_iterable_dataset()
    attacked = attack(stream.with_format(kind), "p-shuffle")
    assert list(attacked.with_format(None)) == list(attack(stream, "p-shuffle"))
    assert type(next(iter(attacked))) is type(next(iter(stream.with_format(kind))))


def test_attack_of_a_transformed_dataset_reads_its_own_rows():
    table = Dataset.from_list(OWN).with_transform(lambda batch: {"n": [1] * len(batch["id"])})
    attacked = attack(table, "p-remove")
    assert attacked[0] == {"n": 1}
    assert attacked.with_format(None).to_list() == expected("p-remove")


@pytest.mark.parametrize(
    "names", [["A", "C", "D"], ["b", "a"], ["0", "2"], ["2", "1", "3"], ["B", "C"]]
)
def test_classes_whose_numbers_are_not_those_of_options_are_refused(names):
    features = typed(key=ClassLabel(names=names))
    table = Dataset.from_list([{**one, "key": 1} for one in TYPED], features=features)
    message = refused(DataError, attack, table, "q-remove", columns=COLUMNS)
    assert message.startswith(f"the dataset: the classes of 'key' are {', '.join(names)}, so that")


@pytest.mark.parametrize(
    "names", [["1", "2", "3"], ["0", "1"], ["a", "b"], ["yes", "no"], ["AB", "A"]]
)
def test_other_classes_stand_for_their_numbers(names):
    features = typed(key=ClassLabel(names=names))
    table = Dataset.from_list([{**one, "key": 1} for one in TYPED], features=features)
    attacked = attack(table, "addans2opt", columns=COLUMNS)
    assert [one["choices"][1] for one in attacked] == [one["choices"][1] for one in TYPED]


def test_attack_with_a_lineage_adds_its_column_and_refuses_another_of_that_name():
    table = Dataset.from_list(OWN)
    attacked = attack(table, "charswap")
    assert attacked.column_names == [*table.column_names, *ATTACK_FEATURES, "lineage"]
    assert any(attacked["lineage"])
    assert attack(table.select([]), "charswap").features == attacked.features

    taken = table.add_column("lineage", ["mine"] * len(table))
    with pytest.raises(DataError, match="an attack adds a column 'lineage', which is there"):
        attack(taken, "charswap")
    assert attack(taken, "q-shuffle")["lineage"] == ["mine"] * len(table)
