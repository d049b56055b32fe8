"""What stands in the text between backticks exists: options, commands, configs, corpora, extras."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from functools import cache
from typing import Any

import pytest
import typer
from extras import all_extras
from pages import PAGES, documented, prose, text_of

from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.harnesses.lm_eval import task_name
from mcrc_adversarial.training.recipe import make_parser

_CODE = re.compile(r"`([^`\n]+)`")
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
# Of pytest, of lm_eval, and one that stands for any.
_OF_OTHERS = {"--update-golden", "--log_samples", "--flag"}
# Like configs, but a way to score a causal model, and what a worked example adds.
_NO_CONFIGS = {"race-per-character", "sample-p-sentences"}


@cache
def options() -> dict[str, set[str]]:
    """Each command of ours ("annotate export") and its options, those of `train.py` too."""
    import_commands()
    found = {"train.py": set(make_parser()._option_string_actions)}
    todo: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while todo:
        name, command = todo.pop()
        found[name] = {one for parameter in command.params for one in parameter.opts}
        found[name].add("--help")
        below = getattr(command, "commands", {})
        todo += [(f"{name} {one}".strip(), inner) for one, inner in below.items()]
    return found


def command_of(code: str) -> str | None:
    """The command that an inline text begins with, or None."""
    words = code.removeprefix("python ").removeprefix("mcrc-adversarial ").split()
    for count in (2, 1):
        if (name := " ".join(words[:count])) in options() and name:
            return name
    return None


def check(code: str) -> None:
    """Fail where an option, a command or a config is none."""
    given = set(_OPTION.findall(code)) - _OF_OTHERS
    name = command_of(code)
    if code.startswith("mcrc-adversarial "):
        assert name is not None, code
    if name is None:
        assert given <= set().union(*options().values()), code
    else:
        assert given <= options()[name], code
    names = "|".join(map(re.escape, sorted(corpora.names(), key=len, reverse=True)))
    found = re.findall(rf"(?<![\w/.-])(?:{names})-[a-z0-9-]+(?![\w/.-])", code)
    expand_configs([config for config in found if config not in _NO_CONFIGS])


def inline(page: str) -> list[str]:
    """What stands between backticks, but for the messages that the tables of errors explain."""
    text, _, errors = prose(page).partition("\n## Errors\n")
    answers = [line.split(" | ")[-1] for line in errors.splitlines()]
    return _CODE.findall("\n".join([text, *answers]))


@pytest.mark.parametrize("page", PAGES)
def test_inline_code_names_what_exists(page: str) -> None:
    for code in inline(page):
        check(code)


@pytest.mark.parametrize(
    "code",
    [
        "--per-atack",
        "mcrc-adversarial lits",
        "mcrc-adversarial list --config",
        "build race --attack all",
        "annotate export sample --per-attacks 20",
        "python train.py RECIPE --dry_runs",
        "sample-addsent3opt",
        "race-p-shufle",
    ],
)
def test_inline_code_that_is_untrue_is_seen(code: str) -> None:
    with pytest.raises((AssertionError, UnknownNameError)):
        check(code)


def test_costs_are_those_of_commands() -> None:
    rows = re.findall(r"^\| `([^`]+)`", prose("docs/costs.md"), re.MULTILINE)
    assert len(rows) > 30
    # A way to load.
    others = {row for row in rows if command_of(row) is None}
    assert {re.split(r"\W", row)[0] for row in others} == {"load_dataset"}


def test_every_command_has_a_cost() -> None:
    text = prose("docs/costs.md")
    # Commands of groups stand below their own names.
    leaves = [name for name in options() if name and name != "annotate"]
    assert [name for name in leaves if f"`{name}" not in text and f"{name} " not in text] == []


def test_extras_are_listed() -> None:
    table = text_of("docs/README.md").partition("## Extras")[2].partition("## Words")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(all_extras())


def test_corpora_are_listed_with_where_they_come_from() -> None:
    shown = re.findall(
        r"^\| ([\w-]+) \| \[[^\]]+\]\((\S+)\) \| `([^`]+)` \| (yes|no) \|$",
        text_of("docs/load.md"),
        re.MULTILINE,
    )
    known = [
        one for one in map(corpora.get, corpora.names()) if one.splits and one.name != "sample"
    ]
    assert shown == [
        (one.name, one.homepage, one.layout, "yes" if one.downloads else "no") for one in known
    ]


def test_pattern_of_a_harness_finds_its_logs() -> None:
    pattern = documented("mcrc-adversarial score --config sample").split()[-1]
    # As lm_eval 0.4 calls them, which tests/harnesses look for too.
    name = "logs/model/samples_{}_2026-11-30T07-09-06.243604.jsonl"
    assert fnmatch(name.format(task_name("sample")), pattern)
    assert not fnmatch(name.format(task_name("sample-pq-remove")), pattern)
