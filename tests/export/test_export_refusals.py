"""Folders that are not ours, and bad input, of which nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from exported_folders import build, manifest, tree
from filelock import FileLock
from tiny_corpus import NAME, SIZES, add, raw_lines, remove, tiny_corpus

import mcrc_adversarial
from mcrc_adversarial.corpora import Pin
from mcrc_adversarial.errors import (
    DataError,
    OutputError,
    ParameterError,
    UnknownNameError,
    VerificationError,
)
from mcrc_adversarial.export import folder as folder_module


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
