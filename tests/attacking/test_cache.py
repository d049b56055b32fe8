"""Attacked rows are made once."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from rows_to_attack import expected

from mcrc_adversarial.attacking import attack
from mcrc_adversarial.attacks import attacks


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
