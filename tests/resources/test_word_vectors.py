"""Near words come from GloVe or the bundled MiniLM."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

import needed
import numpy as np
import pytest
from fake_resources import real
from typer.testing import CliRunner

from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import bundled_minilm, glove
from mcrc_adversarial.resources._vectors import VectorNeighbours


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


def vector_line(word: str, number: str, count: int = 100) -> bytes:
    return f"{word} {' '.join([number] * count)}\n".encode()


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
