"""A file of candidates is made in parts, by one process or several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from candidate_files import FACTS

from mcrc_adversarial.candidates.parts import PART_QUESTIONS, Parts, Shard, parse_shard
from mcrc_adversarial.errors import OutputError, ParameterError

N_QUESTIONS = 2 * PART_QUESTIONS + 1
KEYS = [str(number) for number in range(N_QUESTIONS)]


def parts(folder: Path, **facts: Any) -> Parts:
    return Parts(folder / "f.jsonl", {**FACTS, "questions": N_QUESTIONS, **facts}, KEYS)


def write_all(one: Parts, shard: Shard) -> None:
    for number in one.missing(shard):
        keys = KEYS[number * PART_QUESTIONS : (number + 1) * PART_QUESTIONS]
        one.write(number, [{"key": key, "candidates": []} for key in keys])


def test_parts_of_two_shards_make_the_file_of_one(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    alone, shared = parts(tmp_path / "a"), parts(tmp_path / "b")
    assert alone.begin()
    write_all(alone, Shard())
    assert alone.join()

    assert shared.begin()
    assert shared.missing(Shard(1, 2)) == [0, 2]
    write_all(shared, Shard(2, 2))
    assert not shared.join()
    assert shared.begin()
    assert shared.missing(Shard(2, 2)) == []
    write_all(shared, Shard(1, 2))
    assert shared.join()

    assert alone.output.read_bytes() == shared.output.read_bytes()
    assert not shared.folder.exists()
    assert not shared.begin()
    assert shared.join()


def without_last_line(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-1])


DAMAGES = [
    without_last_line,
    lambda text: text[:-10],
    lambda text: text + "{",
    lambda text: text.rstrip("\n"),
    lambda text: text.replace('"key": "130"', '"key": "9"'),
    lambda text: text.replace("[]", "[\x00]", 1),
    lambda text: "",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_part_is_made_again(damage: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "sound").mkdir()
    sound, one = parts(tmp_path / "sound"), parts(tmp_path)
    for these in (sound, one):
        these.begin()
        write_all(these, Shard())
    part = one.folder / "part-00001.jsonl"
    part.write_text(damage(part.read_text(encoding="utf-8")), encoding="utf-8")

    assert not one.join()
    assert one.missing(Shard()) == [1]
    write_all(one, Shard())
    assert one.join()
    assert sound.join()
    assert one.output.read_bytes() == sound.output.read_bytes()


@pytest.mark.parametrize("damage", DAMAGES[:-1])
def test_damaged_file_is_not_taken_for_whole(damage: Callable[[str], str], tmp_path: Path) -> None:
    one = parts(tmp_path)
    one.begin()
    write_all(one, Shard())
    one.join()
    one.output.write_text(damage(one.output.read_text(encoding="utf-8")), encoding="utf-8")

    with pytest.raises(OutputError, match=r"f\.jsonl was cut or altered; remove it"):
        parts(tmp_path).begin()


def test_parts_that_another_process_joins_meanwhile_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = parts(tmp_path), parts(tmp_path)
    one.begin()
    write_all(one, Shard())
    missing = Parts.missing

    def overtaken(self: Parts, shard: Shard) -> list[int]:
        found = missing(self, shard)
        if self is one:
            assert other.join()
        return found

    monkeypatch.setattr(Parts, "missing", overtaken)

    assert one.join()
    assert len(one.output.read_text(encoding="utf-8").splitlines()) == N_QUESTIONS + 1
    # Nor is a part that is written too late, after a start that was overtaken.
    one.write(0, [])
    assert one.join()
    assert [path.name for path in tmp_path.iterdir()] == ["f.jsonl"]


def test_parts_that_cannot_be_joined_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = parts(tmp_path)
    one.begin()
    write_all(one, Shard())
    monkeypatch.setattr(Path, "replace", lambda self, to: (_ for _ in ()).throw(OSError("full")))

    with pytest.raises(OutputError, match=r"cannot be written \(full\)"):
        one.join()


@pytest.mark.parametrize("is_whole", [True, False])
def test_parts_with_other_settings_are_refused(is_whole: bool, tmp_path: Path) -> None:
    first = parts(tmp_path)
    first.begin()
    if is_whole:
        write_all(first, Shard())
        first.join()

    with pytest.raises(OutputError, match=r"was made with dtype 'float32', now it is 'bfloat16'"):
        parts(tmp_path, dtype="bfloat16").begin()


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2", "1/2/3"])
def test_wrong_shard_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="it must be i/n with i from 1 to n"):
        parse_shard(text)
