"""Commands that no test can run (they need a GPU, a cluster, a network, a corpus) are understood.

Each is read by the parser of its own program, so that no option that the documentation shows can be
one that does not exist.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
from pages import PAGES, READ, ROOT, RUN, blocks, commands, documented

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.cli._building import named_attacks
from mcrc_adversarial.cli._options import parse_parameters
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.training.data import make_plan
from mcrc_adversarial.training.recipe import parse_arguments

SPLITS = {"train", "validation", "test"}
LANGUAGES = {RUN, READ, "python", "text", "json", "yaml"}
_SETTING = re.compile(r"[A-Z_]+=\S+")
# What they name is not on this machine: the parser asks only whether it is there.
_FOLDERS = ("corpora", "attacked")


def our_command(words: list[str]) -> tuple[str, dict[str, Any]]:
    """Name and parameters, as the command would get them; nothing is run."""
    import_commands()
    command: Any = typer.main.get_command(app)
    context = command.make_context("mcrc-adversarial", list(words))
    while hasattr(command, "resolve_command"):
        name, command, words = command.resolve_command(context, words)
        context = command.make_context(name, list(words), parent=context)
    return str(name), context.params


def check_ours(words: list[str]) -> None:
    """Options exist, and what they name does: corpora, configs, attacks, parameters."""
    name, given = our_command(words[1:])
    named = given.get("names") or ()
    if name == "export":
        expand_configs(named)
    else:
        assert all(corpora.get(corpus) for corpus in named)
    if isinstance(config := given.get("config"), str):
        expand_configs([config])
    if "attack_names" in given:
        chosen = named_attacks(given["attack_names"])
        check_parameters([one for one in chosen if one], given)
    assert {*(given.get("splits") or "test").split(",")} <= SPLITS


def check_parameters(names: Sequence[str], given: Mapping[str, Any]) -> None:
    """Parameters are those of the attacks, each with a value that the attack takes."""
    neighbours = given.get("neighbours")
    items = [*(given.get("param") or []), *([f"neighbours={neighbours}"] if neighbours else [])]
    values = parse_parameters(names, items)
    known = {one.name: one for name in names for one in attacks.get(name).parameters}
    assert values.keys() <= known.keys()
    for name, value in values.items():
        known[name].check(value)


def check_training(words: list[str]) -> None:
    """What stands behind `train.py`, without the DeepSpeed settings, which want its processes."""
    kept = [word for word in words if not word.endswith(".json") and word != "--deepspeed"]
    if "--deepspeed" in words:
        assert (ROOT / words[words.index("--deepspeed") + 1]).is_file()
    arguments = parse_arguments([*kept, "--use_cpu"])
    assert {one.partition("=")[0] for one in arguments.data.data_files} <= SPLITS
    if arguments.model.task == "answering":
        assert make_plan(arguments.data).evaluate or arguments.data.train


def check_python(words: list[str]) -> None:
    """`python train.py ...`, or the tests."""
    if words[1] == "train.py":
        return check_training(words[2:])
    if words[1:3] == ["-m", "spacy"]:
        # As the resource's own message has it.
        path = ROOT / "mcrc_adversarial" / "resources" / "spacy_english.py"
        code = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
        assert f'{" ".join(words)}"' in code
        return None
    assert words[1:3] == ["-m", "pytest"], words
    named = [word for word in words[3:] if word.startswith("tests")]
    assert all((ROOT / word).exists() for word in named)
    known = {"-m", "-s", "-k", "slow", "benchmark", "--update-golden"}
    return None if set(words[3:]) - set(named) <= known else pytest.fail(str(words))


def check_torchrun(words: list[str]) -> None:
    from torch.distributed.run import get_args_parser

    given = get_args_parser().parse_args(words[1:])
    assert given.training_script == "train.py"
    check_training(given.training_script_args)


def check_deepspeed(words: list[str]) -> None:
    os.environ.setdefault("DS_ACCELERATOR", "cpu")
    from deepspeed.launcher.runner import parse_args

    given = parse_args(words[1:])
    assert given.user_script == "train.py"
    check_training(given.user_args)


def check_accelerate(words: list[str]) -> None:
    from accelerate.commands.launch import launch_command_parser

    assert words[1] == "launch"
    given = launch_command_parser().parse_args(words[2:])
    assert given.training_script == "train.py"
    check_training(given.training_script_args)


def check_pip(words: list[str]) -> None:
    """Extras that are named exist; nothing is installed."""
    assert words[1] == "install"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for names in re.findall(r"\[([\w,]+)\]", " ".join(words)):
        for name in names.split(","):
            assert re.search(rf"^{name} = \[", project, re.MULTILINE), name


def check_harness(words: list[str]) -> None:
    """The line that tests/harnesses run, where the harness is there, on what `export` wrote."""
    tests = (ROOT / "tests" / "harnesses").glob("test_*.py")
    assert any(f'documented("{words[0]}")' in path.read_text(encoding="utf-8") for path in tests)
    assert words == shlex.split(documented(words[0]))
    written = {
        words[words.index("--output") + 1]
        for page, line in commands(RUN)
        if page == "docs/harnesses.md" and "mcrc-adversarial export" in line
        for words in [shlex.split(line)]
    }
    assert {word.partition("/")[0] for word in words} & written, words


def check_setting(words: list[str]) -> None:
    """A variable that our code, or its libraries, read."""
    name = words[1].partition("=")[0]
    assert name in {"MCRC_DATA_DIR", "HF_ENDPOINT", "HF_TOKEN", "RAY_ADDRESS"}


CHECKS: dict[str, Callable[[list[str]], None]] = {
    "mcrc-adversarial": check_ours,
    "python": check_python,
    "torchrun": check_torchrun,
    "deepspeed": check_deepspeed,
    "accelerate": check_accelerate,
    "pip": check_pip,
    "lm_eval": check_harness,
    "inspect": check_harness,
    "export": check_setting,
}
# Checkers of style, of which a developer's page shows nothing but the names.
DEVELOPERS = {"ruff": "ruff", "mypy": "mypy"}


def read(line: str) -> None:
    """Read a line by the parsers of its programs."""
    for part in line.split(" && "):
        words = shlex.split(part)
        while _SETTING.fullmatch(words[0]):
            words = words[1:]
        if words[0] in DEVELOPERS:
            assert find_spec(DEVELOPERS[words[0]])
        elif words[0] == "python3.11":
            assert words[1:3] == ["-m", "venv"]
        elif words != [".", ".venv/bin/activate"]:
            CHECKS[words[0]](words)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with the recipes of the checkout and what the commands find there."""
    for name in _FOLDERS:
        (tmp_path / name).mkdir()
    (tmp_path / "own.jsonl").touch()
    (tmp_path / "mcrc_adversarial").symlink_to(ROOT / "mcrc_adversarial")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(("page", "line"), commands(READ))
