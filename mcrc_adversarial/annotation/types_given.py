"""The comprehension types that annotators gave."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from mcrc_adversarial.analysis import Column, ResultTable
from mcrc_adversarial.annotation.shares import of_items, of_votes
from mcrc_adversarial.annotation.votes import Judged, common_types
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES


def types_table(
    by_config: Mapping[str, Sequence[Judged]], typing: Collection[str]
) -> Iterator[ResultTable]:
    """How often each type was given; none where nobody gave any.

    Args:
        by_config: the items that were asked.
        typing: the annotators who gave any type; only their votes count.
    """
    rows = []
    for config, asked in by_config.items():
        of_them = [
            Judged(one.item, tuple(vote for vote in one.votes if vote.annotator in typing))
            for one in asked
        ]
        items = [one for one in of_them if one.votes]
        if not items:
            continue
        named = [common_types(one.votes, COMPREHENSION_TYPES) for one in items]
        votes = [vote for one in items for vote in one.votes]
        for name in COMPREHENSION_TYPES:
            item_rate = of_items(items, [name in types for types in named])
            vote_rate = of_votes(items, [name in vote.types for vote in votes])
            rows.append((config, name, len(items), item_rate, vote_rate))
    if not rows:
        return
    columns = (
        Column("config", "config"),
        Column("type", "type"),
        Column("items", "items", "count"),
        Column("item_rate", "items, %", "fraction"),
        Column("vote_rate", "votes, %", "fraction"),
    )
    notes = (
        "An item has a type that more than half of its votes name; it may have several, or none."
        " Votes of annotators who gave no type at all do not count.",
        "Types of paper C, in our words on the sheets. Intervals: 95 %, clustered by passage.",
    )
    yield ResultTable("comprehension-types", "Comprehension types", columns, tuple(rows), notes)
