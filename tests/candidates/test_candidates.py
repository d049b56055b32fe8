"""Files of candidates: read, found by text, loaded and built with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from candidate_files import FACTS, row, written
from datasets import load_dataset
from fake_resources import real
from strategies import ORDINARY

import mcrc_adversarial
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.builder import attack_fingerprint
from mcrc_adversarial.candidates import GENERATED, SPANS, read
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, ResourceError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export import Settings, export


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


def note(config: str, file: str) -> str:
    return f"{config}: {file} has candidates of test alone; left out: train, validation"


def test_config_loads_the_splits_that_the_candidates_are_of(
    sample_file: str, caplog: pytest.LogCaptureFixture
) -> None:
    rows = load_dataset("mcrc_adversarial", "sample-distractor-extraction", spans=sample_file)

    assert list(rows) == ["test"]
    assert rows["test"]["id"] == [one.id for one in sample_test()]
    assert sum(rows["test"]["attacked"]) > 290
    assert "of tiny@0123456789ab" in rows["test"][0]["lineage"][0]["how"]
    assert caplog.messages == [note("sample-distractor-extraction", sample_file)]


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
