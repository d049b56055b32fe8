"""`mcrc-adversarial difficulty`, as a user meets it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import needed
import pytest
from commands import invoke
from difficult_files import crowd, own_questions
from run_folders import make_run

from mcrc_adversarial.corpora import Pin, corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples

needed.package("matplotlib", "extra report")
needed.package("readability", "extra difficulty")


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
