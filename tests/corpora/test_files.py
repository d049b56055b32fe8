import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest

from mcrc_adversarial.corpora import Corpus, Licence, RawFile, corpora, find_source
from mcrc_adversarial.errors import ArchiveError, CorpusNotFoundError, DataError
from mcrc_adversarial.example import Example

RACE = corpora.get("race-high")
ONE = json.dumps(
    {"article": "A.", "questions": ["Q?"], "options": [["a", "b", "c", "d"]], "answers": ["A"]}
)
TREE = {f"RACE/test/high/{number}.txt": ONE for number in (1, 2, 10)}


def read_names(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    for file in files:
        yield Example(f"{split}/{file.path}", "p", file.text(), "?", ("a", "b"), 0)


PLAIN = Corpus(
    name="plain",
    title="Plain",
    version=1,
    splits={"train": (r"(^|/)train\.txt$",), "test": (r"(^|/)test\.txt$", r"(^|/)test\.key$")},
    read=read_names,
    row_order="as found",
    n_options="2",
    licence=Licence("CC0-1.0", "", redistribution=True),
    homepage="https://example.org/plain",
    citation="",
    hints=("plain",),
    rivals=("plain2",),
)


def contents(corpus: Corpus, data_dir: Path, split: str) -> list[bytes]:
    return [file.content for file in find_source(corpus, data_dir).read(split)]


def test_find_reads_folders_and_archives_alike(store) -> None:
    files = find_source(RACE, store("race", TREE)).read("test")
    assert [file.content for file in files] == [ONE.encode()] * 3
    names = [file.path.rpartition("/")[2] for file in files]
    assert names == ["1.txt", "2.txt", "10.txt"]


def test_find_shows_where_a_member_of_an_archive_stands(tmp_path: Path, write_tar) -> None:
    archive = write_tar(tmp_path / "race.tar.xz", TREE)
    file = find_source(RACE, tmp_path).read("test")[0]
    assert file.path == f"{archive.as_posix()}!RACE/test/high/1.txt"


def test_find_reads_three_archives_as_one_corpus(tmp_path: Path, write_tar) -> None:
    write_tar(tmp_path / "RACE.test.tar.xz", TREE)
    write_tar(tmp_path / "RACE.dev.tar.gz", {"RACE/dev/high/1.txt": ONE})
    write_tar(tmp_path / "deep" / "er" / "RACE.train.tar", {"RACE/train/high/1.txt": ONE})
    assert find_source(RACE, tmp_path).splits() == ("train", "validation", "test")


@pytest.mark.parametrize("ending", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
def test_find_takes_one_archive_as_data_dir(tmp_path: Path, write_tar, ending: str) -> None:
    archive = write_tar(tmp_path / f"anything{ending}", TREE)
    assert find_source(RACE, archive).splits() == ("test",)


def test_find_reads_zstd(tmp_path: Path, write_tar) -> None:
    plain = write_tar(tmp_path / "race.tar", TREE)
    with pyarrow.output_stream(str(tmp_path / "race.tar.zst"), compression="zstd") as stream:
        stream.write(plain.read_bytes())
    plain.unlink()
    assert contents(RACE, tmp_path, "test") == [ONE.encode()] * 3


@pytest.mark.parametrize("below", ["", "RACE", "RACE/test"])
def test_find_takes_any_folder_of_the_layout(tmp_path: Path, write_folder, below: str) -> None:
    write_folder(tmp_path / "raw", TREE)
    assert find_source(RACE, tmp_path / "raw" / below).splits() == ("test",)


def test_find_takes_the_environment_where_no_data_dir_is_given(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCRC_DATA_DIR", str(store("race", TREE)))
    assert find_source(RACE).splits() == ("test",)
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusNotFoundError, match=r"nothing in .*empty"):
        find_source(RACE, tmp_path / "empty")


def test_find_follows_links_but_no_circles(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path / "far", TREE)
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "race").symlink_to(tmp_path / "far")
    (tmp_path / "far" / "again").symlink_to(tmp_path / "far")
    source = find_source(RACE, tmp_path / "raw")
    assert repr(source) == "Source('race-high', 3 files, 0 archives)"
    assert len(source.read("test")) == 3


def test_find_skips_what_a_mac_leaves_behind(store) -> None:
    junk = {"__MACOSX/RACE/test/high/7.txt": "x", "RACE/test/high/._1.txt": "x", ".DS_Store": "x"}
    assert len(find_source(RACE, store("race", TREE | junk)).read("test")) == 3


def test_find_prefers_hinted_files_to_others(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain/train.txt": "mine", "other/train.txt": "not mine"})
    assert contents(PLAIN, tmp_path, "train") == [b"mine"]


def test_find_takes_unhinted_files_where_there_are_no_others(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"unpacked/train.txt": "mine"})
    assert contents(PLAIN, tmp_path, "train") == [b"mine"]


def test_find_takes_no_file_of_a_rival(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain2/train.txt": "not mine"})
    with pytest.raises(CorpusNotFoundError):
        find_source(PLAIN, tmp_path)
    with pytest.raises(CorpusNotFoundError):
        find_source(PLAIN, tmp_path / "plain2")


def test_find_lets_the_deepest_part_of_a_path_decide(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain2/plain/train.txt": "mine", "plain/plain2/train.txt": "not mine"})
    assert contents(PLAIN, tmp_path, "train") == [b"mine"]


def test_find_opens_unhinted_archives_only_where_nothing_else_is_there(
    tmp_path: Path, write_tar, write_zip, write_folder
) -> None:
    write_zip(tmp_path / "all.zip", {"train.txt": "unhinted"})
    (tmp_path / "broken.zip").write_bytes(b"no zip at all")
    assert contents(PLAIN, tmp_path, "train") == [b"unhinted"]
    write_tar(tmp_path / "plain.tar.xz", {"train.txt": "hinted"})
    assert contents(PLAIN, tmp_path, "train") == [b"hinted"]


def test_find_tries_other_archives_where_the_hinted_one_holds_nothing(
    tmp_path: Path, write_zip
) -> None:
    write_zip(tmp_path / "plain-notes.zip", {"notes.txt": "nothing"})
    write_zip(tmp_path / "all.zip", {"train.txt": "mine"})
    assert contents(PLAIN, tmp_path, "train") == [b"mine"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04"])
@pytest.mark.parametrize("name", ["plain.zip", "plain.tar.xz", "plain.tgz", "plain.tar"])
def test_find_complains_of_a_broken_archive_that_a_hint_marks(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ArchiveError, match=f"{name}' cannot be read") as caught:
        find_source(PLAIN, tmp_path)
    assert "\n" not in str(caught.value)


def test_read_takes_equal_copies_once(tmp_path: Path, write_folder, write_zip) -> None:
    write_folder(tmp_path / "race", TREE)
    write_zip(tmp_path / "race.zip", TREE)
    assert contents(RACE, tmp_path, "test") == [ONE.encode()] * 3


def test_read_refuses_copies_that_differ(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain/a/train.txt": "one", "plain/b/train.txt": "two"})
    with pytest.raises(DataError, match="stands in two places") as caught:
        find_source(PLAIN, tmp_path).read("train")
    assert "plain/a/train.txt" in str(caught.value)
    assert "plain/b/train.txt" in str(caught.value)


def test_read_of_an_absent_split_names_those_there(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain/train.txt": "a"})
    source = find_source(PLAIN, tmp_path)
    assert source.splits() == ("train",)
    for split in ("test", "nonsense"):
        with pytest.raises(CorpusNotFoundError, match=f"no files of split '{split}'.*found: train"):
            source.read(split)


def test_splits_refuses_half_a_split(store) -> None:
    source = find_source(PLAIN, store("plain", {"train.txt": "a", "test.txt": "b"}))
    with pytest.raises(DataError, match=r"test\.txt' is, but no file fits .*test\\.key"):
        source.splits()
    assert len(source.read("train")) == 1


def test_read_names_a_file_that_cannot_be_read(tmp_path: Path, write_folder) -> None:
    write_folder(tmp_path, {"plain/train.txt": "a"})
    source = find_source(PLAIN, tmp_path)
    (tmp_path / "plain" / "train.txt").unlink()
    with pytest.raises(DataError, match=r"train\.txt' cannot be read: No such file"):
        source.read("train")


def test_find_says_where_it_looked_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))
    with pytest.raises(CorpusNotFoundError) as caught:
        find_source(PLAIN)
    message = str(caught.value)
    for part in (str(tmp_path), "https://example.org/plain", "CC0-1.0", "data_dir=", r"train\.txt"):
        assert part in message
    assert "\n" not in message
    with pytest.raises(CorpusNotFoundError, match="HF_HUB_OFFLINE=1 forbids the download"):
        find_source(RACE)


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_find_says_that_a_data_dir_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    place = tmp_path / "train.txt"
    if kind == "file":
        place.write_text("a")
    expected = "is neither a folder nor an archive" if kind == "file" else "does not exist"
    with pytest.raises(CorpusNotFoundError, match=expected):
        find_source(PLAIN, place)
    monkeypatch.setenv("MCRC_DATA_DIR", str(place))
    with pytest.raises(CorpusNotFoundError, match=expected):
        find_source(PLAIN)


def test_find_reads_a_bundled_corpus_from_its_folder(tmp_path: Path, write_folder) -> None:
    bundled = replace(PLAIN, bundled=write_folder(tmp_path / "in", {"train.txt": "shipped"}))
    write_folder(tmp_path / "out", {"plain/train.txt": "other"})
    assert contents(bundled, tmp_path / "out", "train") == [b"shipped"]


def test_fingerprint_follows_content_and_names_only(store, tmp_path: Path) -> None:
    before = find_source(RACE, store("race", TREE)).fingerprint
    moved = tmp_path / "moved"
    shutil.copytree(tmp_path / "raw", moved)
    for path in sorted(moved.rglob("*"), reverse=True):
        os.utime(path, (0, 0))
    (moved / "unrelated.txt").write_text("new")
    assert find_source(RACE, moved).fingerprint == before
    changed = find_source(RACE, store("race", TREE | {"RACE/test/high/2.txt": ONE + " "}))
    assert changed.fingerprint != before
    more = find_source(RACE, store("race", TREE | {"RACE/test/high/3.txt": ONE}))
    assert len({before, changed.fingerprint, more.fingerprint}) == 3


def test_find_reads_folders_whose_names_are_not_utf8(tmp_path: Path, write_folder) -> None:
    folder = tmp_path / os.fsdecode(b"pl\xe4ce") / "plain"
    write_folder(folder, {"train.txt": "a"})
    source = find_source(PLAIN, tmp_path)
    assert source.read("train")[0].content == b"a"
    assert len(source.fingerprint) == 64


def test_fingerprint_tells_equal_content_under_another_name(tmp_path: Path, write_folder) -> None:
    one = find_source(RACE, write_folder(tmp_path / "a", {"RACE/test/high/1.txt": ONE}))
    two = find_source(RACE, write_folder(tmp_path / "b", {"RACE/test/high/2.txt": ONE}))
    assert one.fingerprint != two.fingerprint
