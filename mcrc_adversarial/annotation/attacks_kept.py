"""Which attacks keep the label by the annotators' word, alone and beside the original rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis import Column, Estimate, ResultTable, Value
from mcrc_adversarial.annotation.thresholds import Thresholds
from mcrc_adversarial.annotation.votes import Judged
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.scoring import (
    accuracy_interval,
    drop_interval,
    holm_adjusted,
    mcnemar_p_value,
    percentage_performance_drop,
)

_NO_CLEAN = "no original to judge by"


class _Pairs(NamedTuple):
    """Attacked items whose original was judged too; each shape (n,)."""

    clean: npt.NDArray[np.bool_]
    attacked: npt.NDArray[np.bool_]
    passages: npt.NDArray[np.int64]


def _pairs(attacked: Sequence[Judged], clean: Sequence[Judged]) -> _Pairs:
    originals = {one.item.id: one for one in clean}
    both = [(originals[one.item.id], one) for one in attacked if one.item.id in originals]
    ids = [one.item.passage_id for _, one in both]
    numbers = {passage: number for number, passage in enumerate(dict.fromkeys(ids))}
    return _Pairs(
        np.array([one.outcome == "kept" for one, _ in both], dtype=np.bool_),
        np.array([one.outcome == "kept" for _, one in both], dtype=np.bool_),
        np.array([numbers[passage] for passage in ids], dtype=np.int64),
    )


def _attacks(
    by_config: Mapping[str, Sequence[Judged]],
) -> Iterator[tuple[str, Sequence[Judged], _Pairs]]:
    """Each attacked config, its items, and its pairs with the original of its corpus."""
    for config, items in by_config.items():
        name = parse_config(config)
        if name.attack is not None:
            yield config, items, _pairs(items, by_config.get(name.corpus, ()))


def _share(flags: npt.NDArray[np.bool_], passages: npt.NDArray[np.int64]) -> Estimate | None:
    if not len(flags):
        return None
    numbers = np.unique(passages, return_inverse=True)[1]
    interval = accuracy_interval(flags, numbers)
    value = float(np.mean(flags))
    return Estimate(value) if interval is None else Estimate(value, *interval)


def labels_kept(
    by_config: Mapping[str, Sequence[Judged]], thresholds: Thresholds, conditions: str
) -> Iterator[ResultTable]:
    """How many items of each attack keep their label, and what that says of the attack."""
    rows: list[tuple[Value, ...]] = []
    for config, items, pairs in _attacks(by_config):
        outcomes = [one.outcome for one in items]
        counts = [outcomes.count(name) for name in ("kept", "other", "unanswerable", "split")]
        kept = _share(pairs.attacked[pairs.clean], pairs.passages[pairs.clean])
        n_clean = int(np.sum(pairs.clean))
        verdict = _verdict(kept, thresholds.kept_from)
        rows.append((config, len(items), *counts, n_clean, kept, verdict))
    if not rows:
        return
    columns = (
        Column("config", "config"),
        Column("items", "items", "count"),
        Column("kept", "label kept", "count"),
        Column("other", "another option", "count"),
        Column("unanswerable", "unanswerable", "count"),
        Column("split", "no majority", "count"),
        Column("clean_right", "items right on the original", "count"),
        Column("kept_rate", "of these kept, %", "fraction"),
        Column("verdict", "the attack"),
    )
    at = f"{thresholds.kept_from:.0%}"
    notes = (
        "By what more than half of an item's votes say.",
        "The verdict rests on questions that people answer right on the original: keeps the label"
        f" where the whole interval is at {at} or above, does not keep it where all of it is"
        " below, else undecided: more items, or more votes, would tell. The threshold is ours; no"
        " paper states one.",
        "Intervals: 95 %, clustered by passage.",
        conditions,
    )
    yield ResultTable("label-kept", "Which attacks keep the label", columns, tuple(rows), notes)


def _verdict(kept: Estimate | None, threshold: float) -> str:
    if kept is None:
        return _NO_CLEAN
    if kept.low is None or kept.high is None:
        return "undecided"
    if kept.low >= threshold:
        return "keeps the label"
    return "does not keep the label" if kept.high < threshold else "undecided"


def against_clean(by_config: Mapping[str, Sequence[Judged]]) -> Iterator[ResultTable]:
    """Human accuracy under each attack beside that on the same questions' originals."""
    found = [(config, pairs) for config, _, pairs in _attacks(by_config) if len(pairs.clean)]
    if not found:
        return
    p_values = {config: mcnemar_p_value(pairs.clean, pairs.attacked) for config, pairs in found}
    adjusted = holm_adjusted(p_values)
    rows = tuple(
        (
            config,
            len(pairs.clean),
            _share(pairs.clean, pairs.passages),
            _share(pairs.attacked, pairs.passages),
            _drop(pairs),
            p_values[config],
            adjusted[config],
        )
        for config, pairs in found
    )
    columns = (
        Column("config", "config"),
        Column("items", "items with their original", "count"),
        Column("clean_accuracy", "accuracy on the original, %", "fraction"),
        Column("accuracy", "accuracy, %", "fraction"),
        Column("drop", "drop, %", "percent"),
        Column("p", "McNemar's p", "p"),
        Column("p_holm", "adjusted by Holm", "p"),
    )
    notes = (
        "Accuracy by majority, on the same questions. Drop: (1 - accuracy / accuracy on the"
        " original) x 100; -: not defined, since no original is right.",
        "Intervals: 95 %, paired, clustered by passage; McNemar's test is exact and takes items as"
        " independent. A drop on fewer than about six passages has none.",
    )
    title = "Human accuracy beside the original rows"
    yield ResultTable("human-against-clean", title, columns, rows, notes)


def _drop(pairs: _Pairs) -> Estimate | None:
    clean, attacked = float(np.mean(pairs.clean)), float(np.mean(pairs.attacked))
    if not clean:
        return None
    interval = drop_interval(pairs.clean, pairs.attacked, pairs.passages)
    value = percentage_performance_drop(attacked, clean)
    return Estimate(value) if interval is None else Estimate(value, *interval)
