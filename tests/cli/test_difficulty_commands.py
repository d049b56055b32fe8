from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import needed
import pytest
from run_folders import make_run
from typer.testing import CliRunner, Result

from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.corpora import Pin, corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.inference.baselines import BASELINES

needed.package("matplotlib", "extra report")
needed.package("readability", "extra difficulty")
import_commands()


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def crowd(root: Path, n: int = 24) -> Path:
    rows = []
    for number in range(n):
        vote = {"unanswerable": False, "worker_id": "w"}
        chosen = (
            ["option1"] * 5
            if number % 4
            else ["option1", "option1", "option2", "option3", "option2"]
        )
        section = "slate" if number % 2 else "verbatim"
        rows.append(
            {
                "passage_id": f"x/written_1/journal/{section}/{number}",
                "document": "Ed ran home. " * (number + 1),
                "question": "Where did Ed run?" if number % 3 else "Which of these is true?",
                "options": ["home", "away", "up", "down"],
                "gold_answer": "option1",
                "protocol": "baseline",
                "worker_id": "w1",
                "validation_data": [{**vote, "worker_answer": one} for one in chosen],
                "model_predictions": [[number % 3 % 2, "m1"], [number % 5 % 4, "m2"], [0, "uqa"]],
            }
        )
    path = root / "crowd-protocols" / "baseline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return root


@pytest.fixture
def frequencies(tmp_path: Path) -> Path:
    path = tmp_path / "words.csv"
    path.write_text("Word,FREQcount\ned,5\nran,4\n", encoding="utf-8")
    return path


def votes(path: Path, config: str, ids: list[str]) -> Path:
    lines = [
        {
            "id": one,
            "config": config,
            "votes": [
                {"annotator": f"a{n}", "option": 0 if n != number % 7 else None, "seconds": 4.0 + n}
                for n in range(5)
            ],
            "types": ["factoid"] if number % 3 else ["numeric", "logical"],
        }
        for number, one in enumerate(ids)
    ]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return path


