"""No test may be left out unseen."""

from __future__ import annotations

from pathlib import Path

import needed
import pytest

TESTS = Path(__file__).parent
# They are about what a machine holds, not about what is installed.
OWN_WAYS = {"needed.py", "test_needed.py"}


def test_what_is_here_is_given() -> None:
    needed.package("pytest", "extra dev")
    assert Path(needed.program("sh")).is_file()


@pytest.mark.parametrize(
    ("ask", "kind", "reason"),
    [
        (lambda: needed.package("no_such", "extra none"), "EXTRAS", "no_such is not installed"),
        (lambda: needed.program("no-such"), "PROGRAMS", "no program no-such here"),
    ],
)
def test_what_is_missing_skips_the_test_and_fails_it_in_ci(
    monkeypatch: pytest.MonkeyPatch, ask: object, kind: str, reason: str
) -> None:
    assert callable(ask)
    monkeypatch.setattr(needed, "_REQUIRED", {"EXTRAS": False, "PROGRAMS": False})
    with pytest.raises(pytest.skip.Exception, match=reason):
        ask()
    other = {"EXTRAS": "PROGRAMS", "PROGRAMS": "EXTRAS"}[kind]
    monkeypatch.setattr(needed, "_REQUIRED", {kind: False, other: True})
    with pytest.raises(pytest.skip.Exception, match=reason):
        ask()
    monkeypatch.setattr(needed, "_REQUIRED", {kind: True, other: False})
    with pytest.raises(RuntimeError, match=f"{reason}.*though MCRC_REQUIRE_{kind} is 1"):
        ask()


def test_tests_are_left_out_in_no_other_way() -> None:
    found = [
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("*.py")
        if path.name not in OWN_WAYS
        and any(way in path.read_text(encoding="utf-8") for way in ("importorskip", "skipif"))
    ]
    assert found == []
