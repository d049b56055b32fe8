"""The commands `annotate export` and `annotate import`, as people use them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import needed
import pytest
from annotation_sets import rows_of, write_rows

from mcrc_adversarial.cli import _extras, app, import_commands

needed.package("nltk", "extra annotate")
KEY = "KEY-do-not-give-to-annotators.json"
CONFIGS = ["sample", "sample-charswap", "sample-ans2opt-shuffle"]


def run_command(*argv: object) -> int:
    import_commands()
    with pytest.raises(SystemExit) as ended:
        app([str(one) for one in argv], prog_name="mcrc-adversarial")
    return int(ended.value.code or 0)


def export(output: Path, *more: object) -> int:
    sizes = ["--per-attack", 4, "--annotators", 3, "--votes", 2]
    return run_command("annotate", "export", *CONFIGS, *sizes, "--output", output, *more)


def key_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / KEY).read_text(encoding="utf-8"))


def fill(folder: Path, answers: Path) -> list[Path]:
    """Everybody right."""
    answers.mkdir()
    items = key_of(folder)["items"]
    paths = []
    for path in sorted((folder / "sheets").glob("*.csv")):
        heading, *rows = rows_of(path.read_text(encoding="utf-8-sig"))
        for row in rows:
            item = items[row[heading.index("item")]]
            row[heading.index("answer")] = "ABCD"[item["order"].index(item["label"])]
        paths.append(write_rows(answers / path.name, [heading, *rows]))
    return paths


def test_export_and_import_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(tmp_path / "out") == 0
    printed = capsys.readouterr()
    assert f"keep to yourself: {tmp_path / 'out' / KEY}" in printed.out
    assert "CC0-1.0" in printed.out
    names = {path.name for path in (tmp_path / "out" / "sheets").iterdir()}
    sheets = {f"annotator-{number}.{kind}" for number in (1, 2, 3) for kind in ("csv", "html")}
    assert names == {"INSTRUCTIONS.txt", *sheets}

    paths = fill(tmp_path / "out", tmp_path / "filled")
    report = ["--key", tmp_path / "out" / KEY, "--output", tmp_path / "report"]
    assert run_command("annotate", "import", *paths, *report) == 0
    printed = capsys.readouterr()
    assert "Which attacks keep the label" in printed.out
    assert printed.err == ""
    content = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    rows = content["tables"]["human-accuracy"]
    assert [row["config"] for row in rows] == CONFIGS
    assert {row["majority_accuracy"]["value"] for row in rows} == {1.0}
    assert "| sample-charswap | 4 |" in (tmp_path / "report" / "report.md").read_text()
    assert len((tmp_path / "report" / "votes.jsonl").read_text().splitlines()) == sum(
        row["items"] for row in rows
    )
    with (tmp_path / "report" / "answers.csv").open(encoding="utf-8", newline="") as file:
        assert {row["right"] for row in csv.DictReader(file)} == {"yes"}
    # A second import replaces the report.
    assert run_command("annotate", "import", *paths[1:], *report) == 0
    assert "missing: annotator-1: no answer to any of" in capsys.readouterr().err


def test_export_says_when_people_meet_a_question_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(tmp_path / "few") == 0
    assert "gets another version of a question" in capsys.readouterr().err
    assert export(tmp_path / "many", "--annotators", 9) == 0
    assert capsys.readouterr().err == ""


def test_export_takes_parameters_and_seeds(tmp_path: Path) -> None:
    assert export(tmp_path / "one", "--param", "shuffle_degree=0.9", "--attack-seed", 3) == 0
    assert export(tmp_path / "two", "--seed", 1, "--types", "--catch-share", 0) == 0
    one, two = key_of(tmp_path / "one"), key_of(tmp_path / "two")
    assert one["settings"]["parameters"] == {"shuffle_degree": 0.9}
    assert one["settings"]["attack_seed"] == 3
    assert two["settings"]["seed"] == 1
    assert two["settings"]["types"]
    assert not [item for item in two["items"].values() if item["is_catch"]]
    page = (tmp_path / "two" / "sheets" / "annotator-1.html").read_text(encoding="utf-8")
    assert "spatial-temporal" in page


def test_sheets_of_a_real_corpus_carry_its_notice(data_dir: Path, tmp_path: Path) -> None:
    command = ["annotate", "export", "mc160", "mc160-addans2opt", "--per-attack", 5]
    command += ["--data-dir", data_dir, "--output", tmp_path / "out"]
    assert run_command(*command) == 0
    for name in ("annotator-1.csv", "annotator-1.html", "INSTRUCTIONS.txt"):
        text = (tmp_path / "out" / "sheets" / name).read_text(encoding="utf-8")
        assert "Changed from MCTest by Microsoft Research" in text
        assert "addans2opt" not in text


def own_file(path: Path, n: int) -> Path:
    lines = [
        {
            "passage": f"Ivo sold {number} eggs at noon. Rain came at four.",
            "question": "What did Ivo sell?",
            "options": ["eggs", "rain water", "his old home"],
            "label": 0,
        }
        for number in range(n)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


# --file is what the option was called before all commands called it alike.
@pytest.mark.parametrize("option", ["--data-file", "--file"])
def test_export_asks_about_questions_of_ones_own(tmp_path: Path, option: str) -> None:
    own, catch = own_file(tmp_path / "own.jsonl", 20), own_file(tmp_path / "catch.jsonl", 40)
    command = ["annotate", "export", "custom", "custom-p-shuffle", option, own]
    command += ["--catch", catch, "--output", tmp_path / "out", "--per-attack", 6]
    assert run_command(*command) == 0
    key = key_of(tmp_path / "out")
    assert key["settings"]["configs"] == ["custom", "custom-p-shuffle"]
    assert key["settings"]["catch"] == "custom"
    asked = {item["id"] for item in key["items"].values() if not item["is_catch"]}
    assert len(asked) == 6
    # Half of the catch file is the own file: none of what is asked comes again as a catch item.
    assert not asked & {item["id"] for item in key["items"].values() if item["is_catch"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sample", "--votes", "9"], "9 votes on each item, but 5 annotators"),
        (["sampl"], "no config is called 'sampl'; did you mean sample"),
        (["sample", "--catch", "custom"], "--catch 'custom' is no corpus of its own"),
        (["sample", "--catch", "none.jsonl"], "none.jsonl"),
        (["sample", "--catch-share", "1"], "catch share is 1.0"),
        (["sample", "--data-file", "own.jsonl"], "--data-file 'own.jsonl' is for the configs of"),
        (["custom"], "name it with --data-file"),
        (["sample", "--seed", "-1"], "seed is -1"),
        (["sample", "--attack-seed", "-2"], "seed is -2"),
        (["sample", "--split", "dev"], "dev"),
        (["sample", "--param", "shuffle=1"], "--param 'shuffle' is no parameter"),
    ],
)
def test_export_mistakes_are_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    output = tmp_path / "out"
    status = run_command("annotate", "export", *arguments, "--output", output)
    printed = capsys.readouterr()
    assert status == 2
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert not output.exists()


def test_export_never_replaces_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(tmp_path / "out") == 0
    before = (tmp_path / "out" / KEY).read_bytes()
    capsys.readouterr()
    assert export(tmp_path / "out", "--seed", 5) == 2
    assert "is not empty; give a new folder" in capsys.readouterr().err
    assert (tmp_path / "out" / KEY).read_bytes() == before


def test_import_says_every_problem_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(tmp_path / "out") == 0
    paths = fill(tmp_path / "out", tmp_path / "filled")
    heading, *rows = rows_of(paths[0].read_text(encoding="utf-8"))
    rows[0][heading.index("answer")] = "F"
    rows[1][heading.index("item")] = "Q7777"
    write_rows(paths[0], [heading, *rows])
    capsys.readouterr()
    report = ["--key", tmp_path / "out" / KEY, "--output", tmp_path / "report"]
    assert run_command("annotate", "import", *paths, paths[1], *report) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"{paths[0]}, line 2, item {rows[0][2]}: answer 'F' is none of A")
    assert "'Q7777' is no item of this export" in lines[1]
    n_items = len(key_of(tmp_path / "out")["sheets"]["annotator-2"])
    (line,) = [one for one in lines if "answered them before" in one]
    assert f"and {n_items - 1} more: annotator-2 answered them before, in {paths[1]};" in line
    assert lines[-1].startswith("error: 3 problem(s) in the sheets")
    assert not (tmp_path / "report").exists()


def test_import_without_answers_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(tmp_path / "out") == 0
    capsys.readouterr()
    sheets = sorted((tmp_path / "out" / "sheets").glob("*.csv"))
    report = ["--key", tmp_path / "out" / KEY, "--output", tmp_path / "report"]
    assert run_command("annotate", "import", *sheets, *report) == 2
    assert capsys.readouterr().err == (
        "error: none of 3 file(s) holds an answer; fill the column 'answer'\n"
    )
    assert run_command("annotate", "import", *sheets, *report, "--bonus-from", "0.5") == 2
    assert "bonus_from is 0.5, below" in capsys.readouterr().err
    report[1] = sheets[0]
    assert run_command("annotate", "import", *sheets, *report) == 2
    assert "is no key of an export" in capsys.readouterr().err


def test_import_lists_disqualified_annotators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(tmp_path / "out") == 0
    paths = fill(tmp_path / "out", tmp_path / "filled")
    heading, *rows = rows_of(paths[0].read_text(encoding="utf-8"))
    for row in rows:
        row[heading.index("answer")] = "unanswerable"
    write_rows(paths[0], [heading, *rows])
    capsys.readouterr()
    report = ["--key", tmp_path / "out" / KEY, "--output", tmp_path / "report"]
    assert run_command("annotate", "import", *paths, *report) == 0
    assert "0 of 1 catch items right, below 60%: counted all the same" in capsys.readouterr().err
    assert run_command("annotate", "import", *paths, *report, "--exclude-disqualified") == 0
    assert "0 of 1 catch items right, below 60%: left out" in capsys.readouterr().err
    content = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    assert content["left_out"] == ["annotator-1"]
    assert "left out: annotator-1" in (tmp_path / "report" / "report.md").read_text()


@pytest.mark.parametrize(("command", "module"), [("export", "jinja2"), ("import", "nltk")])
def test_annotate_without_its_extra_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    module: str,
) -> None:
    found = _extras.find_spec
    monkeypatch.setattr(_extras, "find_spec", lambda one: None if one == module else found(one))
    more = ["--key", "k"] if command == "import" else []
    status = run_command("annotate", command, "sample", *more, "--output", tmp_path / "out")
    assert status == 2
    assert capsys.readouterr().err == (
        f"error: {module} is not installed; run: pip install 'mcrc-adversarial[annotate]'\n"
    )
