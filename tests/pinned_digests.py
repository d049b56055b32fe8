"""The pinned digest of each config's split; digests carry no text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "attacks" / "digests.json"


def check_digests(found: Mapping[str, str], request: pytest.FixtureRequest) -> None:
    """Compare with the pinned ones, or pin them where `--update-golden` was given.

    Args:
        found: "<config>/<split>" -> digest.
        request: knows the command line.
    """
    pinned: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if request.config.getoption("--update-golden", default=False):
        pinned = dict(sorted({**pinned, **found}.items()))
        FILE.write_text(json.dumps(pinned, indent=1) + "\n", encoding="utf-8")
    assert found == {key: pinned.get(key, "not pinned") for key in found}
