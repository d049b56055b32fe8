"""No function is longer than a screen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mcrc_adversarial

PACKAGE = Path(mcrc_adversarial.__file__).parent
MOST_LINES = 40


def lengths(source: str) -> Iterator[tuple[str, int]]:
    """Each function's name, and its lines from `def` to its end without its docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            n_lines = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                docstring = node.body[0]
                assert docstring.end_lineno is not None
                n_lines -= docstring.end_lineno - docstring.lineno + 1
            yield node.name, n_lines


def test_no_function_is_longer_than_its_limit() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()} {name}": n_lines
        for path in PACKAGE.rglob("*.py")
        for name, n_lines in lengths(path.read_text(encoding="utf-8"))
        if n_lines > MOST_LINES
    }
    assert found == {}


@pytest.mark.parametrize(
    ("text", "n_lines"),
    [
        ("def f(\n    x,\n): return x", 3),
        ('def f():\n    """What.\n\n    More.\n    """\n    x = 1\n    return x', 3),
        ("@one\n@two\nasync def f():\n    pass", 2),
    ],
)
def test_docstring_and_decorators_do_not_count(text: str, n_lines: int) -> None:
    assert list(lengths(text)) == [("f", n_lines)]
