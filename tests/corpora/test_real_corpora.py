"""Counts and digests of the real corpora; skipped where MCRC_DATA_DIR is not set."""

import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import Source, _archives, corpora, find_source, read_split
from mcrc_adversarial.errors import CorpusNotFoundError

REAL = [corpus for corpus in corpora if corpus.splits and corpus.bundled is None]
# Of the others nobody of this project has seen a file, and so no digest is pinned.
NAMES = [corpus.name for corpus in REAL if any(pin.digest for pin in corpus.pins.values())]
UNSEEN = [corpus.name for corpus in REAL if corpus.name not in NAMES]
# RACE's training folder has 25,000 files; its levels come out of the same ones.
UNPACKED = [name for name in NAMES if not name.startswith("race")]


def found(name: str, data_dir: Path) -> Source:
    try:
        return find_source(corpora.get(name), data_dir)
    except CorpusNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def _listed() -> Iterator[None]:
    """Each archive's names are read once, not once for each corpus that is looked for in it."""
    members = lru_cache(lambda archive: tuple(_archives._members(archive)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            _archives,
            "holds",
            lambda archive, wanted: any(
                wanted(one.name) for one in members(archive) if not one.refusal
            ),
        )
        yield


def check_all_splits(source: Source) -> None:
    assert source.splits()
    for split in source.splits():
        pin = source.corpus.pins[split]
        rows = read_split(source.corpus, source, split)
        assert len(rows) == pin.questions
        assert {row.id.partition("/")[0] for row in rows} == {split}


@pytest.mark.parametrize("name", NAMES)
def test_real_corpus_has_the_published_counts_and_the_pinned_digest(
    name: str, data_dir: Path
) -> None:
    check_all_splits(found(name, data_dir))


@pytest.mark.usefixtures("_listed")
@pytest.mark.parametrize("name", UNSEEN)
def test_real_corpus_unseen_until_now_has_the_published_counts(
    name: str, any_data_dir: Path
) -> None:
    check_all_splits(found(name, any_data_dir))


def test_real_mcscript2_gives_the_splits_that_exist(data_dir: Path) -> None:
    source = found("mcscript2", data_dir)
    assert "validation" in source.splits()
    assert set(source.splits()) <= {"train", "validation", "test"}


def unpack(archives: list[Path], folder: Path) -> None:
    for path in archives:
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")


@pytest.mark.parametrize("name", UNPACKED)
def test_real_corpus_is_the_same_from_a_folder(name: str, data_dir: Path, tmp_path: Path) -> None:
    archives = [path for path in sorted(data_dir.rglob("*.tar.*")) if is_of(name, path)]
    if not archives:
        pytest.skip(f"no archive of {name} in {data_dir}")
    unpack(archives, tmp_path)
    check_all_splits(find_source(corpora.get(name), tmp_path))


def is_of(name: str, path: Path) -> bool:
    family = "mctest" if name in ("mc160", "mc500") else name
    stem = path.name.lower().split(".")[0].replace("_", "-")
    return stem in (family, f"nyu-{family}")


@pytest.mark.slow
def test_real_race_is_the_same_from_a_folder(data_dir: Path, tmp_path: Path) -> None:
    archives = [path for path in sorted(data_dir.rglob("*.tar.*")) if is_of("race", path)]
    if not archives:
        pytest.skip(f"no archive of race in {data_dir}")
    unpack(archives, tmp_path)
    check_all_splits(find_source(corpora.get("race"), tmp_path))
