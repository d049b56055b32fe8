"""Votes -> tables: how well people do, how far they agree, which attacks keep the label."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    estimate,
)
from mcrc_adversarial.annotation.agreement import alpha_interval
from mcrc_adversarial.annotation.annotators import Annotator, annotators_table, judge_annotators
from mcrc_adversarial.annotation.attacks_kept import against_clean, labels_kept
from mcrc_adversarial.annotation.items import draws
from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.missing import incomplete, without_types, without_votes
from mcrc_adversarial.annotation.reading import Sheets
from mcrc_adversarial.annotation.shares import of_items, of_votes
from mcrc_adversarial.annotation.thresholds import Thresholds
from mcrc_adversarial.annotation.types_given import types_table
from mcrc_adversarial.annotation.votes import (
    N_VOTES,
    UNANSWERABLE,
    Judged,
    TwoVotes,
    alpha,
    judged,
    two_votes_rule,
    who_gave_types,
)

__all__ = ["Results", "Thresholds", "findings"]

ByConfig: TypeAlias = Mapping[str, Sequence[Judged]]
_ALL = "all"


@dataclass(frozen=True)
class Results:
    """What the sheets say.

    Attributes:
        finding: tables, chart, and what is missing.
        items: the votes that count, by the item's name; catch items too.
        annotators: all of them.
        left_out: names of those whose votes do not count.
    """

    finding: Finding
    items: Mapping[str, Judged]
    annotators: Sequence[Annotator]
    left_out: Sequence[str]


def findings(
    key: Key, sheets: Sheets, thresholds: Thresholds, *, exclude_disqualified: bool = False
) -> Results:
    """Score the answers; without problems in the sheets, and with at least one answer.

    Args:
        key: of the export.
        sheets: as read.
        thresholds: of annotators and attacks.
        exclude_disqualified: whether the votes of annotators below the threshold are left out.
    """
    people = judge_annotators(key, sheets.answers, thresholds)
    out = [one.name for one in people if one.is_disqualified] if exclude_disqualified else []
    items = judged(key, sheets.answers, out)
    by_config = {
        config: [
            one for one in items.values() if one.item.config == config and not one.item.is_catch
        ]
        for config in key.configs
    }
    by_config = {config: votes for config, votes in by_config.items() if votes}
    typing = who_gave_types(items.values())
    tables = list(_tables(key, by_config, thresholds, _conditions(key, out), typing))
    tables.append(annotators_table(key, people, out, thresholds))
    missing = [*incomplete(key, sheets), *without_votes(key, by_config)]
    missing += without_types(key, items.values(), typing)
    charts = (_chart(by_config, thresholds),) if by_config else ()
    return Results(Finding(tuple(tables), charts, tuple(missing)), items, people, out)


def _conditions(key: Key, out: Sequence[str]) -> str:
    """What the numbers hold under, in a sentence."""
    of = key.settings
    left_out = f"; left out: {', '.join(out)}" if out else ""
    return (
        f"{_met_again(key)}Asked: {of['annotators']} annotators, {of['votes']} votes on each item,"
        f" split {of['split']}, seed {of['seed']} of the sample and {of['attack_seed']} of the"
        f" attacks{left_out}."
    )


def _met_again(key: Key) -> str:
    """A sentence with a space behind it, or nothing."""
    if not key.n_met_again:
        return ""
    n_asked = sum(map(len, key.sheets.values()))
    return (
        f"{key.n_met_again} of {n_asked} times an item was another version of a question that the"
        " annotator had on the same sheet before, so such votes are not independent of it. "
    )


def _tables(
    key: Key,
    by_config: ByConfig,
    thresholds: Thresholds,
    conditions: str,
    typing: Collection[str],
) -> Iterator[ResultTable]:
    if not by_config:
        return
    yield _accuracy_table(by_config, conditions)
    yield from labels_kept(by_config, thresholds, conditions)
    yield from against_clean(by_config)
    yield _agreement_table(by_config)
    yield from _two_votes_table(by_config, key.settings["seed"])
    if key.settings["types"]:
        yield from types_table(by_config, typing)


def _accuracy_table(by_config: ByConfig, conditions: str) -> ResultTable:
    rows = []
    for config, items in by_config.items():
        rows.append(
            (
                config,
                len(items),
                len({one.item.passage_id for one in items}),
                sum(len(one.votes) for one in items),
                of_items(items, [one.outcome == "kept" for one in items]),
                of_votes(items, [right for one in items for right in one.right]),
                of_votes(
                    items, [vote.option == UNANSWERABLE for one in items for vote in one.votes]
                ),
            )
        )
    columns = (
        Column("config", "config"),
        Column("items", "items", "count"),
        Column("passages", "passages", "count"),
        Column("votes", "votes", "count"),
        Column("majority_accuracy", "accuracy by majority, %", "fraction"),
        Column("vote_accuracy", "accuracy of single votes, %", "fraction"),
        Column("unanswerable_rate", "votes for unanswerable, %", "fraction"),
    )
    notes = (
        "By majority: items of which more than half of the votes are for the answer, so that a"
        " split or unanswerable item is wrong.",
        "Intervals: 95 %, clustered by passage.",
        conditions,
    )
    return ResultTable("human-accuracy", "Human accuracy", columns, tuple(rows), notes)


def _agreement_table(by_config: ByConfig) -> ResultTable:
    groups = dict(by_config)
    if len(groups) > 1:
        groups[_ALL] = [one for items in by_config.values() for one in items]
    rows = []
    for config, items in groups.items():
        value, n_items, n_votes = alpha(items)
        rows.append((config, n_items, n_votes, estimate(value, alpha_interval(items))))
    columns = (
        Column("config", "config"),
        Column("items", "items", "count"),
        Column("votes", "votes", "count"),
        Column("alpha", "Krippendorff's alpha", "r"),
    )
    notes = (
        "Nominal, over the options as they were shown, and unanswerable; items with one vote do"
        " not count.",
        "1: all agree; 0: no more than by chance; -: not defined, since all votes name one place"
        " or no item has two votes.",
        "Intervals: 95 %, by drawing passages; none for fewer than six.",
    )
    return ResultTable("agreement", "Agreement of the annotators", columns, tuple(rows), notes)


def _two_votes_table(by_config: ByConfig, seed: int) -> Iterator[ResultTable]:
    rows = []
    for config, items in by_config.items():
        five = [one for one in items if len(one.votes) == N_VOTES]
        if five:
            rules = [
                two_votes_rule(one.right, draws(seed, "filter", f"{config} {one.item.id}"))
                for one in five
            ]
            rows.append((config, len(items) - len(five), *_two_votes_row(five, rules)))
    if not rows:
        return
    columns = (
        Column("config", "config"),
        Column("left_out", "items without five votes", "count"),
        Column("items", "items", "count"),
        Column("valid", "valid, %", "fraction"),
        Column("high_agreement", "high agreement, %", "fraction"),
        Column("accuracy_valid", "human accuracy on valid, %", "fraction"),
        Column("accuracy_high_agreement", "human accuracy on high agreement, %", "fraction"),
    )
    notes = (
        "Two of the five votes, drawn, judge the item: valid if at least one is right, high"
        " agreement if both are. Human accuracy: more than half of the other three are right; three"
        " different votes count as wrong, and so does unanswerable (the paper does not say).",
        "Intervals: 95 %, clustered by passage.",
    )
    title = "The two-votes rule of paper C"
    yield ResultTable("two-votes-rule", title, columns, tuple(rows), notes)


def _two_votes_row(
    items: Sequence[Judged], rules: Sequence[TwoVotes]
) -> tuple[int, Estimate, Estimate, Estimate | None, Estimate | None]:
    def accuracy(kept: Sequence[bool]) -> Estimate | None:
        chosen = [pair for pair, is_kept in zip(zip(items, rules, strict=True), kept, strict=True)
                  if is_kept]  # fmt: skip
        if not chosen:
            return None
        return of_items([one for one, _ in chosen], [rule.is_answered for _, rule in chosen])

    valid, agreed = [rule.is_valid for rule in rules], [rule.is_agreed for rule in rules]
    return (
        len(items),
        of_items(items, valid),
        of_items(items, agreed),
        accuracy(valid),
        accuracy(agreed),
    )


def _chart(by_config: ByConfig, thresholds: Thresholds) -> Chart:
    points = []
    for number, (config, items) in enumerate(by_config.items()):
        value = of_items(items, [one.outcome == "kept" for one in items])
        label = f"{config} (n {len(items)})"
        low, high = (None if end is None else 100 * end for end in (value.low, value.high))
        points.append(Point(number, 100 * value.value, low, high, len(items), label))
    return Chart(
        "human-accuracy",
        "Human accuracy by majority",
        "bars",
        "config",
        "accuracy, %",
        (Series("people", tuple(points)),),
        {f"{thresholds.kept_from:.0%}": 100 * thresholds.kept_from},
        {},
        (
            "n: items. Lines: 95 % intervals, clustered by passage.",
            f"{thresholds.kept_from:.0%}: the threshold of an attack that keeps the label; its"
            " table goes by the questions right on the original alone.",
        ),
    )
