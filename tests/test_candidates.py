"""Candidates files: read, found by text, made in parts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from fake_resources import real
from strategies import ORDINARY

import mcrc_adversarial
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.builder import attack_fingerprint
from mcrc_adversarial.candidates import GENERATED, SPANS, content_key, read
from mcrc_adversarial.candidates.parts import PART_QUESTIONS, Parts, Shard, parse_shard
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import OutputError, ParameterError, ResourceError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export import Settings, export

FACTS = {
    "format": 1,
    "task": SPANS.name,
    "model": "tiny",
    "revision": "0123456789abcdef",
    "dtype": "float32",
    "seed": 0,
    "corpus": "sample",
    "splits": ["test"],
    "limit": 0,
}


def row(example: Example, *texts: str) -> dict[str, Any]:
    key = content_key(example.passage, example.question)
    return {"key": key, "id": example.id, "candidates": [{"text": text} for text in texts]}


def written(path: Path, rows: list[dict[str, Any]], **facts: Any) -> str:
    lines = [{**FACTS, "questions": len(rows), **facts}, *rows]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)


def sample_test() -> list[Example]:
    sample = corpora.get("sample")
    return read_split(sample, find_source(sample), "test")


def different(examples: list[Example]) -> list[Example]:
    """One example for each passage and question."""
    return list({(one.passage, one.question): one for one in examples}.values())


def test_candidates_are_found_by_the_texts_of_a_question(tmp_path: Path) -> None:
    first = ORDINARY[0]
    found = read(written(tmp_path / "f", [row(first, "a", "b")]), SPANS)

    assert found.of(replace(first, id="another", options=("x", "y"), label=1)) == ("a", "b")
    assert found.source == "tiny@0123456789ab"
    with pytest.raises(ResourceError, match=r"record 'test/2-0': .*f has no candidates for it"):
        found.check(ORDINARY[:2])


def test_attack_without_a_file_says_in_one_line_what_to_give() -> None:
    with real(), pytest.raises(ResourceError) as raised:
        apply(attacks.get("distractor-extraction"), ORDINARY[0])

    assert "mcrc-adversarial candidates CORPUS --task span-extraction --model" in str(raised.value)
    assert "give spans=FILE" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: this is no lineage of format 1"),
        ("[]\n", "line 1: this is no lineage of format 1"),
        (json.dumps({**FACTS, "questions": 0, "format": 2}), "line 1: this is no lineage"),
        (json.dumps({**FACTS, "questions": 1}), "0 questions, but its first line says 1"),
        (json.dumps({**FACTS, "questions": 1}) + '\n{"key": 3', "line 2: this is no question"),
        (
            json.dumps({**FACTS, "questions": 2}) + 2 * '\n{"key": "k", "candidates": []}',
            "the file was cut or altered",
        ),
        (
            json.dumps({**FACTS, "questions": 1}) + '\n{"key": "k", "candidates": [{"text": 1}]}',
            "line 2: this is no question",
        ),
        # Deeper than Python can follow, and halves of a character that no file can hold.
        ("[" * 100_000, "line 1: this is no lineage"),
        (
            json.dumps({**FACTS, "questions": 1, "model": "\ud83d"}),
            "line 1: this is no lineage",
        ),
        (json.dumps({**FACTS, "questions": 1}) + "\n" + "[" * 100_000, "line 2: this is no quest"),
        (
            json.dumps({**FACTS, "questions": 1})
            + '\n{"key": "k", "candidates": [{"text": "\\ud83d"}]}',
            "line 2: this is no question",
        ),
    ],
)
def test_broken_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text(text, encoding="utf-8")

    with pytest.raises(ResourceError, match=message):
        read(str(tmp_path / "f"), SPANS)


def test_file_of_the_other_task_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="holds candidates of 'span-extraction'; those of"):
        read(written(tmp_path / "f", []), GENERATED)
    with pytest.raises(ResourceError, match="cannot be read"):
        read(str(tmp_path / "nothing"), SPANS)


def test_fingerprint_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    attack = attacks.get("distractor-extraction")

    def of(path: str) -> dict[str, Any]:
        return attack_fingerprint(attack, 0, attack.resolve({"spans": path}))

    one = of(written(tmp_path / "one", [row(ORDINARY[0], "a")]))
    same = of(written(tmp_path / "same", [row(ORDINARY[0], "a")]))
    other = of(written(tmp_path / "other", [row(ORDINARY[0], "b")]))

    assert one == same != other
    assert "revision 0123456789abcdef, float32, seed 0" in one["parameters"]["spans"]
    assert str(tmp_path) not in json.dumps(one)


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Candidates for the sample's test split alone: the passage's first words."""
    rows = [row(one, *one.passage.split()[:40]) for one in different(sample_test())]
    return written(tmp_path_factory.mktemp("sample") / "spans.jsonl", rows)


