"""Pins what each attack makes of a few examples; a person has read every pinned row.

After a change that is meant to alter rows: raise the attack's version, run this file with
`--update-golden`, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcrc_adversarial.attacks import Attack, apply, attacks
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import attack_columns

FOLDER = Path(__file__).parent / "golden"
EXAMPLES = FOLDER / "examples.json"


def _examples() -> list[Example]:
    rows = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return [Example(**row | {"options": tuple(row["options"])}) for row in rows]


def _outcome(attack: Attack, example: Example) -> dict[str, Any]:
    """The fields that the attack may touch, and its columns."""
    attacked = apply(attack, example)
    fields = {name: getattr(attacked, name) for name in attack.touches}
    outcome: dict[str, Any] = json.loads(json.dumps(fields | attack_columns(example, attacked)))
    return outcome


def _made(attack: Attack) -> dict[str, Any]:
    rows = {example.id: _outcome(attack, example) for example in _examples()}
    return {"attack": attack.name, "version": attack.version, "rows": rows}


def _pinned(path: Path) -> dict[str, Any]:
    if not path.exists():
        pytest.fail(f"{path.name} is missing: run this file with --update-golden and read it")
    pinned: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return pinned


def _update(path: Path, made: dict[str, Any]) -> None:
    if path.exists():
        pinned = _pinned(path)
        same_examples = pinned["rows"].keys() == made["rows"].keys()
        if (
            same_examples
            and pinned["rows"] != made["rows"]
            and pinned["version"] == made["version"]
        ):
            pytest.fail(f"the rows of {path.stem} changed: raise the attack's version first")
    path.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@pytest.mark.parametrize("attack", list(attacks), ids=lambda attack: attack.name)
def test_attack_makes_the_pinned_rows(attack: Attack, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{attack.name}.json"
    made = _made(attack)
    if request.config.getoption("--update-golden", default=False):
        _update(path, made)
    assert _pinned(path) == made


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*attacks.names(), EXAMPLES.stem}


def test_golden_examples_are_enough_to_see_something() -> None:
    examples = _examples()
    assert 3 <= len(examples) <= 5
    assert len({len(example.options) for example in examples}) >= 3
