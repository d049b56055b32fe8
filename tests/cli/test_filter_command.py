"""`mcrc-adversarial filter`, as a user meets it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import needed
from commands import invoke
from difficult_files import own_questions
from run_folders import make_run

from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.inference.baselines import BASELINES

needed.package("matplotlib", "extra report")
needed.package("readability", "extra difficulty")


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


def test_filter_lets_a_model_answer_own_questions(tmp_path: Path) -> None:
    needed.package("torch", "extra train")
    result = invoke(
        "filter", "custom", "--data-file", own_questions(tmp_path / "own.jsonl"), "--model",
        "longest-option", "--model-kind", "baseline", "--output", tmp_path / "out",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    kept = list(read_examples([tmp_path / "out" / "kept.jsonl"], None, "test"))
    assert {one.label for one in kept} == {0}
