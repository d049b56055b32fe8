"""The package's imports flow one way: no module imports from a layer further down this list."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import mcrc_adversarial

PACKAGE = Path(mcrc_adversarial.__file__).parent
ROOT = PACKAGE.name

# Each layer may import from itself and from those above. A module that stands in none is an error:
# place it as high as its imports allow.
LAYERS: Mapping[str, str] = {
    "core": "_version errors registry example seeding words compounds shuffling atomic digests"
    " collecting parallel stopwords stemming spreadsheets records comprehension_types",
    "corpora": "corpora",
    "resources": "resources candidates",
    "attacks": "attacks attack_settings",
    "configs": "configs",
    "rows": "rows statistics comparison differences notices",
    "loading": "builder door",
    "attacking": "attacking",
    "export": "tables export hub harnesses",
    "encoding": "answers encoding pairing",
    "inference": "inference",
    "training": "training",
    "predictions": "predictions",
    "scoring": "scoring metric",
    "runs": "experiment file_scores distractors",
    "analysis": "analysis",
    "difficulty": "difficulty",
    "report": "report",
    "annotation": "annotation",
    "app": "app",
    "doors": "cli __main__ __init__",
}
PLACED = [module for modules in LAYERS.values() for module in modules.split()]
POSITION = {
    module: number for number, modules in enumerate(LAYERS.values()) for module in modules.split()
}


def _dotted(path: Path, package: Path) -> list[str]:
    """`attacks/q_shuffle.py` -> [package, "attacks", "q_shuffle"]."""
    return [package.name, *path.relative_to(package).with_suffix("").parts]


def _imported(path: Path, package: Path) -> Iterator[str]:
    """Everything of the package that a file imports anywhere in it, as dotted names."""
    here = _dotted(path, package)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parent = ".".join(here[: len(here) - node.level]) if node.level else ""
            base = ".".join(part for part in (parent, node.module) if part)
            names = [f"{base}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.split(".")[0] == package.name)


def _module(dotted: str, package: Path) -> str:
    """The package's module, or subpackage, that a dotted name is in; `__init__` for its own."""
    second = (*dotted.split("."), "")[1]
    is_module = (package / f"{second}.py").exists() or (package / second / "__init__.py").exists()
    return second if second and is_module else "__init__"


def _edges(package: Path) -> dict[str, set[str]]:
    """Each module, with the other modules that it imports from."""
    edges: dict[str, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        module = _dotted(path, package)[1]
        found = {_module(name, package) for name in _imported(path, package)}
        edges.setdefault(module, set()).update(found - {module})
    return edges


def _faults(package: Path) -> list[str]:
    edges = _edges(package)
    unplaced = [f"{module} is in no layer" for module in edges if module not in POSITION]
    upward = [
        f"{module} imports from {other}, which is further down"
        for module, others in edges.items()
        for other in others
        if POSITION.get(module, len(LAYERS)) < POSITION.get(other, 0)
    ]
    return sorted(unplaced + upward)


def test_package_imports_flow_one_way() -> None:
    assert _faults(PACKAGE) == []


def test_package_has_no_circle_of_imports() -> None:
    edges = _edges(PACKAGE)
    # The package's own file is imported before all others; who else imports from it is seen above.
    assert list(TopologicalSorter(edges).static_order())


def test_package_was_read() -> None:
    edges = _edges(PACKAGE)
    assert len(edges) > 10
    assert {"example", "seeding"} <= edges["attacks"]


def test_no_module_stands_in_two_layers() -> None:
    assert len(PLACED) == len(set(PLACED)) == len(POSITION)


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        ("words.py", "import mcrc_adversarial.attacks", "words imports from attacks"),
        ("words.py", "from mcrc_adversarial import attacks", "words imports from attacks"),
        ("words.py", "from mcrc_adversarial.attacks.one import x", "words imports from attacks"),
        ("words.py", "from . import attacks", "words imports from attacks"),
        ("words.py", "from .attacks import one", "words imports from attacks"),
        ("words.py", "def f():\n    from .attacks import one", "words imports from attacks"),
        (
            "words.py",
            "if TYPE_CHECKING:\n    from .attacks import one",
            "words imports from attacks",
        ),
        ("attacks/one.py", "from ..rows import row", "attacks imports from rows"),
        ("attacks/one.py", "from mcrc_adversarial.cli import x", "attacks imports from cli"),
        ("words.py", "from mcrc_adversarial import __version__", "words imports from __init__"),
        ("helpers.py", "", "helpers is in no layer"),
    ],
)
def test_a_fault_is_seen(tmp_path: Path, file: str, line: str, fault: str) -> None:
    package = tmp_path / ROOT
    for name in ("__init__", "words", "rows", "attacks/__init__", "attacks/one", "cli/__init__"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / f"{name}.py").write_text("import mcrc_adversarial.errors\n", encoding="utf-8")
    (package / "errors.py").touch()
    for name in ("words", "rows", "attacks/__init__", "attacks/one", "cli/__init__"):
        (package / f"{name}.py").write_text("", encoding="utf-8")
    assert _faults(package) == []
    (package / file).write_text(f"{line}\n", encoding="utf-8")
    assert [one.split(",")[0] for one in _faults(package)] == [fault]


# What one attack file needs of another belongs into a module of both, with an underscore.
@pytest.mark.parametrize("folder", ["analysis", "attacks", "corpora"])
def test_files_that_register_do_not_import_one_another(folder: str) -> None:
    files = {path.stem for path in (PACKAGE / folder).glob("[!_]*.py")}
    for stem in files:
        for name in _imported(PACKAGE / folder / f"{stem}.py", PACKAGE):
            parts = name.split(".")
            assert parts[1] != folder or parts[2] not in files - {stem}, f"{stem} imports {name}"


def _private_imports(package: Path) -> list[str]:
    """Imports of what begins with an underscore from outside the package that it stands in."""
    found = []
    for path in sorted(package.rglob("*.py")):
        here = _dotted(path, package)
        for name in _imported(path, package):
            parts = name.split(".")
            for at, part in enumerate(parts[1:], start=1):
                is_private = part.startswith("_") and not part.startswith("__")
                if is_private and here[:at] != parts[:at]:
                    found.append(f"{'.'.join(here[1:])} imports {'.'.join(parts[1 : at + 1])}")
                    break
    return sorted(set(found))


def test_nothing_private_is_imported_from_another_package() -> None:
    assert _private_imports(PACKAGE) == []


def test_a_private_import_is_seen(tmp_path: Path) -> None:
    package = tmp_path / ROOT
    for name, text in {
        "words.py": "from mcrc_adversarial.attacks._texts import x, y\n",
        "attacks/one.py": "from mcrc_adversarial import _version\nfrom ._texts import x",
        "cli/two.py": "def f():\n    from mcrc_adversarial.attacks import _texts, one",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    assert _private_imports(package) == [
        "cli.two imports attacks._texts",
        "words imports attacks._texts",
    ]
