"""How often Python looks for cycles."""

from __future__ import annotations

import gc
from contextlib import ExitStack

import pytest

from mcrc_adversarial.collecting import seldom_collected


def test_seldom_collected_puts_the_setting_back() -> None:
    before = gc.get_threshold()
    inside = []

    @seldom_collected()
    def fail() -> None:
        inside.append(gc.get_threshold()[0])
        raise KeyError

    for _ in range(2):
        with pytest.raises(KeyError):
            fail()

    assert min(inside) > before[0]
    assert gc.get_threshold() == before


def test_blocks_that_overlap_put_it_back_when_the_last_one_ends() -> None:
    before = gc.get_threshold()
    # As two threads do.
    first, second = ExitStack(), ExitStack()
    first.enter_context(seldom_collected())
    second.enter_context(seldom_collected())

    first.close()
    assert gc.get_threshold()[0] > before[0]
    second.close()

    assert gc.get_threshold() == before
