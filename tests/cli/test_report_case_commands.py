"""The commands `report` and `case`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import run_folders
from run_folders import make_run

from mcrc_adversarial.cli import _extras, app, import_commands
from mcrc_adversarial.corpora import corpora

CONFIGS = ["sample", "sample-addsent2opt-shuffle"]


def run_command(*argv: str) -> int:
    import_commands()
    with pytest.raises(SystemExit) as ended:
        app(list(argv), prog_name="mcrc-adversarial")
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the baseline word-overlap, as train.py would have left it."""
    from mcrc_adversarial.inference.baselines import overlap_scores

    folder = make_run(
        tmp_path_factory.mktemp("runs") / "run",
        CONFIGS,
        rule=lambda row, _: overlap_scores(row),
        model="word-overlap",
        kind="baseline",
    )

    def settings(content: dict) -> None:
        content["arguments"]["data"].update(max_length=512, fill_blank=False)
        content["arguments"]["run"].update(evaluate_token_budget=16384)

    run_folders.edit_record(folder, settings)
    return folder


def test_report_writes_a_folder_and_prints_the_table(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run_command("report", str(run), "--output", str(tmp_path / "out"))

    printed = capsys.readouterr()
    assert status == 0
    assert "addsent2opt-shuffle" in printed.out
    assert printed.out.rstrip().endswith("report.html")
    assert "missing: word-overlap: one seed only" in printed.err
    assert {one.name for one in (tmp_path / "out").iterdir()} == {
        ".mcrc-report", "report.html", "report.md", "tables", "figures",
    }  # fmt: skip


def test_report_without_its_extra_is_one_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_extras, "find_spec", lambda name: None)
    assert run_command("report", str(run), "--output", str(tmp_path / "out")) == 2
    assert "pip install 'mcrc-adversarial[report]'" in capsys.readouterr().err


def test_case_shows_one_question(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = run_folders.config_rows(CONFIGS[1])[4]
    status = run_command(
        "case", str(run), "--id", row["id"], "--config", CONFIGS[1], "--output",
        str(tmp_path / "case"),
    )  # fmt: skip

    printed = capsys.readouterr()
    assert status == 0
    assert "What moved the answer most, softmax of the scores in points:" in printed.out
    assert "missing" not in printed.err
    assert (tmp_path / "case" / "figures" / "case.svg").is_file()
    assert (tmp_path / "case" / "tables" / "case.csv").is_file()
    text = (tmp_path / "case" / "report.md").read_text(encoding="utf-8").replace("\\", "")
    for shown in (printed.out, text):
        assert f"Question {row['id']}: {row['question']}" in shown
        assert "Run run: word-overlap (baseline; not trained here), training seed 1" in shown
        assert "licence CC0-1.0" in shown
    svg = (tmp_path / "case" / "figures" / "case.svg").read_text(encoding="utf-8")
    assert "Run run: word-overlap" in " ".join(re.findall(r">([^<>]+)</text>", svg))


def test_case_without_texts_has_none(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = run_folders.config_rows(CONFIGS[1])[4]
    assert run_command(
        "case", str(run), "--id", row["id"], "--config", CONFIGS[1], "--no-text", "--output",
        str(tmp_path / "case"),
    ) == 0  # fmt: skip
    text = (tmp_path / "case" / "report.md").read_text(encoding="utf-8")
    csv = (tmp_path / "case" / "tables" / "case.csv").read_text(encoding="utf-8")
    assert "word 1" in csv
    for shown in (capsys.readouterr().out, text, csv):
        assert row["question"] not in shown
        assert max(row["options"][1].split(), key=len) not in shown


def test_case_of_an_original_says_that_nothing_was_altered(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("case", str(run), "--config", "sample", "--questions", "5") == 0
    assert "that the attack did not alter, with its own words" in capsys.readouterr().out


def test_case_carries_the_notice_that_a_licence_asks_for(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpora.get("sample")
    licence = replace(corpus.licence, notice="Say what was changed.")
    monkeypatch.setitem(corpora._entries, "sample", replace(corpus, licence=licence))
    assert run_command("case", str(run), "--config", CONFIGS[1], "--questions", "3") == 0
    assert "Say what was changed. Changed on 2" in capsys.readouterr().out


def test_case_averages_many_questions(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(
        "case", str(run), "--config", CONFIGS[1], "--questions", "30", "--output",
        str(tmp_path / "case"),
    ) == 0  # fmt: skip
    told = "Words of the passage change the right option's softmax of the scores by"
    assert told in capsys.readouterr().out
    assert (tmp_path / "case" / "figures" / "word-classes.svg").is_file()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--config", "sample-q-remove"], "was not scored on 'sample-q-remove'"),
        (["--config", "sample", "--id", "nothing"], "has no question 'nothing'"),
        (["--config", "sample", "--option", "B"], "give --id as well"),
        (["--config", "sample", "--id", "x", "--option", "BB"], "no letter from A to Z"),
    ],
)
def test_mistakes_are_one_line(
    run: Path, flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "x" in flags:
        flags = [run_folders.config_rows("sample")[0]["id"] if one == "x" else one for one in flags]
    assert run_command("case", str(run), *flags) == 2
    (line,) = [one for one in capsys.readouterr().err.splitlines() if one.startswith("error")]
    assert message in line


def test_folder_that_is_no_run_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("report", str(tmp_path), "--output", str(tmp_path / "out")) == 2
    assert "is no run" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["report", "case"])
def test_data_dir_that_is_not_there_is_one_line(
    run: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--config", "sample"] if command == "case" else ["--output", str(tmp_path / "out")]
    assert run_command(command, str(run), *flags, "--data-dir", str(tmp_path / "nope")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "'--data-dir'" in line
    assert "nope" in line
