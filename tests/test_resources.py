from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fake_resources import REAL, real
from typer.testing import CliRunner

from mcrc_adversarial import resources as module
from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.builder import attack_fingerprint
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import glove, wordnet
from mcrc_adversarial.resources._vectors import VectorNeighbours
from mcrc_adversarial.resources.wordnet import WordNet

ADJECTIVES = """\
  1 A licence stands in front, indented.
00000001 00 a 02 tall 0 lofty 0 002 & 00000009 a 0000 ! 00000002 a 0101 | high
00000002 00 s 03 short 1 small(p) 0 very_low 0 001 ! 00000001 a 0101 | not high
00000009 00 s 01 towering 0 000 | very high
"""
EMPTY = {"data.adv": "", "data.verb": ""}


def test_wordnet_reads_antonyms_of_all_words_of_a_sense() -> None:
    found = WordNet({"data.adj": ADJECTIVES, **EMPTY})

    assert found.antonyms("Tall", "a") == found.antonyms("lofty", "a") == ["short"]
    assert found.antonyms("small", "a") == found.antonyms("very_low", "a") == ["tall"]
    assert found.antonyms("tall", "r") == found.antonyms("towering", "a") == []


@pytest.mark.parametrize("line", ["00000001 00 a zz tall", "00000001 00 a 01 tall 0 001 !", "x"])
def test_wordnet_names_a_broken_line(line: str) -> None:
    with pytest.raises(ResourceError, match=f"data.adj is broken at the line '{line}'"):
        WordNet({"data.adj": f"{line}\n", **EMPTY})


def test_wordnet_is_found_where_its_variables_say_and_in_an_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"data.adj": ADJECTIVES, **EMPTY}
    folder = tmp_path / "dict"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    archive = tmp_path / "WordNet.tar.bz2"
    with tarfile.open(archive, "w:bz2") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"WordNet-3.0/dict/{name}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))

    monkeypatch.setenv("WNHOME", str(tmp_path))
    found = wordnet._find()

    assert found is not None
    assert found.where == str(folder)
    assert found.load().antonyms("tall", "a") == ["short"]
    assert wordnet._from_archive(archive).antonyms("tall", "a") == ["short"]
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


def test_glove_is_read_from_text_and_from_its_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{word} {' '.join([str(number)] * 100)}\n" for number, word in enumerate("abc")]
    text = tmp_path / "glove.6B.100d.txt"
    text.write_text("".join(lines), encoding="utf-8")
    monkeypatch.setenv("MCRC_DATA_DIR", str(tmp_path))

    plain = glove._find()
    with zipfile.ZipFile(tmp_path / "glove.6B.zip", "w") as archive:
        archive.write(text, text.name)
    packed = glove._find()

    assert plain is not None
    assert packed is not None
    assert plain.load().nearest("a") == packed.load().nearest("a") == ("b", "c")
    with pytest.raises(ResourceError, match="word 'x': 2 numbers, expected 100"):
        glove.read_vectors(["x 1 2\n"], "a file")


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
