"""Accuracy and its change within groups of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mcrc_adversarial.analysis._bins import ATTACK
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import configs_of, plain_corpora
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Finding,
    Point,
    ResultTable,
    Score,
    Series,
    Value,
    change_of,
    estimate,
    frame_of,
    joined,
)
from mcrc_adversarial.analysis._study import Stack, Study, System
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.scoring import RowScores, scores_by_group

# (rows, number of a row) -> name of its group.
Grouping: TypeAlias = Callable[[ConfigRows, int], str]
_SMALLEST = 10
_REST = f"groups of under {_SMALLEST} questions"
# Behind each interval of a change: there are many groups.
_N_RESAMPLES = 2000
_MOST_GROUPS = 20


@dataclass(frozen=True)
class Breakdown:
    """A way to part questions.

    Attributes:
        name: kebab-case; the name of its tables.
        title: what questions are parted by, in a few words.
        grouping: of a row.
        order: of the groups; by name where it does not say.
    """

    name: str
    title: str
    grouping: Grouping
    order: tuple[str, ...] = ()


def broken_down(study: Study, breakdown: Breakdown) -> Finding:
    """A table, and a chart for one attack, of every system and corpus."""
    return joined(
        of_corpus(study, system, corpus, breakdown)
        for system in study.systems
        for corpus in plain_corpora(system)
    )


def of_corpus(study: Study, system: System, corpus: str, breakdown: Breakdown) -> Finding:
    """Groups of one corpus by attacks, for one system."""
    stacks, missing = dict[str, Stack](), list[Gap]()
    for _, name, config in configs_of(system, [corpus]):
        stack = study.stack(system, config)
        if isinstance(stack, str):
            effect, weight = "the breakdowns are without it", Weight.LACKS_DATA
            missing.append(Gap(stack, system.name, (config,), effect, weight))
        else:
            stacks[name] = stack
    if not stacks:
        return Finding(missing=tuple(missing))
    names = _group_names(next(iter(stacks.values())), breakdown)
    if len(set(names)) < 2:
        return Finding(missing=tuple(missing))
    groups = _ordered(names, breakdown)
    scores = {name: _scores(stack, breakdown, groups) for name, stack in stacks.items()}
    slug = f"{breakdown.name}-{system.slug}-{corpus}"
    title = f"{corpus}: {breakdown.title} ({system.name})"
    table = ResultTable(
        slug,
        title,
        (
            Column("group", "questions"),
            Column("n", "answers", "count"),
            *(Column(name, name, "fraction") for name in scores),
        ),
        tuple(_row(group, scores) for group in groups),
        (
            "Accuracy in % and its change in %, against the originals of the same questions; 95 %"
            f" intervals, clustered by passage, {_N_RESAMPLES} resamples.",
        ),
    )
    charts = _chart(slug, title, groups, scores.get(ATTACK, {}))
    return Finding((table,), charts, tuple(missing))


def _group_names(stack: Stack, breakdown: Breakdown) -> list[str]:
    """The group of each item; small groups are put together."""
    names = stack.names(breakdown.grouping)
    counts = Counter(names)
    fewest = _SMALLEST * len(stack.runs)
    return [name if counts[name] >= fewest else _REST for name in names]


def _ordered(names: Sequence[str], breakdown: Breakdown) -> list[str]:
    rank = {name: number for number, name in enumerate(breakdown.order)}
    last = len(rank)
    return sorted(set(names), key=lambda name: (name == _REST, rank.get(name, last), name))


def _scores(stack: Stack, breakdown: Breakdown, groups: Sequence[str]) -> Mapping[str, RowScores]:
    """Scores of each group."""
    names = [name if name in groups else _REST for name in stack.names(breakdown.grouping)]
    found = scores_by_group(
        stack.predictions,
        stack.labels,
        names,
        clean_predictions=stack.clean,
        passage_ids=stack.passage_ids,
        n_resamples=_N_RESAMPLES,
    )
    return {str(name): scores for name, scores in found.items()}


def _row(group: str, scores: Mapping[str, Mapping[str, RowScores]]) -> tuple[Value, ...]:
    cells: list[Value] = []
    n = 0
    for of_attack in scores.values():
        if group not in of_attack:
            cells.append(None)
            continue
        one = of_attack[group]
        n = n or one.n
        accuracy = estimate(one.accuracy, one.accuracy_interval)
        cells.append(Score(accuracy, change_of(one.percentage_performance_drop, one.drop_interval)))
    return (group, n, *cells)


def _chart(
    slug: str,
    title: str,
    groups: Sequence[str],
    scores: Mapping[str, RowScores],
) -> tuple[Chart, ...]:
    points = []
    for number, group in enumerate(groups):
        if group in scores:
            one = scores[group]
            change = change_of(one.percentage_performance_drop, one.drop_interval)
            if change is not None:
                points.append(Point(number, *change, one.n, f"{group} (n {one.n})"))
    if not points:
        return ()
    return (
        Chart(
            name=slug,
            title=title,
            kind="bars",
            x_label="questions",
            y_label=f"change under {ATTACK}, %",
            series=(Series(ATTACK, tuple(points)),),
            reference={"no change": 0.0},
            ticks={},
            notes=(
                "n: answers, over all runs. Lines: 95 % intervals, clustered by passage; those at"
                " the frame go on. Fewer than about six passages give none.",
            ),
            frame=frame_of([Series(ATTACK, tuple(points))]),
        ),
    )


def is_small(names: Sequence[str]) -> bool:
    """Whether values are few enough to be groups."""
    return 2 <= len(set(names)) <= _MOST_GROUPS
