"""The worked examples of a new corpus and a new attack, followed in a copy of the checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT, RUN, Block, blocks, output_of

PAGES = ("docs/add-a-corpus.md", "docs/add-an-attack.md")
_COPIED = ("mcrc_adversarial", "metrics", "tests")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which every file of both pages lies where the page says."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in _COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy / name)
    for page in PAGES:
        for block in blocks(page):
            if block.file:
                (copy / block.file).parent.mkdir(parents=True, exist_ok=True)
                (copy / block.file).write_text(block.text, encoding="utf-8")
    return copy


def run(command: list[str], checkout: Path) -> str:
    """What a command prints that has the package of the copy."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=checkout,
        env=_environment(checkout),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "100"}


def printed(block: Block, checkout: Path) -> str:
    if block.language == "python":
        return run(["-c", block.text], checkout)
    ours = [shlex.split(line)[1:] for line in block.lines]
    return "".join(run(["-m", "mcrc_adversarial", *argv], checkout) for argv in ours)


@pytest.mark.parametrize("page", PAGES)
def test_worked_example_prints_what_the_page_shows(page: str, checkout: Path) -> None:
    for block in blocks(page, RUN, "python"):
        if block.file:
            continue
        lines = iter(line.rstrip() for line in printed(block, checkout).splitlines())
        shown = output_of(block)
        assert shown is not None, f"{page}: the page does not show what is printed"
        for line in shown.lines:
            assert line == "..." or line.rstrip() in lines, f"{page}: not printed: {line}"


@pytest.mark.parametrize("page", PAGES)
def test_code_of_a_worked_example_keeps_the_style_and_passes_its_own_tests(
    page: str, checkout: Path
) -> None:
    files = [block.file for block in blocks(page, "python") if block.file]
    tests = [file for file in files if file.startswith("tests/")]

    assert len(files) == 2
    run(["-m", "ruff", "check", *files], checkout)
    run(["-m", "ruff", "format", "--check", *files], checkout)
    run(["-m", "pytest", "-q", *tests], checkout)


@pytest.mark.slow
def test_contract_tests_walk_over_the_new_attack_and_the_new_corpus(checkout: Path) -> None:
    golden = ["tests/attacks/test_attack_golden.py", "--update-golden", "-k", "p-sentences"]
    run(["-m", "pytest", "-q", *golden], checkout)

    contracts = ["tests/attacks", "tests/corpora", "-k", "p-sentences or riverside"]
    passed = run(["-m", "pytest", "-q", *contracts], checkout)

    assert int(re.findall(r"(\d+) passed", passed)[0]) > 20
