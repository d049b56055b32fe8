"""The commands list, show and build, as a user meets them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pytest
from tiny_corpus import NAME, SIZES, add, remove, tiny_corpus
from typer.testing import CliRunner

from mcrc_adversarial.attacks import REASONS, attacks, self_contained
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.cli import build as build_module
from mcrc_adversarial.configs import config_names
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.tables import markdown_tables

ROOT = Path(__file__).parent.parent.parent
import_commands()


def invoke(*arguments: str, **environment: str) -> Any:
    return CliRunner(env={"NO_COLOR": None, "COLUMNS": None, **environment}).invoke(
        app, arguments, prog_name="mcrc-adversarial"
    )


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "raw"
    folder.mkdir()
    add(tiny_corpus(folder))
    yield folder
    remove(NAME)


# --- the application


@pytest.mark.parametrize("command", [[], ["list"], ["show"], ["build"], ["push"]])
def test_help_of_every_command_shows_an_example(command: list[str]) -> None:
    result = invoke(*command, "--help")

    assert result.exit_code == 0
    assert "$ mcrc-adversarial " in plain(result.output)


def test_a_command_is_run_without_the_modules_of_others() -> None:
    code = (
        "import sys; from mcrc_adversarial.cli import main;"
        "import atexit; atexit.register(lambda: print('scipy' in sys.modules));"
        "sys.argv[1:] = ['list']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "False"
    assert "sample" in done.stdout


def test_help_names_every_command_module() -> None:
    files = (ROOT / "mcrc_adversarial" / "cli").glob("[a-z]*.py")
    # A module `app` would hide the application itself.
    modules = {path.stem.replace("_", "-").replace("page", "app") for path in files}

    output = plain(invoke("--help").output)

    assert {"list", "show", "build"} <= modules
    assert all(re.search(rf"^\W*{name}\b", output, re.MULTILINE) for name in modules)


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "sampel"],
        ["show", "sample-p-shufle"],
        ["show", "sample", "--split", "tset"],
        ["show", "sample", "--id", "test/nothing-0"],
        ["show", "sample", "--seed", "-1"],
        ["show", "sample", "--param", "shuffle_degree=0.8"],
        ["show", "sample-p-shuffle", "--param", "shuffle_degree=high"],
        ["show", "sample-p-shuffle", "--param", "shuffle_degree=1.0"],
        ["show", "sample-p-shuffle", "--param", "shuffle_degree"],
        ["show", "sample-p-shuffle", "--param", "degree=0.8"],
        ["show", "custom"],
        ["show", "race"],
        ["list", "--stats", "custom"],
        ["list", "--stats", "sample", "--seed", "-1"],
        ["build", "sampel", "--output", "out"],
        ["build", "sample", "--output", "out", "--attacks", "p-shufle"],
        ["build", "sample", "--output", "out", "--splits", "dev"],
        ["build", "sample", "--output", "out", "--num-proc", "0"],
        ["build", "custom", "--output", "out"],
        ["build", "race", "--output", "out", "--data-dir", "nowhere"],
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_status_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = invoke(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"error: [^\n]+\n", result.stderr)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["build"], ["show"], ["lits"], ["list", "--colour"]])
def test_a_wrong_call_has_status_2(arguments: list[str]) -> None:
    assert invoke(*arguments).exit_code == 2


def test_a_mistake_is_shown_without_its_control_characters() -> None:
    result = invoke("show", "sam\x1b[2Jple\n\u202e")

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr
    assert "\u202e" not in result.stderr


def test_interruption_is_one_line_and_status_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(build_module, "export", interrupt)
    result = invoke("build", "sample", "--output", str(tmp_path / "out"))

    assert result.exit_code == 130
    assert re.fullmatch(r"interrupted: .*same command goes on.*\n", result.stderr)


def run(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mcrc_adversarial", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_reader_that_leaves_is_no_error() -> None:
    process = run("show", "sample-p-shuffle", "--number", "150")
    assert process.stdout is not None
    assert process.stderr is not None

    process.stdout.read(10)
    process.stdout.close()

    assert process.stderr.read() == ""
    process.stderr.close()
    process.wait(timeout=60)


# --- list


def test_list_has_every_corpus_and_every_attack() -> None:
    output = invoke("list").output

    for corpus in corpora:
        assert re.search(rf"│ {corpus.name} .*{re.escape(corpus.licence.name)}", output)
    for attack in attacks:
        assert re.search(rf"│ {attack.name} .*{re.escape(attack.summary)}", output)


def test_list_says_which_corpora_are_found(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "RACE" / "test"
    for level in ("middle", "high"):
        (folder / level).mkdir(parents=True)
        (folder / level / "1.txt").write_text("{}", encoding="utf-8")

    output = invoke("list", "--data-dir", str(tmp_path / "data")).output

    found = dict(re.findall(r"^│ (\S+) .* (yes|no|-) +│$", output, re.MULTILINE))
    assert found["race"] == found["sample"] == found[NAME] == "yes"
    assert found["dream"] == "no"
    assert found["custom"] == "-"


def test_list_downloads_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def download(*_: object) -> None:
        raise AssertionError

    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setattr("mcrc_adversarial.corpora._download.fetch", download)

    assert invoke("list").exit_code == 0
    assert invoke("list", MCRC_DATA_DIR=str(tmp_path)).exit_code == 0


def test_list_configs_prints_one_name_a_line() -> None:
    assert invoke("list", "--configs").output.splitlines() == list(config_names())


def test_list_markdown_prints_the_tables_of_the_readme() -> None:
    output = invoke("list", "--markdown").output

    assert output == markdown_tables() + "\n"
    for name in (*corpora.names(), *attacks.names()):
        assert f"\n| {name} |" in output


def test_readme_has_the_tables_of_this_version() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    between = re.search(r"<!-- tables -->\n(.*)<!-- /tables -->", readme, re.DOTALL)

    assert between is not None
    assert between[1].strip() == markdown_tables()


@pytest.mark.usefixtures("tiny")
def test_list_stats_counts_what_the_attacks_do() -> None:
    output = invoke("list", "--stats", NAME, "--split", "test").output

    assert re.search(rf"│ original +│ +{SIZES['test']} │ +0 │", output)
    assert all(re.search(rf"│ {name} +│ +{SIZES['test']} │", output) for name in self_contained())
    assert re.search(r"no-sentence \d", output)


@pytest.mark.parametrize("columns", [30, 50, 80, 120])
def test_list_fits_a_narrow_terminal(columns: int) -> None:
    output = plain(invoke("list", FORCE_COLOR="1", COLUMNS=str(columns)).output)

    assert max(map(len, output.splitlines())) <= columns
    assert all(name in output for name in (*attacks.names(), *corpora.names()))


# --- show


def test_show_marks_the_right_option_and_what_was_put_in() -> None:
    output = invoke("show", "sample-addsent2opt", "-n", "1").output

    assert len(re.findall(r"^\* [A-D]  ", output, re.MULTILINE)) == 1
    assert len(re.findall(r"^  [A-D]  .*\{\+.*\+\}$", output, re.MULTILINE)) == 3


def test_show_of_an_original_marks_nothing() -> None:
    output = invoke("show", "sample", "-n", "2").output

    assert output.count("\nPassage\n") == 2
    assert "{+" not in output


def test_show_uses_colours_instead_of_marks_where_it_may() -> None:
    coloured = invoke("show", "sample-p-shuffle", "-n", "1", FORCE_COLOR="1", TERM="xterm")
    without = invoke("show", "sample-p-shuffle", "-n", "1", FORCE_COLOR="1", NO_COLOR="1")

    assert "\x1b[" in coloured.output
    assert "{+" not in coloured.output
    assert "{+" in without.output
    assert "ShuffleDegree 0." in plain(coloured.output)


def test_show_takes_an_id_from_any_split() -> None:
    listed = invoke("show", "sample", "--split", "train", "-n", "2").output
    wanted = re.findall(r"^train/\S+$", listed, re.MULTILINE)[1]

    output = invoke("show", "sample-q-remove", "--id", wanted).output

    assert output.startswith(f"{wanted}\n")
    assert output.count("\nPassage") == 1


def test_show_shuffles_by_seed_and_parameter() -> None:
    outputs = {
        invoke("show", "sample-p-shuffle", "-n", "1", *more).output
        for more in ([], ["--seed", "1"], ["--param", "shuffle_degree=0.96"])
    }

    assert len(outputs) == 3


@pytest.mark.usefixtures("tiny")
def test_show_says_why_an_attack_could_not_apply() -> None:
    output = invoke("show", f"{NAME}-p-shuffle", "-n", "7").output

    assert f"reason empty: {REASONS['empty']}" in output


def test_show_prints_text_as_text(tiny: Path) -> None:
    line = (tiny / "test.jsonl").read_text(encoding="utf-8").splitlines()[0]
    evil = r"[red]x[/red] :smile: \u001b[31m \u202e \u009b \r \u0007 | <b>&amp;</b>"
    (tiny / "test.jsonl").write_text(line.replace("Ines", evil) + "\n", encoding="utf-8")

    output = invoke("show", NAME).output

    assert r"[red]x[/red] :smile: \x1b[31m \u202e \x9b " in output
    assert r"\x07 | <b>&amp;</b>" in output
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", output)


# --- build


@pytest.mark.usefixtures("tiny")
def test_build_all_makes_the_original_and_every_attack(tmp_path: Path) -> None:
    output = tmp_path / "out"

    result = invoke("build", NAME, "--attacks", "all", "--output", str(output))

    assert result.exit_code == 0
    assert result.stderr == ""
    names = {path.name for path in output.iterdir() if path.is_dir()}
    assert names == {NAME, *(f"{NAME}-{attack}" for attack in self_contained())}
    assert re.search(rf"│ {NAME}-p-remove +│ test +│ +{SIZES['test']} │ +\d │", result.stdout)
    call = re.search(r'load_dataset\("(.+)", "(.+)"\)', result.stdout)
    assert call is not None
    loaded = datasets.load_dataset(call[1], call[2], cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == SIZES


@pytest.mark.usefixtures("tiny")
def test_build_makes_what_it_is_told(tmp_path: Path) -> None:
    output = tmp_path / "out"

    result = invoke(
        *("build", NAME, "sample", "--attacks", "original,p-shuffle", "--splits", "test"),
        *("--param", "shuffle_degree=0.7", "--seed", "5", "--output", str(output)),
    )

    assert result.exit_code == 0
    files = {path.relative_to(output).as_posix() for path in output.rglob("*.parquet")}
    assert files == {
        f"{config}/test.parquet"
        for config in (NAME, f"{NAME}-p-shuffle", "sample", "sample-p-shuffle")
    }
    card = (output / "README.md").read_text(encoding="utf-8")
    assert f"| 5 | shuffle_degree=0.7 | sample, {NAME} |" in card


def test_build_prints_the_name_of_its_folder_as_text(tmp_path: Path) -> None:
    output = tmp_path / "[red]x[/red] :smile:"

    result = invoke("build", "sample", "--attacks", "q-remove", "--output", str(output))

    assert f'load_dataset("{output}", "sample-q-remove")' in result.stdout


def test_build_can_be_interrupted_and_goes_on(tmp_path: Path) -> None:
    whole, output = str(tmp_path / "whole"), tmp_path / "out"
    arguments = ("build", "sample", "--num-proc", "2", "--output")
    code = (
        "import os, signal\n"
        "from mcrc_adversarial.export import folder\n"
        "add = folder.Folder.add\n"
        "def add_one(self, record):\n"
        "    add(self, record)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "folder.Folder.add = add_one\n"
        "from mcrc_adversarial.cli import main\n"
        "main()\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", code, *arguments, str(output)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 128 + signal.SIGINT
    assert re.fullmatch(r"interrupted: [^\n]+\n", run.stderr)
    assert len(list(output.rglob("*.parquet"))) == 1
    assert not (output / ".building").exists()
    assert invoke(*arguments, str(output)).exit_code == 0
    assert invoke(*arguments, whole).exit_code == 0
    names = {path.relative_to(output) for path in output.rglob("*") if path.is_file()}
    assert all((output / one).read_bytes() == (Path(whole) / one).read_bytes() for one in names)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing-of-that-name",),
        ("--nope",),
        ("show", "sample", "--number", "0"),
        ("show", "sample", "--seed", "1.5"),
        ("show",),
        ("build", "sample"),
    ],
)
def test_mistake_in_the_usage_is_one_line(arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stderr.startswith("error: ")


# datasets looks which libraries are installed; it does not import them.
NO_TORCH = """
import sys
import datasets

class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("torch", "transformers", "deepspeed", "matplotlib"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from mcrc_adversarial.cli import import_commands
import_commands()
"""


def test_commands_need_no_torch() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_TORCH], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
