from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import needed
import numpy as np
import pytest
from fake_resources import REAL, real
from typer.testing import CliRunner

from mcrc_adversarial import resources as module
from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.builder import attack_fingerprint
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.corpora import Download, _download
from mcrc_adversarial.errors import DownloadError, ResourceError
from mcrc_adversarial.resources import bundled_minilm, glove, wordnet
from mcrc_adversarial.resources._fetching import fetch_resource
from mcrc_adversarial.resources._vectors import VectorNeighbours
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


def test_nearest_words_are_ordered_by_distance_then_alphabet() -> None:
    vectors = np.array([[0, 0], [2, 0], [0, 1], [1, 0], [5, 5]], dtype=np.float32)
    found = VectorNeighbours(["here", "east", "near", "also", "away"], vectors)

    assert found.nearest("Here") == ("also", "near", "east", "away")
    assert found.nearest("nowhere") == ()
    assert VectorNeighbours(["one"], vectors[:1]).nearest("one") == ()


def test_nearest_words_are_a_hundred_at_most() -> None:
    vectors = np.arange(300, dtype=np.float32).reshape(150, 2)
    names = [f"w{number:03}" for number in range(150)]

    found = VectorNeighbours(names, vectors).nearest("w000")

    assert list(found) == names[1:101]


def test_nearest_words_are_the_same_together_and_one_by_one() -> None:
    rng = np.random.default_rng(0)
    # Equal vectors, and more words than are looked at together.
    vectors = rng.integers(-2, 3, (20_000, 4)).astype(np.float32)
    names = [f"w{number:05}" for number in range(len(vectors))]
    together = VectorNeighbours(names, vectors)
    alone = VectorNeighbours(names, vectors)

    asked = ["w00003", "W19999", "nowhere", "w00003", *names[100:110]]
    found = together.nearest_many(asked)

    assert found == [alone.nearest(word) for word in asked]
    distances = ((vectors - vectors[3]) ** 2).sum(axis=1)
    order = sorted(zip(distances.tolist(), names, strict=True))
    assert list(found[0]) == [name for _, name in order if name != "w00003"][:100]


def test_glove_is_read_from_text_and_from_its_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{word} {' '.join([str(number)] * 100)}\n" for number, word in enumerate("abc")]
    text = tmp_path / "glove.6B.100d.txt"
    text.write_text("".join(lines), encoding="utf-8")
    monkeypatch.setattr(glove, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(glove, "_N_WORDS", 3)
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))

    plain = glove._find()
    with zipfile.ZipFile(tmp_path / "glove.6B.zip", "w") as archive:
        archive.write(text, text.name)
    packed = glove._find()

    assert plain is not None
    assert packed is not None
    assert plain.load().nearest("a") == packed.load().nearest("a") == ("b", "c")
    assert plain.version == "6B.100d"
    assert packed.version == "6B.100d, not the published archive"


def test_glove_cut_at_the_end_of_a_line_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b"".join(vector_line(f"w{n}", str(n)) for n in range(9))
    monkeypatch.setattr(glove, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))
    (tmp_path / "glove.6B.100d.txt").write_bytes(lines)
    path = tmp_path / "glove.6B.zip"

    with pytest.raises(ResourceError, match="it has 9 words instead of 400,000"):
        glove._find()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("glove.6B.100d.txt", lines)
    with pytest.raises(ResourceError, match="it has 9 words instead of 400,000"):
        glove._load(path)


def vector_line(word: str, number: str, count: int = 100) -> bytes:
    return f"{word} {' '.join([number] * count)}\n".encode()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (vector_line("b", "x"), "Row #2.*invalid value 'x'"),
        (vector_line("b", "2", 3), "Row #2: Expected 101 columns, got 4"),
        (vector_line("b", "nan"), "line 2, word 'b': a number is not finite"),
        (b"\xff" + vector_line("b", "1"), "Row #2.*invalid UTF8"),
    ],
)
def test_glove_names_a_broken_line(content: bytes, problem: str) -> None:
    with pytest.raises(ResourceError, match=f"^a file is broken: .*{problem}") as caught:
        glove.read_vectors(io.BytesIO(vector_line("a", "1") + content), "a file")
    assert "\n" not in str(caught.value)
    assert "neighbours=bundled:minilm" in str(caught.value)


def test_glove_words_may_be_marks() -> None:
    lines = b"".join(vector_line(word, str(n)) for n, word in enumerate(('"', ",", "#", "NA")))
    found = glove.read_vectors(io.BytesIO(lines), "a file")

    assert found.nearest('"') == (",", "#", "NA")


def test_glove_without_a_line_or_archive_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glove, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))
    with pytest.raises(ResourceError, match="Empty CSV file"):
        glove.read_vectors(io.BytesIO(), "a file")
    path = tmp_path / "glove.6B.zip"
    path.write_bytes(b"no archive")
    with pytest.raises(ResourceError, match="it is no zip archive"):
        glove._find()
    import_commands()
    with real():
        listed = CliRunner().invoke(app, ["resources"])
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("glove.6B.50d.txt", "")
    with pytest.raises(ResourceError, match=r"holds no glove\.6B\.100d\.txt"):
        glove._find()
    assert listed.exit_code == 0, listed.output
    (line,) = (one for one in listed.output.splitlines() if "│ glove " in one)
    assert "│ broken " in line
    assert "6B.100d" not in line.split("│")[5]


