"""Making candidates files: killed, shared, in other types; with tiny checkpoints in folders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tiny_task_models as tiny
from typer.testing import CliRunner

from mcrc_adversarial.attacks import apply_resolved, attacks
from mcrc_adversarial.candidates import GENERATED, SPANS, content_key, parts, read
from mcrc_adversarial.candidates.parts import Parts
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.distractors import making
from mcrc_adversarial.distractors.making import PassSettings, ready
from mcrc_adversarial.errors import ParameterError

SHORT = ["--max-length", "128", "--stride", "16", "--device", "cpu"]
SOME = ("--limit", "40")


@pytest.fixture(scope="module", autouse=True)
def _small_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART_QUESTIONS", 16)
        patch.setattr(making, "PART_QUESTIONS", 16)
        yield


@pytest.fixture(scope="module")
def spans_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.saved(tiny.span_model(), tmp_path_factory.mktemp("models") / "spans")


@pytest.fixture(scope="module")
def writer_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.saved(tiny.writer_model(), tmp_path_factory.mktemp("models") / "writer")


def made(name: str, task: str, model: str, output: Path, *flags: str) -> Any:
    import_commands()
    command = ["candidates", name, "--task", task, "--model", model, "--output", str(output)]
    return CliRunner().invoke(app, [*command, *SHORT, *flags])


@pytest.fixture(scope="module")
def whole(spans_model: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Candidates for 40 of the sample's questions, made in one go: three parts."""
    output = tmp_path_factory.mktemp("whole") / "spans.jsonl"
    done = made("sample", SPANS.name, spans_model, output, *SOME)
    assert done.exit_code == 0, done.output
    return output


def test_lineage_names_what_the_candidates_depend_on(whole: Path) -> None:
    lineage = json.loads(whole.read_text(encoding="utf-8").splitlines()[0])

    assert lineage["model"] == "spans"
    assert len(lineage["revision"]) == 64
    assert (lineage["dtype"], lineage["device"], lineage["seed"]) == ("float32", "cpu", 0)
    assert (lineage["corpus"], lineage["splits"], lineage["limit"]) == ("sample", ["test"], 40)
    assert {"torch", "transformers", "tokenizers", "mcrc-adversarial"} <= {*lineage["versions"]}
    assert lineage["n_best"] == 20


def test_attack_finds_its_spans_in_every_passage(whole: Path) -> None:
    attack = attacks.get("distractor-extraction")
    parameters = attack.resolve({"spans": str(whole), "true_questions": "leave"})
    sample = corpora.get("sample")
    keys = read(str(whole), SPANS).texts
    asked = [
        example
        for example in read_split(sample, find_source(sample), "test")
        if content_key(example.passage, example.question) in keys
    ]
    assert len(asked) >= 40
    for example in asked:
        found = apply_resolved(attack, example, 0, parameters)
        folded = " ".join(example.passage.split())
        for change in found.changes or ():
            assert change.after in folded or change.how == "original distractor"


