"""How often Python looks for cycles of objects while many are made that are none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# Rows are no cycles: to look for some after every 700 objects takes 7 to 15 % of the time.
_OBJECTS = 100_000
# What each block that is open found; there is one setting for all threads.
_found: list[tuple[int, int, int]] = []
_lock = Lock()


def collect_seldom() -> None:
    """Look for cycles seldom, from now on."""
    gc.set_threshold(_OBJECTS)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for cycles seldom in a `with` block, or in a function that this decorates."""
    with _lock:
        _found.append(gc.get_threshold())
        collect_seldom()
    try:
        yield
    finally:
        with _lock:
            last = _found.pop()
            if not _found:
                gc.set_threshold(*last)
