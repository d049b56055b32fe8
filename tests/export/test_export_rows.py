"""Exported folders: their rows, their bytes, their card."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from exported_folders import ALL, SOME, build, tree
from tiny_corpus import NAME, SIZES

import mcrc_adversarial
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.configs import ConfigName, expand_configs
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import (
    ParameterError,
)
from mcrc_adversarial.export import Settings, attack_parameters, building, export, parquet, sharing
from mcrc_adversarial.export import folder as folder_module
from mcrc_adversarial.export.joined import Joined
from mcrc_adversarial.export.planning import plan
from mcrc_adversarial.export.sharing import batches
from mcrc_adversarial.rows import digest_rows, features, row


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize("attack", [None, *attacks.names()])
def test_export_writes_the_rows_that_each_example_gives(output: Path, attack: str | None) -> None:
    config = ConfigName(NAME, attack)

    build(output, str(config), seed=5)

    corpus = corpora.get(NAME)
    for split, size in SIZES.items():
        examples = read_split(corpus, find_source(corpus), split)
        made = [
            row(example, None if attack is None else apply(attacks.get(attack), example, 5))
            for example in examples
        ]
        file = pq.read_table(output / str(config) / f"{split}.parquet")
        columns = features(corpus, attack and attacks.get(attack))
        assert datasets.Features.from_arrow_schema(file.schema) == columns
        assert len(made) == size
        assert file.to_pylist() == made


@pytest.mark.usefixtures("raw")
def test_export_writes_row_groups_of_a_fixed_size(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 16)

    build(output, f"{NAME}-p-shuffle")

    metadata = pq.ParquetFile(output / f"{NAME}-p-shuffle" / "train.parquet").metadata
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert sizes == [16, 16, 8]
    assert metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.usefixtures("raw")
def test_export_stores_a_passage_once_for_all_its_questions(output: Path) -> None:
    build(output, "sample")

    column = pq.ParquetFile(output / "sample" / "train.parquet").metadata.row_group(0).column(2)
    examples = read_split(corpora.get("sample"), find_source(corpora.get("sample")), "train")
    assert column.path_in_schema == "passage"
    assert column.total_uncompressed_size < sum(len(one.passage) for one in examples) / 2


@pytest.mark.usefixtures("raw")
def test_export_is_read_by_the_plain_library_as_by_the_loading_script(
    output: Path, tmp_path: Path
) -> None:
    build(output, "sample-addsent2opt-shuffle", f"{NAME}-addsent2pas-shuffle", seed=2)
    cache = str(tmp_path / "cache")

    ours = datasets.load_dataset(
        "mcrc_adversarial", "sample-addsent2opt-shuffle", seed=2, cache_dir=cache
    )
    plain = datasets.load_dataset(str(output), "sample-addsent2opt-shuffle", cache_dir=cache)

    assert plain.keys() == ours.keys()
    for split in ours:
        assert plain[split].features == ours[split].features
        assert digest_rows(plain[split]) == digest_rows(ours[split])
    tiny = datasets.load_dataset(str(output), f"{NAME}-addsent2pas-shuffle", cache_dir=cache)
    assert tiny["train"].features == features(corpora.get(NAME))
    assert tiny.num_rows == SIZES


def test_export_needs_no_code_of_ours_to_be_read(output: Path) -> None:
    build(output, "sample-p-remove")
    code = (
        "import sys, datasets\n"
        f"rows = datasets.load_dataset({str(output)!r}, 'sample-p-remove', split='test')\n"
        "print(rows[0]['passage'] == '', rows.features['label'].names[-1], len(rows))\n"
        "print(any(name.startswith('mcrc') for name in sys.modules))\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=output,
        env={**os.environ, "HF_HOME": str(output.parent / "home")},
        capture_output=True,
        text=True,
        check=True,
    )

    size = len(read_split(corpora.get("sample"), find_source(corpora.get("sample")), "test"))
    assert run.stdout.split() == ["True", "Z", str(size), "False"]


@pytest.mark.usefixtures("raw")
def test_export_has_the_same_bytes_from_any_number_of_processes(tmp_path: Path) -> None:
    trees = [
        tree(build(tmp_path / str(number), ALL, *SOME, num_proc=number)) for number in (1, 2, 7)
    ]

    assert len(trees[0]) > 2 * len(attacks)
    assert trees[0] == trees[1] == trees[2]


# The training split has 720 questions, more than half of all: it alone is cut.
@pytest.mark.parametrize(("seconds_a_row", "n_parts"), [(0.001, 2 * 8), (1, 10 * 8)])
def test_export_shares_the_rows_of_one_long_file_among_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds_a_row: float, n_parts: int
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 90)
    monkeypatch.setattr(sharing, "_seconds", lambda job: seconds_a_row * len(job.examples()))
    joined: list[int] = []

    class Noted(Joined):
        def __init__(self, path: Path, n_parts: int, in_row_group: int) -> None:
            joined.append(n_parts)
            super().__init__(path, n_parts, in_row_group)

    monkeypatch.setattr(building, "Joined", Noted)
    configs = [ConfigName("sample", "charswap")]
    export(configs, tmp_path / "one")
    assert joined == []
    progress: list[tuple[int, int]] = []
    export(configs, tmp_path / "two", num_proc=2, progress=lambda *at: progress.append(at))

    assert joined == [n_parts]
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert progress[-1][0] == progress[-1][1] > 0
    assert not (tmp_path / "two" / folder_module.BUILDING).exists()


def test_parts_of_a_file_are_joined_in_their_order_whenever_they_are_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 4)
    sample = corpora.get("sample")
    examples = read_split(sample, find_source(sample), "test")[:9]
    parts = [tmp_path / f"{number}{parquet.PART_SUFFIX}" for number in range(5)]
    for part, some in zip(parts, parquet.cut(examples, 2), strict=True):
        parquet.write(sample, {part: None}, parquet.make(sample, some, [None]))
    at_once = tmp_path / "at_once.parquet"
    written = parquet.write(sample, {at_once: None}, parquet.make(sample, examples, [None]))

    joined = Joined(tmp_path / "whole.parquet", 5, 2)

    assert [joined.add(number, parts[number]) for number in (3, 0, 4)] == [False] * 3
    assert all(part.exists() for part in parts)
    assert not joined.add(1, parts[1])
    assert [part.exists() for part in parts] == [False, False, True, True, True]
    assert joined.add(2, parts[2])
    assert not any(part.exists() for part in parts)
    assert (tmp_path / "whole.parquet").read_bytes() == at_once.read_bytes()
    assert joined.arrow_bytes == written[at_once].arrow_bytes


def test_export_has_the_same_bytes_from_any_hash_seed(tmp_path: Path) -> None:
    here = tree(build(tmp_path / "here", *SOME))
    code = (
        "import sys\n"
        "from mcrc_adversarial.configs import expand_configs\n"
        "from mcrc_adversarial.export import export\n"
        "export(expand_configs(sys.argv[2:]), sys.argv[1], num_proc=2)\n"
    )
    for seed in ("0", "1"):
        there = tmp_path / seed
        subprocess.run(
            [sys.executable, "-c", code, str(there), *SOME],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(mcrc_adversarial.__file__).parent.parent,
            check=True,
        )
        assert tree(there) == here


@pytest.mark.usefixtures("raw")
def test_export_has_the_same_bytes_in_any_order_of_requests(tmp_path: Path) -> None:
    at_once = tree(build(tmp_path / "at_once", "sample", f"{NAME}-q-shuffle", "sample-p-remove"))
    one_by_one = tmp_path / "one_by_one"
    for name in ("sample-p-remove", f"{NAME}-q-shuffle", "sample"):
        build(one_by_one, name)

    assert tree(one_by_one) == at_once


@pytest.mark.usefixtures("raw")
def test_export_has_the_same_bytes_however_many_rows_are_attacked_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 16)
    at_once = tree(build(tmp_path / "at_once", ALL))

    monkeypatch.setattr(parquet, "_FEW", 5)

    assert tree(build(tmp_path / "few", ALL)) == at_once


@pytest.mark.parametrize(("num_proc", "sizes"), [(1, [4, 4, 4, 2]), (7, [2] * 7), (99, [1] * 14)])
def test_export_builds_configs_of_one_split_side_by_side(num_proc: int, sizes: list[int]) -> None:
    fourteen = expand_configs(["sample:*"])[:14]
    jobs = plan(fourteen, Settings())

    together = batches(jobs, num_proc)

    assert sorted(map(repr, jobs)) == sorted(repr(job) for batch in together for job in batch)
    assert all(len({(job.config.corpus, job.split) for job in batch}) == 1 for batch in together)
    assert [len(batch) for batch in together] == sizes * 3


def test_attack_parameters_go_to_the_attacks_that_have_them() -> None:
    found = attack_parameters(["p-remove", "p-shuffle"], {"shuffle_degree": 0.9})

    assert found == {"p-remove": {}, "p-shuffle": {"shuffle_degree": 0.9}}


def test_attack_parameters_that_no_attack_has_are_refused() -> None:
    with pytest.raises(ParameterError, match="none besides the seed"):
        attack_parameters(["p-remove"], {"shuffle_degree": 0.9})


@pytest.mark.usefixtures("raw")
def test_card_says_what_the_folder_holds(output: Path) -> None:
    build(output, NAME, f"{NAME}-ans2opt-shuffle", seed=11, splits=("test",))

    text = (output / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert head["license"] == "other"
    assert [one["config_name"] for one in head["configs"]] == [NAME, f"{NAME}-ans2opt-shuffle"]
    info = datasets.DatasetInfo._from_yaml_dict(head["dataset_info"][1])
    assert info.features == features(corpora.get(NAME))
    assert info.splits["test"].num_examples == SIZES["test"]
    assert "own terms (https://example.org/terms); it may NOT be passed on." in text
    assert "Say who wrote it." in text
    assert "@misc{tiny, title = {Tiny}}" in text
    assert "| 1 | 11 | shuffle_degree=0.65 | tiny |" in text
    assert re.search(rf"\| {NAME}-ans2opt-shuffle \| test \| {SIZES['test']} \| \d", text)
    assert not re.search(r"20\d\d-\d\d-\d\d", text)


def test_card_names_a_licence_that_the_hub_knows(output: Path) -> None:
    build(output, "sample-p-remove")

    text = (output / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---\n")[1])["license"] == "cc0-1.0"
