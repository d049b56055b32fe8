"""The commands `report` and `case`."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_folders
from run_folders import make_run

from mcrc_adversarial.cli import _extras, app, import_commands

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
    assert "What moved the right option most" in printed.out
    assert "missing" not in printed.err
    assert (tmp_path / "case" / "figures" / "case.svg").is_file()
    assert (tmp_path / "case" / "tables" / "case.csv").is_file()


def test_case_averages_many_questions(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("case", str(run), "--config", CONFIGS[1], "--questions", "30") == 0
    assert "Words of the passage change it by" in capsys.readouterr().out


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