def test_command_is_understood(page: str, line: str) -> None:
    read(line)


# Those that are run by another test or by CI, not by the page's own.
TRAINING = [one for one in commands(RUN) if not one[1].startswith("mcrc-adversarial ")]


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(("page", "line"), TRAINING)
def test_command_that_trains_or_sets_up_is_understood(page: str, line: str) -> None:
    read(line)


def test_what_trains_in_a_block_that_is_run_is_part_of_what_ci_runs() -> None:
    set_up = " && ".join(line for page, line in TRAINING if page == "README.md")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for page, line in TRAINING:
        for part in line.split(" && "):
            # CI takes the README's lines as they stand, and looks where a developer formats.
            told = part.replace("ruff format .", "ruff format --check .")
            assert told in set_up or told in ci, f"{page}: {part}"


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_of_a_kind_that_is_checked(page: str) -> None:
    programs = re.compile(rf"^\s*[$%>]?\s*({'|'.join(map(re.escape, CHECKS))})\s", re.MULTILINE)
    for block in blocks(page):
        assert block.language in LANGUAGES, f"{page}: a block in {block.language!r}"
        # On a page as it is shown, only this tells what cannot be run as it stands.
        assert block.needs or block.language != READ, block.text
        if block.language in {RUN, READ}:
            assert not any(line.endswith("\\") for line in block.lines), "one command a line"
        elif block.language == "text":
            # A command in a block of output would be shown, and checked by nobody.
            assert not programs.search(block.text), block.text


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    "line",
    [
        "mcrc-adversarial build race --attack all --output new",
        "mcrc-adversarial build rice --output new",
        "mcrc-adversarial build race --attacks addsent3opt --output new",
        "mcrc-adversarial build race --attacks p-shuffle --param degree=1 --output new",
        "mcrc-adversarial build race --attacks addsent --neighbours glob --output new",
        "mcrc-adversarial build race --attacks charswap --param fields=passag --output new",
        "mcrc-adversarial build race --attacks all --splits tset --output new",
        "lm_eval run --tasks mcrc-adversarial --include_path lm-eval-task",
        "python -m spacy download en_core_web",
        "python train.py bert-large-race --train custom --data_files trian=own.jsonl",
        "mcrc-adversarial score --predictions p.jsonl --config race-addsent3opt",
        "mcrc-adversarial annotate exports race --output new",
        "python train.py bert-huge-race",
        "python train.py bert-large-race --learning-speed 3",
        "python train.py bert-large-race --train rice",
        "python -m pytest tests/nowhere",
        "torchrun --nproc_per_machine 4 train.py bert-large-race",
        "accelerate launch --num_machine 2 train.py bert-large-race",
        "pip install 'mcrc-adversarial[everything]'",
        "conda install mcrc-adversarial",
    ],
)
def test_command_that_is_untrue_is_seen(line: str) -> None:
    with pytest.raises((Exception, SystemExit)):  # each parser has its own error
        read(line)
