"""How often Python looks for cycles of objects while many are made that are none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Rows are no cycles: to look for some after every 700 objects takes 7 to 15 % of the time.
_OBJECTS = 100_000


def collect_seldom() -> None:
    """Look for cycles seldom, from now on."""
    gc.set_threshold(_OBJECTS)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for cycles seldom in a `with` block, or in a function that this decorates."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