def test_config_loads_the_splits_that_the_candidates_are_of(
    sample_file: str, caplog: pytest.LogCaptureFixture
) -> None:
    rows = load_dataset("mcrc_adversarial", "sample-distractor-extraction", spans=sample_file)

    assert list(rows) == ["test"]
    assert rows["test"]["id"] == [one.id for one in sample_test()]
    assert sum(rows["test"]["attacked"]) > 290
    assert "of tiny@0123456789ab" in rows["test"][0]["lineage"][0]["how"]
    assert caplog.messages == [note("sample-distractor-extraction", sample_file)]


def note(config: str, file: str) -> str:
    return f"{config}: {file} has candidates of test alone; left out: train, validation"


def test_candidates_of_splits_that_are_not_there_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "f", [], splits=["dev"])

    with pytest.raises(ResourceError, match="has candidates of dev alone, but here are train, val"):
        load_dataset("mcrc_adversarial", "sample-distractor-extraction", spans=file)
    with pytest.raises(ResourceError, match="has candidates of dev alone, but here are train, val"):
        export(
            [ConfigName("sample", "distractor-extraction")],
            tmp_path / "out",
            Settings(parameters={"spans": file}),
        )


def test_config_with_missing_candidates_fails_before_a_row_is_written(tmp_path: Path) -> None:
    file = written(tmp_path / "f", [row(sample_test()[0], "a")])

    with pytest.raises(ResourceError, match="has no candidates for it"):
        load_dataset("mcrc_adversarial", "sample-distractor-extraction", spans=file)


def test_build_takes_a_file_for_each_attack(
    sample_file: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [row(one, *one.passage.split(".")[:9]) for one in different(sample_test())]
    beams = written(tmp_path / "beams.jsonl", rows, task=GENERATED.name)
    configs = [ConfigName("sample", f"distractor-{how}") for how in ("extraction", "generation")]
    settings = Settings(parameters={"spans": sample_file, "generated": beams})

    records = export(configs, tmp_path / "out", settings)

    assert [(one.config, one.split, one.rows) for one in records] == [
        ("sample-distractor-extraction", "test", 300),
        ("sample-distractor-generation", "test", 300),
    ]
    assert caplog.messages == [
        note("sample-distractor-extraction", sample_file),
        note("sample-distractor-generation", beams),
    ]
    export(configs, tmp_path / "one", replace(settings, splits=("test",)))
    assert len(caplog.messages) == 2
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "tiny, revision 0123456789abcdef, float32, seed 0" in card
    assert str(tmp_path) not in card


def test_parameter_of_an_attack_that_is_not_built_names_the_attack(tmp_path: Path) -> None:
    owners = r"it is one of distractor-extraction, distractor-generation: name the attack"
    with pytest.raises(
        ParameterError, match=f"no attack to build has .*'true_questions'.*{owners}"
    ):
        export(
            [ConfigName("sample", "q-remove")],
            tmp_path / "out",
            Settings(parameters={"true_questions": "leave"}),
        )


def test_build_with_missing_candidates_writes_nothing(tmp_path: Path) -> None:
    file = written(tmp_path / "f", [row(sample_test()[0], "a")])
    config = ConfigName("sample", "distractor-extraction")

    with pytest.raises(ResourceError, match="has no candidates for it"):
        export([config], tmp_path / "out", Settings(parameters={"spans": file}))

    assert not (tmp_path / "out").exists()


def test_own_questions_are_attacked_with_candidates(sample_file: str) -> None:
    rows = load_dataset("mcrc_adversarial", "sample", split="test").select(range(5))

    found = mcrc_adversarial.attack(rows, "distractor-extraction", spans=sample_file)

    whole = load_dataset(
        "mcrc_adversarial", "sample-distractor-extraction", split="test", spans=sample_file
    )
    assert found["options"] == whole.select(range(5))["options"]


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
