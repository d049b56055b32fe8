"""WordNet is read, found, or named where it is broken."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import wordnet
from mcrc_adversarial.resources.wordnet import WordNet

ADJECTIVES = """\
  1 A licence stands in front, indented.
00000001 00 a 02 tall 0 lofty 0 002 & 00000009 a 0000 ! 00000002 a 0101 | high
00000002 00 s 03 short 1 small(p) 0 very_low 0 001 ! 00000001 a 0101 | not high
00000009 00 s 01 towering 0 000 | very high
"""
LONELY = "00000001 00 r 01 here 0 000 | where this is\n"
OTHERS = {"data.adv": LONELY.encode(), "data.verb": LONELY.encode()}


def test_wordnet_reads_antonyms_of_all_words_of_a_sense() -> None:
    found = WordNet({"data.adj": ADJECTIVES.encode(), **OTHERS}, "a folder")

    assert found.antonyms("Tall", "a") == found.antonyms("lofty", "a") == ["short"]
    assert found.antonyms("small", "a") == found.antonyms("very_low", "a") == ["tall"]
    assert found.antonyms("tall", "r") == found.antonyms("towering", "a") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"00000001 00 a zz tall", "line 1, '00000001 00 a zz tall', is no sense"),
        (b"  licence\n00000001 00 a 01 tall 0 001 !", "line 2, '00000001 00 a 01 tall 0 001 !'"),
        (b"x", "line 1, 'x', is no sense"),
        (b"00000001 00 a 01 t\xffll 0 000 | high", "line 1, '00000001 00 a 01 t\ufffdll"),
        (b"", "it holds no sense"),
        (b"  1 a licence alone\n", "it holds no sense"),
        (
            ADJECTIVES.encode().splitlines(keepends=True)[1],
            "line 1 points to word 1 of the sense 00000002, which is not there",
        ),
        (ADJECTIVES.replace("0101 | high", "0109 | high").encode(), "line 2 points to word 9 of"),
        (ADJECTIVES.replace("0101 | high", "0100 | high").encode(), "line 2 points to word 0 of"),
    ],
)
def test_wordnet_names_what_is_broken(text: bytes, problem: str) -> None:
    with pytest.raises(ResourceError) as caught:
        WordNet({"data.adj": text, **OTHERS}, "a folder")

    assert f"a folder, data.adj: {problem}" in str(caught.value)
    assert "\n" not in str(caught.value)


def _archive(path: Path, files: Mapping[str, bytes]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as packed:
            for name, content in files.items():
                packed.writestr(f"wordnet/{name}", content)
        return path
    with tarfile.open(path, "w:bz2") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(f"WordNet-3.0/dict/{name}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture
def no_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place where WordNet would be looked for, and is nowhere."""
    monkeypatch.setattr(wordnet, "_folders", lambda: iter(()))
    monkeypatch.setattr(wordnet, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))
    (tmp_path / "nltk" / "corpora").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("name", ["nltk/corpora/wordnet.zip", "WordNet-3.0.tar.bz2"])
def test_wordnet_is_found_in_archives(name: str, no_wordnet: Path) -> None:
    assert wordnet._find() is None or "nltk_data" in wordnet._find().where
    named = ADJECTIVES.replace("A licence", "WordNet 3.1 Copyright").encode()
    archive = _archive(no_wordnet / name, {"data.adj": named, **OTHERS})

    found = wordnet._find()

    assert found is not None
    assert (found.where, found.version) == (str(archive), "WordNet 3.1")
    assert found.load().antonyms("tall", "a") == ["short"]


@pytest.mark.parametrize("name", ["nltk/corpora/wordnet.zip", "WordNet-3.0.tar.bz2"])
@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_wordnet_names_a_broken_archive(name: str, content: bytes | None, no_wordnet: Path) -> None:
    path = no_wordnet / name
    if content is None:
        _archive(path, OTHERS)
    else:
        path.write_bytes(content)

    with pytest.raises(ResourceError, match=r"cannot be unpacked|holds no data\.adj") as caught:
        wordnet._find()
    assert str(path) in str(caught.value)


def test_wordnet_is_found_where_its_variables_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"data.adj": ADJECTIVES.encode(), **OTHERS}
    folder = tmp_path / "dict"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text)

    monkeypatch.setenv("WNHOME", str(tmp_path))
    found = wordnet._find()

    assert found is not None
    assert found.where == str(folder)
    assert found.load().antonyms("tall", "a") == ["short"]
    (folder / "data.adv").write_text("  changed\n", encoding="utf-8")
    changed = wordnet._find()
    assert changed is not None
    assert changed.digest != found.digest
