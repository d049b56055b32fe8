"""What `--attacks` stands for."""

from __future__ import annotations

from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.cli._building import named_attacks


def test_all_may_stand_beside_attacks_that_it_leaves_out() -> None:
    everything = [None, *self_contained()]

    assert named_attacks("all") == everything
    assert named_attacks("all,addsent,p-shuffle") == [*everything, "addsent"]
    assert named_attacks("addsent,original,addsent") == ["addsent", None]
