"""What all commands have in common: help, mistakes, interruptions, imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT, invoke, plain

from mcrc_adversarial.cli import build as build_module


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
