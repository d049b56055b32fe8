"""The loading script: names, configs, columns, caching, errors."""

import json
import os
from pathlib import Path
from typing import Any

import datasets
import pytest

from mcrc_adversarial import attacks as attacks_module
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.builder import ROWS_VERSION, McrcAdversarial
from mcrc_adversarial.configs import config_names
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import DataError, ParameterError, UnknownNameError
from mcrc_adversarial.rows import features, row

OWN_ROWS = [
    {
        "id": f"own-{number}",
        "passage": f"Ivo sold {number} eggs at noon. Rain came at four. He walked home.",
        "question": "What did Ivo sell?",
        "options": ["eggs", "rain water", "his old home"],
        "label": 0,
    }
    for number in range(5)
]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))


def load(name: str | None, **arguments: Any) -> Any:
    return datasets.load_dataset("mcrc_adversarial", name, **arguments)


def write_own(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def test_config_names_are_the_loading_scripts() -> None:
    names = datasets.get_dataset_config_names("mcrc_adversarial")

    assert names == list(config_names())
    assert "race-addsent2opt-shuffle" in names
    assert len(names) == len(corpora) * (1 + len(attacks))


@pytest.mark.parametrize("attack", [None, *attacks.names()])
def test_config_of_sample_holds_the_attacked_examples(attack: str | None) -> None:
    corpus = corpora.get("sample")
    examples = read_split(corpus, find_source(corpus), "test")

    found = load("sample" if attack is None else f"sample-{attack}")

    assert list(found) == ["train", "validation", "test"]
    assert found["test"].features == features(corpus, attack and attacks.get(attack))
    expected = [
        row(example, attack and apply(attacks.get(attack), example)) for example in examples
    ]
    assert list(found["test"]) == expected


def test_seed_and_threshold_reach_the_attack() -> None:
    name = "sample-q-shuffle"
    default, seven = load(name, split="test"), load(name, split="test", seed=7)
    strict = load(name, split="test", shuffle_degree=0.85)

    assert default["question"] != seven["question"]
    assert default["id"] == seven["id"]
    assert min(degree for (degree,) in default["shuffle_degree"]) < 0.85
    assert min(degree for (degree,) in strict["shuffle_degree"]) > 0.85


def test_processes_streaming_and_slices_give_the_same_rows() -> None:
    name = "sample-addsent2opt-shuffle"
    one = load(name, split="test")
    two = load(name, split="test", num_proc=2, download_mode="force_redownload")
    streamed = load(name, split="test", streaming=True)
    slice_of_it = load(name, split="test[20:30]")

    assert list(two) == list(one)
    assert list(streamed) == list(one)
    assert streamed.features == one.features
    assert list(slice_of_it) == list(one)[20:30]


def test_original_and_attacked_configs_can_be_concatenated(tmp_path: Path) -> None:
    own = load("custom", data_files={"test": write_own(tmp_path / "own.jsonl", OWN_ROWS)})
    both = datasets.concatenate_datasets(
        [
            load("sample-q-remove", split="test").select_columns(own["test"].column_names),
            own["test"],
        ]
    )

    assert len(both) == 305
    assert both.features["label"].names[:4] == ["A", "B", "C", "D"]


def test_own_files_become_any_config(tmp_path: Path) -> None:
    path = write_own(tmp_path / "own.jsonl", OWN_ROWS)

    found = load("custom-addans2opt", data_files={"train": path, "probe": path})

    assert list(found) == ["train", "probe"]
    assert found["probe"][0]["options"] == ["eggs", "rain water eggs", "his old home eggs"]
    assert found["probe"]["id"] == [one["id"] for one in OWN_ROWS]


def test_own_files_with_other_columns(tmp_path: Path) -> None:
    rows = [{**one, "text": one["passage"]} for one in OWN_ROWS]
    for one in rows:
        del one["passage"]
    columns = {"id": "id", "passage": "text", "question": "question", "options": "options"}

    found = load(
        "custom",
        data_files=write_own(tmp_path / "own.jsonl", rows),
        columns={**columns, "label": "label"},
        split="train",
    )

    assert found["passage"] == [one["passage"] for one in OWN_ROWS]


def test_columns_that_a_map_leaves_out_may_have_the_names_of_race(tmp_path: Path) -> None:
    renamed = {"passage": "article", "options": "choices", "label": "answer"}
    rows = [{renamed.get(name, name): one[name] for name in one} for one in OWN_ROWS]
    theirs, ours = (tmp_path / name for name in ("theirs.jsonl", "ours.jsonl"))

    found = load("custom-p-shuffle", data_files=write_own(theirs, rows), split="train",
                 columns={"options": "choices"})  # fmt: skip

    expected = load("custom-p-shuffle", data_files=write_own(ours, OWN_ROWS), split="train")
    assert found.to_list() == expected.to_list()


@pytest.mark.parametrize("streaming", [False, True])
def test_bad_record_is_named_and_nothing_is_kept(tmp_path: Path, streaming: bool) -> None:
    path = write_own(tmp_path / "own.jsonl", [*OWN_ROWS, {**OWN_ROWS[0], "id": "x", "label": 3}])

    with pytest.raises(DataError, match=r"own\.jsonl, record 6: 'label' is 3"):
        list(load("custom", data_files=path, split="train", streaming=streaming))

    assert not list((tmp_path / "cache").rglob("*.arrow"))


def test_edited_file_gives_new_rows(tmp_path: Path) -> None:
    path = write_own(tmp_path / "own.jsonl", OWN_ROWS)
    stamp = Path(path).stat()
    before = load("custom", data_files=path, split="train")
    write_own(
        tmp_path / "own.jsonl", [{**one, "question": "What did Ada sell?"} for one in OWN_ROWS]
    )
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    after = load("custom", data_files=path, split="train")

    assert set(before["question"]) == {"What did Ivo sell?"}
    assert set(after["question"]) == {"What did Ada sell?"}


def test_cache_is_keyed_by_seed_parameters_and_attack_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def config_id(**arguments: Any) -> str:
        builder = datasets.load_dataset_builder("mcrc_adversarial", "sample-q-shuffle", **arguments)
        assert isinstance(builder, McrcAdversarial)
        return str(builder.config_id)

    default = config_id()
    others = [config_id(seed=1), config_id(shuffle_degree=0.7), config_id(allow_unverified=True)]
    others.append(config_id(skip_incomplete=True))
    newer = attacks_module.Attack(
        **{
            **{
                name: getattr(attacks.get("q-shuffle"), name)
                for name in attacks_module.Attack.__slots__
            },
            "version": 99,
        }
    )
    monkeypatch.setitem(attacks._entries, "q-shuffle", newer)
    others.append(config_id())

    assert config_id() == others[-1]
    assert default == "sample-q-shuffle-" + default.rsplit("-", 1)[1]
    assert len({default, *others}) == 6
    assert config_id(seed=0, shuffle_degree=0.65) == others[-1], "defaults, spelled out"


def test_changed_attack_gives_new_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load("sample-q-remove", split="test")

    def shout(example: Any, _: Any) -> attacks_module.Attacked:
        return attacks_module.Attacked(
            example.passage, example.question.upper(), example.options, (None,)
        )

    old = attacks.get("q-remove")
    changed = attacks_module.Attack(
        old.name, 2, old.paper, old.source, old.touches, old.summary, old.parameters, shout
    )
    monkeypatch.setitem(attacks._entries, "q-remove", changed)
    after = load("sample-q-remove", split="test")

    assert set(before["question"]) == {""}
    assert all(question.isupper() for question in after["question"])


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("sample-addsent2opt-shufle", {}, UnknownNameError, "did you mean sample-addsent2opt-s"),
        (None, {}, UnknownNameError, "no config is named"),
        ("sample", {"seed": True}, ParameterError, "seed is True"),
        ("sample-q-shuffle", {"seed": -1}, ParameterError, "seed is -1"),
        ("sample-q-shuffle", {"seed": 1.0}, ParameterError, "seed is 1.0"),
        ("sample-q-shuffle", {"shuffle_degree": 1}, ParameterError, "below 1"),
        ("sample-q-remove", {"shuffle_degree": 0.5}, ParameterError, "has no parameter"),
        ("sample", {"shuffle_degree": 0.5}, ParameterError, "'sample' is an original"),
        ("sample-q-shuffle", {"sede": 3}, ParameterError, "did you mean seed"),
        ("custom", {}, ParameterError, "data_files="),
        ("sample", {"data_files": "x.jsonl"}, ParameterError, "not data_files="),
    ],
)
def test_mistake_is_one_clear_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str | None,
    arguments: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_own(tmp_path / "x.jsonl", OWN_ROWS)

    with pytest.raises(error, match=message) as raised:
        load(name, **arguments)

    assert "\n" not in str(raised.value)


def test_two_versions_of_rows_do_not_share_a_cache() -> None:
    builder = datasets.load_dataset_builder("mcrc_adversarial", "sample")

    assert str(builder.config.version) == ROWS_VERSION
    assert ROWS_VERSION in builder.cache_dir
