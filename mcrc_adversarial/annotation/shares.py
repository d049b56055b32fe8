"""Shares of items and of votes, with intervals clustered by passage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcrc_adversarial.analysis import Estimate
from mcrc_adversarial.annotation.votes import Judged
from mcrc_adversarial.scoring import accuracy_interval


def share(right: Sequence[bool], passage_ids: Sequence[str]) -> Estimate:
    """A share with its interval, clustered by passage."""
    numbers = {passage: number for number, passage in enumerate(dict.fromkeys(passage_ids))}
    flags = np.array(right, dtype=np.bool_)
    passages = np.array([numbers[passage] for passage in passage_ids], dtype=np.int64)
    interval = accuracy_interval(flags, passages)
    value = float(np.mean(flags))
    return Estimate(value) if interval is None else Estimate(value, *interval)


def of_items(items: Sequence[Judged], flags: Sequence[bool]) -> Estimate:
    """`share` of items, with a flag for each."""
    return share(flags, [one.item.passage_id for one in items])


def of_votes(items: Sequence[Judged], flags: Sequence[bool]) -> Estimate:
    """`share` of all votes on items, with a flag for each vote."""
    return share(flags, [one.item.passage_id for one in items for _ in one.votes])
