"""What paper A (Si et al. 2019, arXiv:1910.12391v1) prints; never mixed with what is measured."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

NAME = "paper-a"
# The seven attacks of its table 2, in its order.
TEST_ATTACKS = (
    "addsent2pas-shuffle",
    "addsent2opt-shuffle",
    "addans2opt-shuffle",
    "sent2opt-shuffle",
    "ans2opt-shuffle",
    "addsent2opt",
    "addans2opt",
)
# The six of its table 3, which alter training data.
TRAINING_ATTACKS = ("p-shuffle", "q-shuffle", "pq-shuffle", "p-remove", "q-remove", "pq-remove")
# Its corpora in the order of its tables; others stand behind them.
CORPORA = ("mc160", "mc500", "race-middle", "race-high", "mcscript", "mcscript2", "dream")


@lru_cache(maxsize=1)
def printed() -> dict[str, Any]:
    """The printed figures, in percent, with their sources."""
    text = files(__package__).joinpath("data", "paper_a.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def in_order(corpora: list[str]) -> list[str]:
    """Corpora in the order of paper A's tables, others behind them by name."""
    known = {name: number for number, name in enumerate(CORPORA)}
    return sorted(corpora, key=lambda name: (known.get(name, len(known)), name))