def test_difficulty_of_a_corpus_with_its_own_votes(tmp_path: Path, frequencies: Path) -> None:
    data, output = crowd(tmp_path / "data"), tmp_path / "out"

    result = invoke(
        "difficulty", "crowd-protocols", "--data-dir", data, "--allow-unverified", "--leave-out",
        "uqa", "--frequencies", frequencies, "--compare-paper-c", "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "slate" in result.stdout
    page = (output / "report.html").read_text(encoding="utf-8")
    assert "Printed by paper C" in page
    assert "M-avg: mean of 2 models without uqa" in page
    text = (output / "report.md").read_text(encoding="utf-8").lower()
    assert re.search(r"\bnan\b", text) is None
    for name in ("valid", "high-agreement", "levels", "correlations", "easy-against-hard",
                 "question-words", "openings", "printed-valid", "printed-correlations",
                 "printed-types"):  # fmt: skip
        assert (output / "tables" / f"{name}.csv").is_file(), name
        assert (output / "tables" / f"{name}.tex").is_file(), name
    for name in ("valid-by-source", "levels", "question-words", "correlations"):
        assert (output / "figures" / f"{name}.svg").is_file(), name
    assert "{{" not in page
    assert "<script" not in page


def test_difficulty_of_runs_with_votes_of_a_file(tmp_path: Path, frequencies: Path) -> None:
    configs = ["sample", "sample-p-remove", "sample-pq-remove"]
    runs = [make_run(tmp_path / f"run{seed}", configs, seed=seed) for seed in (1, 2)]
    examples = read_split(corpora.get("sample"), find_source(corpora.get("sample")), "test")
    file = votes(tmp_path / "votes.jsonl", "sample", [one.id for one in examples[:60]])
    # As `annotate import` writes them, where an attack was annotated beside its original.
    more = votes(tmp_path / "more.jsonl", "sample-charswap", [one.id for one in examples[:7]])
    file.write_text(more.read_text("utf-8") + file.read_text("utf-8"), encoding="utf-8")
    output = tmp_path / "out"

    result = invoke(
        "difficulty", "sample", "--runs", runs[0], "--runs", runs[1], "--votes", file,
        "--frequencies", frequencies, "--difficulty", "human", "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    parts = (output / "tables" / "partial-inputs.csv").read_text(encoding="utf-8")
    assert "Q+A" in parts
    assert "tiny, seed 1" in parts
    assert (output / "figures" / "types-by-difficulty.svg").is_file()
    report = (output / "report.md").read_text(encoding="utf-8")
    assert "answering time" in report
    left_out = "7 line(s) of --votes are left out, of other configs (sample-charswap 7)."
    assert f"left out: {left_out}" in " ".join(result.stderr.split())
    assert left_out in report


def test_difficulty_without_votes_compares_runs(tmp_path: Path, frequencies: Path) -> None:
    own = tmp_path / "own.jsonl"
    rows = [{"passage": f"Ed ran {n} miles.", "question": "What?", "options": ["a", f"b {n}"],
             "label": n % 2} for n in range(20)]  # fmt: skip
    own.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    run = make_run(tmp_path / "run", ["custom"], own=own)
    output = tmp_path / "out"

    result = invoke(
        "difficulty", "custom", "--data-file", own, "--runs", run, "--frequencies", frequencies,
        "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "There are no votes" in result.stderr
    assert (output / "tables" / "all-questions.csv").is_file()
    assert len(list(read_examples([own], None, "test"))) == 20


def test_difficulty_by_people_alone_needs_no_model(tmp_path: Path, frequencies: Path) -> None:
    examples = read_split(corpora.get("sample"), find_source(corpora.get("sample")), "test")
    file = votes(tmp_path / "votes.jsonl", "sample", [one.id for one in examples[:60]])
    output = tmp_path / "out"

    result = invoke(
        "difficulty", "sample", "--votes", file, "--frequencies", frequencies, "--difficulty",
        "human", "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "No model has answered" in (output / "report.md").read_text(encoding="utf-8")
    assert (output / "tables" / "types-by-difficulty.csv").is_file()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["sample"], "has answered, and there are no votes; give runs that were scored on it"),
        (
            ["crowd-protocols", "--leave-out", "*"],
            "--leave-out, or ask for --difficulty human",
        ),
        (["sample", "--difficulty", "human"], "no difficulty by human; give --votes\n"),
        (["sample-p-shuffle"], "is attacked; give its original, 'sample'"),
        (["custom"], "--data-file goes with CONFIG custom"),
        (["sample", "--no-majority", "right"], "no_majority is 'right'; allowed"),
        (["crowd-protocols", "--easy", "50"], "easy < hard"),
        (["crowd-protocols", "--difficulty", "age"], "difficulty by 'age'; allowed"),
    ],
)
def test_difficulty_mistake_is_one_line(
    tmp_path: Path, frequencies: Path, flags: list[str], message: str
) -> None:
    data = crowd(tmp_path / "data", 4)
    result = invoke(
        "difficulty", *flags, "--data-dir", data, "--allow-unverified", "--frequencies",
        frequencies, "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("names", "message"),
    [(["own.txt"], "which no report wrote"), (["kept.jsonl", ".mcrc-report"], "of a filter")],
)
def test_difficulty_checks_its_folder_first(tmp_path: Path, names: list[str], message: str) -> None:
    output = tmp_path / "out"
    output.mkdir()
    for name in names:
        (output / name).write_text("kept.jsonl\n", encoding="utf-8")

    result = invoke("difficulty", "sample-no-such", "--output", output)

    assert result.exit_code == 2
    assert message in result.stderr
    assert all((output / name).is_file() for name in names)


def test_parser_input_is_written_and_nothing_else(tmp_path: Path) -> None:
    data = crowd(tmp_path / "data", 2)
    result = invoke(
        "difficulty", "crowd-protocols", "--data-dir", data, "--allow-unverified",
        "--write-parser-input", tmp_path / "in.txt", "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    text = (tmp_path / "in.txt").read_text(encoding="utf-8")
    assert text == "Ed ran home .\n" * 3
    assert not (tmp_path / "out").exists()


def test_parser_input_takes_no_file_s_place(tmp_path: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl")
    before = own.read_bytes()

    result = invoke(
        "difficulty", "custom", "--data-file", own, "--write-parser-input", own, "--output",
        tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 2
    assert "own.jsonl' is there already; give a new file" in result.stderr
    assert own.read_bytes() == before


def test_filter_keeps_what_the_run_got_wrong(tmp_path: Path) -> None:
    def rule(one: dict[str, Any], number: int) -> list[float]:
        wrong = (one["label"] + 1) % len(one["options"])
        chosen = wrong if number % 5 == 0 else one["label"]
        return [float(place == chosen) for place in range(len(one["options"]))]

    run = make_run(tmp_path / "run", ["sample"], rule=rule)
    result = invoke("filter", "sample", "--model", run, "--output", tmp_path / "out")

    assert result.exit_code == 0, result.output
    kept = list(read_examples([tmp_path / "out" / "kept.jsonl"], None, "test"))
    examples = read_split(corpora.get("sample"), find_source(corpora.get("sample")), "test")
    assert [(one.id, one.label, one.options) for one in kept] == [
        (one.id, one.label, one.options) for one in examples[::5]
    ]
    table = (tmp_path / "out" / "tables" / "by-question-word.csv").read_text(encoding="utf-8")
    assert table.startswith("group,n,n_kept,")
    figure = (tmp_path / "out" / "figures" / "by-question-word.svg").read_text(encoding="utf-8")
    assert f"all (n {len(examples)})" in figure
    assert f"kept (n {len(kept)})" in figure
    assert ">question word<" in figure
    assert "intervals of the kept; all questions" in figure


def test_filter_runs_a_baseline_itself(tmp_path: Path) -> None:
    needed.package("torch", "extra train")
    result = invoke(
        "filter", "sample", "--model", "longest-option", "--model-kind", "baseline", "--run",
        tmp_path / "run", "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert (tmp_path / "run" / "predictions" / "sample.jsonl").is_file()
    assert (tmp_path / "out" / "kept.jsonl").stat().st_size > 0


def test_filter_takes_no_run_s_place(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    result = invoke(
        "filter", "sample", "--model", "longest-option", "--model-kind", "baseline", "--run",
        tmp_path / "run", "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 2
    assert "run' is there already; give a new folder, or name it with --model" in result.stderr
    assert "--output_dir" not in result.stderr
    assert not (tmp_path / "out").exists()


def test_filter_names_every_baseline() -> None:
    text = " ".join(invoke("filter", "--help").output.split())

    assert all(name in text for name in BASELINES)


def test_filter_that_keeps_nothing_says_so(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run", ["sample"],
        rule=lambda one, _: [float(n == one["label"]) for n in range(len(one["options"]))],
    )  # fmt: skip
    result = invoke("filter", "sample", "--model", run, "--output", tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert "nothing is kept" in result.stderr
    assert (tmp_path / "out" / "kept.jsonl").read_text(encoding="utf-8") == ""


def test_leave_out_parts_every_source_from_the_others(tmp_path: Path) -> None:
    data = crowd(tmp_path / "data")
    result = invoke(
        "leave-out", "crowd-protocols", "--data-dir", data, "--allow-unverified", "--output",
        tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    for source, others in (("slate", "verbatim"), ("verbatim", "slate")):
        found = {
            split: list(read_examples([tmp_path / "out" / source / f"{split}.jsonl"], None, split))
            for split in ("train", "validation", "test")
        }
        assert len(found["test"]) == 12
        assert all(f"/{source}/" in one.passage_id for one in found["test"])
        learnt = [*found["train"], *found["validation"]]
        assert len(learnt) == 12
        assert all(f"/{others}/" in one.passage_id for one in learnt)


def test_leave_out_without_sources_writes_nothing(tmp_path: Path) -> None:
    result = invoke("leave-out", "sample", "--output", tmp_path / "other")

    assert result.exit_code == 2
    assert "questions name no source (the first is 'test/" in result.stderr
    assert list(tmp_path.iterdir()) == []


def own_questions(path: Path, n: int = 20) -> Path:
    rows = [
        {
            "passage": f"Ed ran {number} miles.", "question": "How far?", "label": number % 2,
            "options": ["one", f"two {number}"], "source": "abc"[number % 3], "method": "standard",
            "votes": [number % 2] * 4 + [-1], "types": ["numeric"], "models": ["m1", "m2"],
            "models_right": [number % 2 == 0, number % 5 == 0],
        }
        for number in range(n)
    ]  # fmt: skip
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    return path


def test_filter_of_own_questions_keeps_what_difficulty_reads(
    tmp_path: Path, frequencies: Path
) -> None:
    own = own_questions(tmp_path / "own.jsonl")
    wrong = make_run(
        tmp_path / "run", ["custom"], own=own,
        rule=lambda one, n: [float((place == one["label"]) == (n % 4 > 0)) for place in (0, 1)],
    )  # fmt: skip
    kept, output = tmp_path / "kept" / "kept.jsonl", tmp_path / "out"

    result = invoke(
        "filter", "custom", "--data-file", own, "--model", wrong, "--output", kept.parent
    )

    assert result.exit_code == 0, result.output
    assert (kept.parent / "tables" / "by-source.csv").is_file()
    result = invoke(
        "difficulty", "custom", "--data-file", kept, "--frequencies", frequencies, "--output",
        output,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "of them with votes, and 2 models" in (output / "report.md").read_text(encoding="utf-8")
    assert (output / "figures" / "types-by-method.svg").is_file()


def test_empty_passages_of_own_questions_are_counted(tmp_path: Path, frequencies: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl")
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace("Ed ran 7 miles.", " ").replace("Ed ran 9 miles.", ""), "utf-8")
    output = tmp_path / "out"

    result = invoke(
        "difficulty", "custom", "--data-file", own, "--frequencies", frequencies, "--output",
        output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    told = "2 of 20 questions have an empty passage (the first is record 8): of 0 words"
    assert told in result.stderr
    for name in ("report.md", "report.html"):
        assert told in (output / name).read_text("utf-8")


def test_filter_lets_a_model_answer_own_questions(tmp_path: Path) -> None:
    needed.package("torch", "extra train")
    result = invoke(
        "filter", "custom", "--data-file", own_questions(tmp_path / "own.jsonl"), "--model",
        "longest-option", "--model-kind", "baseline", "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    kept = list(read_examples([tmp_path / "out" / "kept.jsonl"], None, "test"))
    assert {one.label for one in kept} == {0}


def test_leave_out_of_own_questions_needs_their_sources(tmp_path: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl")
    result = invoke("leave-out", "custom", "--data-file", own, "--output", tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["a", "b", "c"]


def text_source(root: Path) -> Path:
    """A released file of 6 questions, of which 2 have no passage."""
    vote = {"worker_answer_index": 0, "unanswerable": False, "elapsed_time_second": 50}
    rows: list[dict[str, Any]] = [
        {
            "passage": f"Ed ran {n} times.", "question": "Who ran?", "options": ["Ed", "Al"] * 2,
            "question_id": f"{source}_plain_{n}", "passage_id": f"{source}_{n}", "gold_label": 0,
            "worker_id": "w9", "elapsed_time_second": 60, "source": source,
            "validation_data": [{**vote, "worker_id": f"w{i}"} for i in range(5)],
            "model_predictions": [["m", n % 2 == 0]], "valid": True, "unanimous": True,
            "validation_index_for_filtering": [0, 1],
            "validation_index_for_performance": [2, 3, 4],
        }
        for n, source in enumerate(["slate", "slate", "wiki", "wiki", "race", "race"])
    ]  # fmt: skip
    for row in rows[4:]:
        row["passage"] = ""
    path = root / "release_data.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return root


@pytest.mark.parametrize("flag", ["--skip-incomplete", "--allow-unverified"])
@pytest.mark.parametrize("command", ["difficulty", "leave-out", "filter"])
def test_questions_left_out_are_counted(
    tmp_path: Path, frequencies: Path, monkeypatch: pytest.MonkeyPatch, command: str, flag: str
) -> None:
    corpus = corpora.get("qa-text-source")
    monkeypatch.setattr(corpora, "get", lambda _: replace(corpus, pins={"test": Pin(None, 6, "")}))
    output = tmp_path / "out"
    flags: dict[str, list[object]] = {
        "difficulty": ["--frequencies", frequencies],
        "filter": ["--model", "longest-option", "--model-kind", "baseline"],
        "leave-out": [],
    }

    result = invoke(
        command, "qa-text-source", "--data-dir", text_source(tmp_path / "data"), "--output",
        output, flag, *flags[command],
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    told = "2 of 6 questions are left out, since their passages are not there (race 2)"
    assert f"left out: {told}" in result.stderr
    if command != "leave-out":
        for name in ("report.md", "report.html"):
            text = (output / name).read_text(encoding="utf-8")
            assert told in text
            assert ("are not checked" in text) == (flag == "--allow-unverified")
