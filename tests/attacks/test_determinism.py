"""The same rows on every machine: hash seed, order of rows, subset, process, version of Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

import attack_digests
import pytest
from strategies import ODD, ORDINARY

import mcrc_adversarial
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.example import Example

PACKAGE = Path(mcrc_adversarial.__file__).parent
VERSIONS = ("3.10", "3.11", "3.12", "3.13")
NEEDS = "import datasets, defusedxml, rapidfuzz, sentencex"
NEEDS_VERSIONS = "from importlib.metadata import version; print(version('sentencex'))"


def _every_script() -> Example:
    """Characters from all over Unicode 3.2, which every Python knows alike."""
    category = unicodedata.ucd_3_2_0.category
    known = [chr(c) for c in range(0x20000) if category(chr(c)) not in ("Cn", "Cs", "Co")]
    some = known[::19]
    groups = [some[n : n + 7] for n in range(0, len(some), 7)]
    passage = ". A".join("".join(group) for group in groups)
    return Example("test/u-0", "test/u", passage, passage[:90], ("a", *groups[9][:2]), 0)


@lru_cache(maxsize=1)
def _examples() -> tuple[Example, ...]:
    sample = corpora.get("sample")
    shipped = read_split(sample, find_source(sample), "test")
    return (*ORDINARY, *ODD, _every_script(), *shipped[:60])


@pytest.fixture(scope="module")
def expected() -> dict[str, dict[str, str]]:
    return attack_digests.digests(_examples())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package alone, so that another Python does not see this one's other packages."""
    root = tmp_path_factory.mktemp("site")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, root / PACKAGE.name, ignore=ignore)
    return root


def _run(python: str, copy: Path, examples: tuple[Example, ...], hash_seed: str) -> object:
    done = subprocess.run(
        [python, attack_digests.__file__],
        input=attack_digests.dump(examples),
        env=os.environ | {"PYTHONPATH": str(copy), "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _candidates(version: str) -> list[str]:
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders += [path / "bin" for path in sorted(pyenv.glob(f"{version}.*"))]
    paths = [Path(sys.executable), *(folder / f"python{version}" for folder in folders)]
    return [str(path) for path in paths if path.is_file()]


def _output(python: str, code: str) -> str:
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _absent(version: str, reason: str) -> NoReturn:
    # Where CI has set the version up, it must be found.
    if version in os.environ.get("MCRC_REQUIRE_PYTHONS", "").split():
        pytest.fail(reason)
    pytest.skip(reason)


def _interpreter(version: str) -> str:
    """A Python of this version that has the packages; the test is skipped where there is none."""
    is_version = f"import sys; print(sys.version.startswith({version!r} + '.'))"
    found = [python for python in _candidates(version) if _output(python, is_version) == "True"]
    if not found:
        _absent(version, f"no Python {version} here")
    ours = _output(sys.executable, NEEDS_VERSIONS)
    for python in found:
        if _output(python, f"{NEEDS}\n{NEEDS_VERSIONS}") == ours:
            return python
    _absent(version, f"Python {version} lacks the packages, or sentencex {ours} of them")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_rows_do_not_depend_on_the_hash_seed(
    hash_seed: str, expected: dict[str, dict[str, str]], copy: Path
) -> None:
    assert _run(sys.executable, copy, _examples(), hash_seed) == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_rows_do_not_depend_on_the_version_of_python(
    version: str, expected: dict[str, dict[str, str]], copy: Path
) -> None:
    assert _run(_interpreter(version), copy, _examples(), "random") == expected


def test_rows_do_not_depend_on_the_order_or_number_of_rows(
    expected: dict[str, dict[str, str]], copy: Path
) -> None:
    examples = _examples()
    assert attack_digests.digests(reversed(examples)) == expected
    part = examples[1::3]
    found = _run(sys.executable, copy, part, "random")
    assert found == {
        attack: {one.id: rows[one.id] for one in part} for attack, rows in expected.items()
    }


def test_rows_of_two_seeds_differ(expected: dict[str, dict[str, str]]) -> None:
    other = attack_digests.digests(_examples(), seed=1)
    shuffling = [attack.name for attack in attacks if "shuffle_degree" in attack.resolve({})]
    assert shuffling
    assert not [name for name in shuffling if expected[name] == other[name]]


def test_examples_are_read_back_unchanged() -> None:
    back = attack_digests.load(attack_digests.dump(_examples()))
    assert [(*one.options, one.id, one.passage) for one in back] == [
        (*one.options, one.id, one.passage) for one in _examples()
    ]
