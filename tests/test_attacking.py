import json
import pickle
import subprocess
import sys
from dataclasses import replace

import datasets
import numpy as np
import pytest
from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    IterableDataset,
    IterableDatasetDict,
    LargeList,
    List,
    Sequence,
    Value,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import ODD, ORDINARY, examples

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.errors import DataError, McrcError, ParameterError, UnknownNameError
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.rows import ATTACK_FEATURES, row

NAMES = ("addsent2opt-shuffle", "addsent2pas-shuffle", "pq-shuffle", "pq-remove")
EXAMPLES = (*ORDINARY, *ODD)


@pytest.fixture(autouse=True)
def no_progress_bars():
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


def own_row(example):
    """The row of the original, as a person may hold it."""
    return {name: value for name, value in row(example).items() if name not in ATTACK_FEATURES}


def race_row(example):
    return {
        "example_id": example.passage_id,
        "article": example.passage,
        "answer": LETTERS[example.label],
        "question": example.question,
        "options": list(example.options),
    }


def expected(name, some=EXAMPLES, **parameters):
    return [row(one, apply(attacks.get(name), one, **parameters)) for one in some]


def refused(error, function, *args, **kwargs):
    with pytest.raises(error) as caught:
        function(*args, **kwargs)
    assert isinstance(caught.value, McrcError)
    assert "\n" not in str(caught.value)
    return str(caught.value)


OWN = [own_row(one) for one in EXAMPLES]
RACE = [race_row(one) for one in EXAMPLES]


# The same rows as a config gives


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


# Kinds of dataset


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


# Columns and types


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


# Streams


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


# The cache


@pytest.fixture
def load(tmp_path):
    def load_(name="own", **changes):
        path = tmp_path / f"{name}.jsonl"
        if not path.exists():
            path.write_text("\n".join(json.dumps({**one, **changes}) for one in OWN))
        return Dataset.from_json(str(path), cache_dir=str(tmp_path / "cache"))

    return load_


def cache_files(dataset):
    return [one["filename"] for one in dataset.cache_files]


def test_an_equal_call_reads_the_cache(load, monkeypatch):
    table = load()
    first = attack(table, "q-shuffle", seed=3)
    assert cache_files(first) != cache_files(table)
    monkeypatch.setattr("mcrc_adversarial.attacking.records.apply_resolved", None)
    again = attack(load(), "q-shuffle", seed=3, shuffle_degree=0.65)
    assert cache_files(again) == cache_files(first)
    assert again.to_list() == first.to_list() == expected("q-shuffle", seed=3)
    assert again.features == first.features


def test_columns_that_a_map_leaves_out_may_have_the_names_of_race(load):
    table = load()
    theirs = table.rename_columns({"passage": "article", "options": "choices"})
    found = attack(theirs, "pq-shuffle", columns={"options": "choices"})
    for name, own in (("passage", "article"), ("question", "question")):
        assert list(found[own]) == list(attack(table, "pq-shuffle")[name])


def test_other_arguments_give_other_rows_from_the_cache(load, monkeypatch):
    table = load()
    runs = [
        attack(table, "pq-shuffle"),
        attack(table, "pq-shuffle", seed=1),
        attack(table, "pq-shuffle", shuffle_degree=0.9),
        attack(table, "q-shuffle"),
        attack(table, "pq-shuffle", columns={"id": None}),
        attack(load("other", level="high"), "pq-shuffle"),
    ]
    newer = replace(attacks.get("pq-shuffle"), version=99)
    monkeypatch.setitem(attacks._entries, "pq-shuffle", newer)
    runs.append(attack(table, "pq-shuffle"))

    assert len({tuple(cache_files(run)) for run in runs}) == len(runs)
    assert len({json.dumps(list(run["question"])) for run in runs[:2] + runs[4:5] + runs[-1:]}) == 4


@pytest.mark.parametrize(
    "module",
    ["mcrc_adversarial.builder.version", "mcrc_adversarial.attacking.records.ROWS_VERSION"],
)
def test_other_versions_give_new_rows(load, monkeypatch, module):
    table = load()
    before = attack(table, "q-shuffle")
    fake = "9.9.9" if module.endswith("VERSION") else lambda _: "9.9.9"
    monkeypatch.setattr(module, fake)
    assert cache_files(attack(table, "q-shuffle")) != cache_files(before)


def test_the_cache_is_found_again_by_another_process(load, tmp_path):
    table = load()
    first = attack(table, "q-shuffle", seed=3, num_proc=2)
    assert len(cache_files(first)) == 2
    script = (
        "import sys; from datasets import Dataset; from mcrc_adversarial.attacking import attack\n"
        "table = Dataset.from_json(sys.argv[1], cache_dir=sys.argv[2])\n"
        "print(*[one['filename'] for one in attack(table, 'q-shuffle', seed=3).cache_files])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "own.jsonl"), str(tmp_path / "cache")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == cache_files(first)


# What is refused


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


def test_processes_for_a_stream_are_refused():
    stream = Dataset.from_list(OWN).to_iterable_dataset()
    assert "leave num_proc out" in refused(ParameterError, attack, stream, "q-remove", num_proc=2)


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
