"""One new file is a new attack, or a new corpus, everywhere: no list elsewhere is edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mcrc_adversarial

PACKAGE = Path(mcrc_adversarial.__file__).parent

ATTACK = '''
from mcrc_adversarial.attacks import Attacked, register


@register(
    "zz-shout",
    version=1,
    paper="none",
    source="this test",
    touches=("question",),
    summary="question := QUESTION",
)
def shout(example, _):
    """Shout the question."""
    return Attacked(example.passage, example.question.upper(), example.options, (None,))
'''

CORPUS = '''
from pathlib import Path

from mcrc_adversarial.corpora import Corpus, Licence, corpora
from mcrc_adversarial.example import Example


def read(files, split):
    """One question a file."""
    for number, file in enumerate(files):
        yield Example(
            id=f"{split}/{number}-0",
            passage_id=f"{split}/{number}",
            passage=file.content.decode("utf-8"),
            question="What was brought?",
            options=("bread", "salt"),
            label=1,
            facts={"mood": "fine"},
        )


corpora.register(
    Corpus(
        name="zz-toy",
        title="A toy",
        version=1,
        splits={"test": (r"zz_toy_passage\\.txt$",)},
        read=read,
        row_order="file",
        n_options="2",
        licence=Licence("CC0-1.0", "https://example.org/licence", redistribution=True),
        homepage="https://example.org",
        citation="",
        facts={"mood": "string"},
        bundled=Path(__file__).parent / "data" / "zz-toy",
    )
)
'''

# Each prints one line of JSON, and is run in a folder of its own: a process is slow to start.
IMPORT = """
import sys, mcrc_adversarial
print(json.dumps([mcrc_adversarial.__file__, *sys.modules]))
"""

PYTHON = """
import runpy
from datasets import load_dataset
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.configs import config_names
from mcrc_adversarial.example import Example

sys.path.insert(0, TESTS)
contract = runpy.run_path(f"{TESTS}/attacks/test_attack_contract.py")
loaded = load_dataset("mcrc_adversarial", "zz-toy-zz-shout", split="test", cache_dir="cache")
example = Example("t/1-0", "t/1", "p", "who?", ("a", "b"), 0)
print(json.dumps({
    "names": config_names(),
    "applied": apply(attacks.get("zz-shout"), example).question,
    "rows": loaded.to_list(),
    "tested": [attack.name for attack in contract["every_attack"].args[1]],
}))
"""

COMMAND_LINE = """
import contextlib, io
from mcrc_adversarial.cli import main

printed = {}
for line in ("list", "list --configs", "list --markdown", "list --stats zz-toy"):
    sys.argv = ["mcrc-adversarial", *line.split()]
    with contextlib.redirect_stdout(io.StringIO()) as screen, contextlib.suppress(SystemExit):
        main()
    printed[line] = screen.getvalue()
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that has one attack and one corpus more."""
    root = tmp_path_factory.mktemp("drop_in")
    package = root / PACKAGE.name
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "attacks" / "zz_shout.py").write_text(ATTACK, encoding="utf-8")
    (package / "corpora" / "zz_toy.py").write_text(CORPUS, encoding="utf-8")
    data = package / "corpora" / "data" / "zz-toy"
    data.mkdir(parents=True)
    (data / "zz_toy_passage.txt").write_text("Ann brought salt.", encoding="utf-8")
    return root


def _run(code: str, copy: Path, folder: Path) -> Any:
    tests = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import json, sys\nTESTS = {tests!r}\n{code}"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(copy), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def seen(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Python finds in the copy."""
    found: dict[str, Any] = _run(PYTHON, copy, tmp_path_factory.mktemp("python"))
    return found


def test_new_files_appear_in_the_config_names(seen: dict[str, Any]) -> None:
    expected = {"zz-toy", "zz-toy-zz-shout", "sample-zz-shout", "zz-toy-p-shuffle"}
    assert expected <= set(seen["names"])


def test_new_attack_can_be_applied(seen: dict[str, Any]) -> None:
    assert seen["applied"] == "WHO?"


def test_new_files_can_be_loaded_as_a_dataset(seen: dict[str, Any]) -> None:
    (row,) = seen["rows"]
    assert (row["passage"], row["question"]) == ("Ann brought salt.", "WHAT WAS BROUGHT?")
    assert (row["attacked"], row["mood"], row["label"]) == (True, "fine", 1)


def test_new_attack_is_taken_up_by_the_contract_tests(seen: dict[str, Any]) -> None:
    assert "zz-shout" in seen["tested"]


def test_new_files_appear_on_the_command_line_and_in_the_readme_s_tables(
    copy: Path, tmp_path: Path
) -> None:
    printed = _run(COMMAND_LINE, copy, tmp_path)
    for text in ("zz-toy", "zz-shout", "question := QUESTION"):
        assert text in printed["list"]
        assert text in printed["list --markdown"]
    assert {"zz-toy", "zz-toy-zz-shout"} <= set(printed["list --configs"].split())
    assert "zz-shout" in printed["list --stats zz-toy"]


def test_import_of_the_package_loads_nothing_heavy(copy: Path, tmp_path: Path) -> None:
    file, *modules = _run(IMPORT, copy, tmp_path)
    assert Path(file).is_relative_to(copy)
    heavy = {"torch", "transformers", "matplotlib", "tensorflow", "jax", "scipy", "evaluate"}
    assert heavy.isdisjoint(modules)
