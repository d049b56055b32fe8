"""Exported folders: their rows, their bytes, and what becomes of them when they are disturbed."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from filelock import FileLock
from tiny_corpus import NAME, SIZES, add, raw_lines, remove, tiny_corpus

import mcrc_adversarial
from mcrc_adversarial import export as export_module
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.configs import ConfigName, expand_configs
from mcrc_adversarial.corpora import Corpus, Pin, corpora, find_source, read_split
from mcrc_adversarial.errors import (
    DataError,
    OutputError,
    ParameterError,
    UnknownNameError,
    VerificationError,
    WorkerError,
)
from mcrc_adversarial.export import Settings, attack_parameters, export, parquet
from mcrc_adversarial.export import folder as folder_module
from mcrc_adversarial.export.joined import Joined
from mcrc_adversarial.rows import digest_rows, features, row

ALL = f"{NAME}:*"
SOME = ("sample", "sample-addsent2opt-shuffle", "sample-p-remove")


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Path]:
    """The folder of the tiny corpus's raw files, while the corpus is registered."""
    folder = tmp_path / "raw"
    folder.mkdir()
    add(tiny_corpus(folder))
    yield folder
    remove(NAME)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out"


def build(output: Path, *names: str, num_proc: int = 1, **settings: object) -> Path:
    export(expand_configs(names), output, Settings(**settings), num_proc=num_proc)  # type: ignore[arg-type]
    return output


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def manifest(folder: Path) -> dict[str, dict[str, object]]:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {f"{one['config']}/{one['split']}.parquet": one for one in content["files"]}