def test_glove_of_which_a_part_is_damaged_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "glove.6B.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "glove.6B.100d.txt", b"".join(vector_line(f"w{n}", str(n)) for n in range(9))
        )
    content = bytearray(path.read_bytes())
    content[60:90] = bytes(30)
    path.write_bytes(content)

    with pytest.raises(ResourceError, match=r"cannot be unpacked|is broken"):
        glove._load(path)


def test_minilm_of_another_digest_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {"model.safetensors": "", "vocab.txt": ""}
    for name in digests:
        (tmp_path / name).write_text(name, encoding="utf-8")
        digests[name] = hashlib.sha256(name.encode()).hexdigest()
    monkeypatch.setattr(bundled_minilm, "_SHA256", digests)
    bundled_minilm.check_files(tmp_path)

    (tmp_path / "vocab.txt").write_text("other words", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"vocab\.txt is not the one .*sha256 is [0-9a-f]{64}"):
        bundled_minilm.check_files(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ResourceError, match=r"model\.safetensors is not .* sha256 is missing"):
        bundled_minilm.check_files(tmp_path)


def test_minilm_s_vocabulary_has_a_line_a_vector(tmp_path: Path) -> None:
    needed.package("safetensors", "extra demo")
    import safetensors.numpy as numpy_files

    vectors = np.zeros((3, 2), dtype=np.float32)
    numpy_files.save_file({bundled_minilm._WEIGHT: vectors}, tmp_path / "model.safetensors")
    (tmp_path / "vocab.txt").write_text("one\ntwo\n", encoding="utf-8")

    with pytest.raises(ResourceError, match=r"vocab\.txt has 2 lines for 3 vectors"):
        bundled_minilm._load(tmp_path)


def test_failed_download_says_where_resources_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_download, "cache_folder", lambda: tmp_path)
    missing = Download("file:///nowhere", "", "glove/glove.6B.zip")
    with pytest.raises(DownloadError) as caught:
        fetch_resource(missing, ("glove.6B.zip",))

    assert "put glove.6B.zip by hand into the folder that MCRC_DATA_DIR names" in str(caught.value)
    assert "data_dir" not in str(caught.value)


def test_fingerprint_names_the_resources_of_the_parameters() -> None:
    addsent = attacks.get("addsent")
    found = attack_fingerprint(addsent, 0, {"neighbours": "bundled:minilm"})

    assert set(found["resources"]) == {"spacy-english", "wordnet", "bundled-minilm"}
    assert found["resources"]["wordnet"] == ["fake", "0" * 64]
    assert "resources" not in attack_fingerprint(attacks.get("p-shuffle"), 0, {})


def test_missing_resource_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with real():
        monkeypatch.setattr(glove, "_places", lambda: iter(()))
        with pytest.raises(ResourceError) as caught:
            module.load("glove")
    assert "fetch it with: mcrc-adversarial resources --fetch glove" in str(caught.value)
    assert "neighbours=bundled:minilm does without it" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_resources_command_says_what_is_there_and_what_fetches_the_rest() -> None:
    import_commands()
    with real():
        found = CliRunner().invoke(app, ["resources"])
        refused = CliRunner().invoke(app, ["resources", "--fetch", "spacy-english"])
        unknown = CliRunner().invoke(app, ["resources", "--fetch", "glov"])

    assert found.exit_code == 0, found.output
    for name, resource in REAL.items():
        (line,) = (one for one in found.output.splitlines() if f"│ {name} " in one)
        missing = resource.find() is None
        assert ("│ no " in line) == missing == (resource.command in line)
    assert (
        "Attacks that need some of them: addsent, distractor-extraction, distractor-generation;"
        in found.output
    )
    assert refused.exit_code == unknown.exit_code == 2
    assert "is not ours to fetch; run: pip install" in refused.output
    assert "did you mean glove?" in unknown.output


def test_self_contained_attacks_are_all_but_those_with_needs() -> None:
    assert set(attacks.names()) - set(self_contained()) == {
        "addsent",
        "distractor-extraction",
        "distractor-generation",
    }


def test_build_of_all_says_what_it_leaves_out(tmp_path: Path) -> None:
    import_commands()
    command = ["build", "sample", "--splits", "test", "--output"]

    every = CliRunner().invoke(app, [*command, str(tmp_path / "all")])
    named = CliRunner().invoke(app, [*command, str(tmp_path / "one"), "--attacks", "addsent"])

    assert every.exit_code == named.exit_code == 0, every.output + named.output
    assert (
        "Left out of `all`: addsent, distractor-extraction, distractor-generation, which need more"
        in every.stdout
    )
    assert "Left out" not in named.stdout
    assert not (tmp_path / "all" / "sample-addsent").exists()
    assert (tmp_path / "one" / "sample-addsent" / "test.parquet").exists()