def test_killed_and_resumed_equals_uninterrupted(
    whole: Path, spans_model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, output = Parts.write, tmp_path / "spans.jsonl"

    def dies(self: Parts, number: int, rows: Any) -> None:
        if number == 1:
            raise KeyboardInterrupt
        write(self, number, rows)

    monkeypatch.setattr(Parts, "write", dies)
    assert made("sample", SPANS.name, spans_model, output, *SOME).exit_code == 130
    assert not output.exists()
    numbers: list[int] = []
    monkeypatch.setattr(
        Parts, "write", lambda self, n, rows: (numbers.append(n), write(self, n, rows))
    )

    assert made("sample", SPANS.name, spans_model, output, *SOME).exit_code == 0

    assert numbers == [1, 2]
    assert output.read_bytes() == whole.read_bytes()


def test_two_shards_equal_one_process(whole: Path, spans_model: str, tmp_path: Path) -> None:
    output = tmp_path / "spans.jsonl"

    first = made("sample", SPANS.name, spans_model, output, *SOME, "--shard", "2/2")
    assert first.exit_code == 0
    assert "waits for the others" in first.output
    assert not output.exists()
    assert made("sample", SPANS.name, spans_model, output, *SOME, "--shard", "1/2").exit_code == 0

    assert output.read_bytes() == whole.read_bytes()
    again = made("sample", SPANS.name, spans_model, output, *SOME)
    assert again.exit_code == 0
    assert "is there already" in again.output


def test_other_batches_give_the_same_texts(whole: Path, spans_model: str, tmp_path: Path) -> None:
    output = tmp_path / "spans.jsonl"

    flags = (*SOME, "--token-budget", "200")
    assert made("sample", SPANS.name, spans_model, output, *flags).exit_code == 0

    assert read(str(output), SPANS).texts == read(str(whole), SPANS).texts


def test_type_is_named_and_another_one_is_refused_in_the_same_place(
    spans_model: str, tmp_path: Path
) -> None:
    output = tmp_path / "spans.jsonl"
    flags = ("--limit", "5", "--dtype")

    assert made("sample", SPANS.name, spans_model, output, *flags, "bfloat16").exit_code == 0
    other = made("sample", SPANS.name, spans_model, output, *flags, "float32")

    assert read(str(output), SPANS).lineage["dtype"] == "bfloat16"
    assert other.exit_code == 2
    assert "was made with dtype 'bfloat16', now it is 'float32'" in other.output


def test_generated_candidates_are_made_for_own_questions(writer_model: str, tmp_path: Path) -> None:
    own = {"passage": "Ann came.", "question": "Who _ ?", "options": ["Ann", "Bo", "Cy"]}
    file, output = tmp_path / "own.jsonl", tmp_path / "beams.jsonl"
    file.write_text(json.dumps({**own, "label": 0}), encoding="utf-8")

    done = made(str(file), GENERATED.name, writer_model, output)

    assert done.exit_code == 0, done.output
    found = read(str(output), GENERATED)
    assert (found.lineage["corpus"], found.splits) == ("own.jsonl", ())
    assert len(next(iter(found.texts.values()))) == 50
    attacked = tmp_path / "attacked.jsonl"
    command = ["attack", str(file), "--attack", "distractor-generation", "--output", str(attacked)]
    done = CliRunner().invoke(app, [*command, "--param", f"generated={output}"])
    assert done.exit_code == 0, done.output
    row = json.loads(attacked.read_text(encoding="utf-8"))
    assert row["options"][0] == "Ann"
    assert row["lineage"][0]["how"].startswith("beam ")


def test_wrong_requests_are_one_line(spans_model: str, writer_model: str, tmp_path: Path) -> None:
    wrong = [
        (made("sample", "spans", spans_model, tmp_path / "f"), "task is 'spans'; it must be"),
        (made("sample", SPANS.name, str(tmp_path), tmp_path / "f"), "cannot be loaded"),
        (made("sample", SPANS.name, writer_model, tmp_path / "f"), "has no trained qa_outputs"),
        (
            made("sample", SPANS.name, spans_model, tmp_path / "f", "--dtype", "float16"),
            "dtype is float16, which needs a CUDA device",
        ),
        (
            made("sample", SPANS.name, spans_model, tmp_path / "f", "--max-length", "512"),
            "max_length is 512, but the model has 128 positions",
        ),
        (
            made("sample", SPANS.name, spans_model, tmp_path / "f", "--shard", "3/2"),
            "shard is '3/2'",
        ),
    ]
    for done, message in wrong:
        assert done.exit_code == 2, done.output
        assert message in " ".join(done.output.split())
        assert len(done.output.strip().splitlines()) == 1
    assert not (tmp_path / "f").exists()


def test_revision_follows_the_weights(tmp_path: Path) -> None:
    def revision(model: Any, name: str) -> str:
        folder = tiny.saved(model, tmp_path / name / "same")
        settings = PassSettings(SPANS.name, folder, max_length=64, stride=16, device="cpu")
        return str(ready(settings).facts["revision"])

    first, other = tiny.span_model(), tiny.span_model()
    other.qa_outputs.bias.data += 1

    assert revision(first, "a") == revision(tiny.span_model(), "b") != revision(other, "c")


def test_folder_where_one_stands_is_called_by_its_name(
    spans_model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spans_model)
    settings = PassSettings(SPANS.name, ".", max_length=64, stride=16, device="cpu")

    assert ready(settings).facts["model"] == "spans"


@pytest.mark.parametrize("device", ["foo", "cuda:99", "cpu:x", ""])
def test_device_that_is_not_there_is_one_line(
    device: str, spans_model: str, tmp_path: Path
) -> None:
    done = made("sample", SPANS.name, spans_model, tmp_path / "f", "--device", device)

    assert done.exit_code == 2, done.output
    assert f"device is {device!r}, which cannot be used here" in " ".join(done.output.split())
    assert len(done.output.strip().splitlines()) == 1


@pytest.mark.parametrize("device", ["meta", "xpu", "vulkan"])
def test_device_that_computes_nothing_here_is_refused(
    device: str, spans_model: str, tmp_path: Path
) -> None:
    done = made("sample", SPANS.name, spans_model, tmp_path / "f", "--device", device)

    assert done.exit_code == 2, done.output
    said = f"device is {device!r}; it must be auto, or one of cpu, cuda, mps"
    assert said in " ".join(done.output.split())


@pytest.mark.parametrize(("name", "value"), [("seed", -1), ("token_budget", 5), ("dtype", "f8")])
def test_settings_are_checked(name: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=f"{name} "):
        PassSettings(**{"task": SPANS.name, "model": "m", name: value})