def in_fork(function: Callable[[], object]) -> int:
    """Run in a process of its own; its exit code, negative for a signal."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
        process = multiprocessing.get_context("fork").Process(target=function)
        process.start()
    process.join(60)
    assert process.exitcode is not None
    return process.exitcode


# --- what is written


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


# --- the same bytes everywhere


@pytest.mark.usefixtures("raw")
def test_export_has_the_same_bytes_from_any_number_of_processes(tmp_path: Path) -> None:
    trees = [
        tree(build(tmp_path / str(number), ALL, *SOME, num_proc=number)) for number in (1, 2, 7)
    ]

    assert len(trees[0]) > 2 * len(attacks)
    assert trees[0] == trees[1] == trees[2]


def test_export_shares_the_rows_of_one_long_file_among_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 90)
    joined: list[int] = []

    class Noted(Joined):
        def __init__(self, path: Path, n_parts: int) -> None:
            joined.append(n_parts)
            super().__init__(path, n_parts)

    monkeypatch.setattr(export_module, "Joined", Noted)
    configs = [ConfigName("sample", "charswap")]
    export(configs, tmp_path / "one")
    assert joined == []
    progress: list[tuple[int, int]] = []
    export(configs, tmp_path / "two", num_proc=2, progress=lambda *at: progress.append(at))

    assert joined
    assert min(joined) > 1
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert progress[-1][0] == progress[-1][1] > 0
    assert not (tmp_path / "two" / folder_module.BUILDING).exists()


def test_parts_of_a_file_are_joined_in_their_order_whenever_they_are_ready(tmp_path: Path) -> None:
    examples = read_split(corpora.get("sample"), find_source(corpora.get("sample")), "test")[:6]
    parts = [tmp_path / f"{number}{parquet.PART_SUFFIX}" for number in range(3)]
    for number, part in enumerate(parts):
        some = examples[2 * number : 2 * number + 2]
        blocks = parquet.make(corpora.get("sample"), some, [None])
        parquet.write(corpora.get("sample"), {part: None}, blocks)

    joined = Joined(tmp_path / "whole.parquet", 3)

    assert [joined.add(number, parts[number]) for number in (2, 0)] == [False, False]
    assert [part.exists() for part in parts] == [False, True, True]
    assert joined.add(1, parts[1])
    assert not any(part.exists() for part in parts)
    ids = pq.read_table(tmp_path / "whole.parquet")["id"].to_pylist()
    assert ids == [example.id for example in examples]


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
    jobs = export_module._plan(fourteen, Settings())

    batches = export_module._batches(jobs, num_proc)

    assert sorted(map(repr, jobs)) == sorted(repr(job) for batch in batches for job in batch)
    assert all(len({(job.config.corpus, job.split) for job in batch}) == 1 for batch in batches)
    assert [len(batch) for batch in batches] == sizes * 3


# --- building again


def test_export_keeps_files_made_from_the_same_inputs(output: Path) -> None:
    build(output, *SOME)
    before = {path: path.stat().st_ino for path in output.rglob("*.parquet")}
    told: list[tuple[int, int]] = []

    records = export(expand_configs(SOME), output, progress=lambda *now: told.append(now))

    assert {path: path.stat().st_ino for path in output.rglob("*.parquet")} == before
    assert told == [(0, 0)]
    assert len(records) == len(before)


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"parameters": {"shuffle_degree": 0.9}}, {"verify": False}]
)
def test_export_builds_anew_what_was_made_from_other_inputs(
    output: Path, change: dict[str, object]
) -> None:
    build(output, "sample-addsent2opt-shuffle")
    before = manifest(output)

    build(output, "sample-addsent2opt-shuffle", **change)

    after = manifest(output)
    assert before.keys() == after.keys()
    assert all(before[path]["inputs"] != after[path]["inputs"] for path in after)
    assert (before == after) is False


def test_export_of_an_original_does_not_depend_on_the_seed(output: Path) -> None:
    before = tree(build(output, "sample"))

    assert tree(build(output, "sample", seed=9)) == before


def test_export_builds_anew_when_an_attack_has_a_new_version(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(output, "sample-q-shuffle")
    before = manifest(output)
    attack = attacks.get("q-shuffle")
    newer = replace(attack, version=attack.version + 1)
    monkeypatch.setitem(attacks._entries, "q-shuffle", newer)

    build(output, "sample-q-shuffle")

    after = manifest(output)
    assert all(before[path]["sha256"] != after[path]["sha256"] for path in after)


def test_export_builds_anew_when_a_raw_file_was_edited(raw: Path, output: Path) -> None:
    build(output, NAME)
    before = manifest(output)
    (raw / "test.jsonl").write_text(raw_lines("test", 5), encoding="utf-8")

    build(output, NAME)

    after = manifest(output)
    assert after[f"{NAME}/test.parquet"]["rows"] == 5
    assert before[f"{NAME}/test.parquet"]["inputs"] != after[f"{NAME}/test.parquet"]["inputs"]


@pytest.mark.parametrize("damage", ["altered", "cut", "removed"])
def test_export_builds_anew_what_is_no_longer_whole(output: Path, damage: str) -> None:
    before = tree(build(output, *SOME))
    path = output / "sample" / "test.parquet"
    content = path.read_bytes()
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(content[:-9] if damage == "cut" else content[:-1] + b"x")

    assert tree(build(output, *SOME)) == before


def test_export_keeps_the_other_configs_of_the_folder(output: Path) -> None:
    first = tree(build(output, "sample", "sample-q-shuffle"))

    second = tree(build(output, "sample-p-shuffle", seed=4))

    kept = [name for name in first if name.endswith(".parquet")]
    assert all(second[name] == first[name] for name in kept)
    assert len(second) == len(first) + 3
    assert "sample-q-shuffle" in datasets.get_dataset_config_names(str(output))


def test_export_forgets_a_config_that_was_removed_by_hand(output: Path) -> None:
    build(output, "sample", "sample-p-remove")
    for path in (output / "sample-p-remove").iterdir():
        path.unlink()

    build(output, "sample-q-remove")

    assert datasets.get_dataset_config_names(str(output)) == ["sample", "sample-q-remove"]


# --- folders that are not ours


def put(folder: Path, name: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine", encoding="utf-8")


@pytest.mark.parametrize("stray", ["notes.txt", "README.md", "sample/test.parquet", ".git/config"])
def test_export_refuses_a_folder_that_holds_anything_else(output: Path, stray: str) -> None:
    put(output, stray)
    before = tree(output)

    with pytest.raises(OutputError, match=stray.partition("/")[0]):
        build(output, "sample-p-remove")

    assert tree(output) == before
    assert not (output / ".building").exists()


@pytest.mark.parametrize("stray", ["notes.txt", "sample-p-remove/notes.txt", "race/test.parquet"])
def test_export_refuses_to_add_to_a_folder_that_holds_anything_else(
    output: Path, stray: str
) -> None:
    build(output, "sample-p-remove")
    put(output, stray)
    before = tree(output)

    with pytest.raises(OutputError, match="no export wrote"):
        build(output, "sample-p-remove", "sample")

    assert tree(output) == before


def test_export_passes_over_what_a_file_manager_leaves(output: Path) -> None:
    build(output, "sample-p-remove")
    put(output, ".DS_Store")
    put(output, "sample-p-remove/.DS_Store")

    build(output, "sample-p-remove", "sample-q-remove")

    assert len(manifest(output)) == 6


def test_export_refuses_the_package_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(mcrc_adversarial.__file__).parent
    monkeypatch.chdir(package.parent)

    for folder in (package, package / "exported", Path(package.name)):
        with pytest.raises(OutputError, match="package itself"):
            build(folder, "sample-p-remove")


def test_export_refuses_a_file_as_its_folder(output: Path) -> None:
    output.write_text("mine", encoding="utf-8")

    with pytest.raises(OutputError, match="is a file"):
        build(output, "sample-p-remove")
    with pytest.raises(OutputError, match="cannot be written"):
        build(output / "below", "sample-p-remove")


def test_export_refuses_to_leave_an_altered_file_among_its_own(output: Path) -> None:
    build(output, "sample", "sample-p-remove")
    (output / "sample" / "test.parquet").write_bytes(b"mine")
    before = tree(output)

    with pytest.raises(OutputError, match=r"'sample/test\.parquet' .* was altered"):
        build(output, "sample-p-remove", "sample-q-remove")

    assert tree(output) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is no manifest"),
        ("[]", "is no manifest"),
        ('{"schema_version": 1, "files": [{}]}', "is no manifest"),
        ('{"schema_version": 99, "files": []}', "schema version 99"),
    ],
)
def test_export_refuses_a_manifest_that_it_cannot_read(
    output: Path, content: str, message: str
) -> None:
    output.mkdir()
    (output / "manifest.json").write_text(content, encoding="utf-8")

    with pytest.raises(OutputError, match=message):
        build(output, "sample-p-remove")


def test_export_refuses_a_folder_that_another_one_is_writing_to(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "_PATIENCE", 0)
    building = output / ".building"
    building.mkdir(parents=True)

    with (
        FileLock(building / "lock"),
        pytest.raises(OutputError, match="another export is writing"),
    ):
        build(output, "sample-p-remove")


# --- bad input leaves nothing


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"splits": ("tset",)}, UnknownNameError, "'tset'.*did you mean test"),
        ({"splits": ("validation",)}, UnknownNameError, "'validation'"),
        ({"seed": -1}, ParameterError, "seed is -1"),
        ({"seed": True}, ParameterError, "seed is True"),
        ({"parameters": {"shuffle_degree": 1}}, ParameterError, "shuffle_degree is 1"),
        ({"parameters": {"degree": 0.5}}, ParameterError, "'degree'.*shuffle_degree"),
    ],
)
def test_export_writes_nothing_for_a_wrong_setting(
    output: Path, settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        build(output, f"{NAME}-p-shuffle", **settings)

    assert not output.exists()


@pytest.mark.parametrize("num_proc", [0, -1, True, 1.5])
def test_export_refuses_an_odd_number_of_processes(output: Path, num_proc: int) -> None:
    with pytest.raises(ParameterError, match="num_proc"):
        build(output, "sample", num_proc=num_proc)


def test_export_writes_nothing_for_broken_raw_files(raw: Path, output: Path) -> None:
    lines = raw_lines("test", 3)
    (raw / "test.jsonl").write_text(lines + lines, encoding="utf-8")

    with pytest.raises(DataError, match="test/0-0"):
        build(output, NAME)

    assert not output.exists()


def test_export_writes_nothing_for_a_corpus_that_is_not_the_published_one(
    raw: Path, output: Path
) -> None:
    remove(NAME)
    corpus = tiny_corpus(raw)
    object.__setattr__(corpus, "pins", {"test": Pin(3, SIZES["test"] + 1, "")})
    add(corpus)

    with pytest.raises(VerificationError, match="7 questions instead of 8"):
        build(output, NAME)
    assert not output.exists()

    build(output, NAME, verify=False)
    assert "NOT checked against the published one" in (output / "README.md").read_text("utf-8")


# --- disturbances


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize("num_proc", [1, 2])
def test_export_can_be_killed_at_every_step_and_goes_on(tmp_path: Path, num_proc: int) -> None:
    names = (f"{NAME}-p-remove", f"{NAME}-q-shuffle")
    build(tmp_path / "whole", "sample-p-remove", *names)
    whole = tree(tmp_path / "whole")
    rename = Path.replace

    for step in range(1, 12):
        output = build(tmp_path / f"step{step}", "sample-p-remove", names[0], seed=7)

        def until_killed(output: Path = output, step: int = step) -> None:
            count = 0

            def rename_or_die(unfinished: Path, target: Path) -> Path:
                nonlocal count
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return rename(unfinished, target)

            Path.replace = rename_or_die  # type: ignore[method-assign, assignment]
            build(output, "sample-p-remove", *names, num_proc=num_proc)

        assert in_fork(until_killed) == -signal.SIGKILL
        present = {path for path in tree(output) if not path.startswith(".building/")}
        # No file without a record, so that nothing is taken for a stranger's.
        assert present <= {"README.md", "manifest.json", *manifest(output)}
        assert tree(build(output, "sample-p-remove", *names)) == whole


@pytest.mark.usefixtures("raw")
def test_export_says_so_when_a_worker_is_killed_and_can_go_on(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tree(build(tmp_path / "whole", ALL))
    first, write = os.getpid(), export_module.write

    def killed(corpus: Corpus, files: dict[Path, Any], blocks: Any) -> object:
        assert os.getpid() != first
        if any("q-shuffle" in path.name for path in files):
            os.kill(os.getpid(), signal.SIGKILL)
        return write(corpus, files, blocks)

    with monkeypatch.context() as patch:
        patch.setattr(export_module, "write", killed)
        with pytest.raises(WorkerError, match="worker process was killed"):
            build(output, ALL, num_proc=2)

    assert not (output / ".building").exists()
    assert tree(build(output, ALL, num_proc=2)) == whole


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize("num_proc", [1, 2])
def test_export_keeps_whole_files_when_a_later_one_fails(
    output: Path, monkeypatch: pytest.MonkeyPatch, num_proc: int
) -> None:
    write = export_module.write

    def full_disk(corpus: Corpus, files: dict[Path, Any], blocks: Any) -> object:
        written = write(corpus, files, blocks)
        if any("q-shuffle.test" in path.name for path in files):
            raise OSError(28, "No space left on device")
        return written

    monkeypatch.setattr(export_module, "write", full_disk)
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        build(output, f"{NAME}-p-remove", f"{NAME}-q-shuffle", num_proc=num_proc)

    # With several processes, the failure may be noticed before anything else is done.
    assert num_proc > 1 or f"{NAME}-p-remove/train.parquet" in manifest(output)
    assert not (output / f"{NAME}-q-shuffle" / "test.parquet").exists()
    assert not (output / ".building").exists()


# --- parameters


def test_attack_parameters_go_to_the_attacks_that_have_them() -> None:
    found = attack_parameters(["p-remove", "p-shuffle"], {"shuffle_degree": 0.9})

    assert found == {"p-remove": {}, "p-shuffle": {"shuffle_degree": 0.9}}


def test_attack_parameters_that_no_attack_has_are_refused() -> None:
    with pytest.raises(ParameterError, match="none besides the seed"):
        attack_parameters(["p-remove"], {"shuffle_degree": 0.9})


# --- the card


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
