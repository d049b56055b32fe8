"""Questions that a model gets wrong, and what kinds of question are among them.

Paper C's second collection method keeps questions that fool a model in the loop; a filter on
questions that are there already does the same afterwards, and may change what they ask about.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
)
from mcrc_adversarial.comprehension_types import type_name
from mcrc_adversarial.difficulty.openings import opening
from mcrc_adversarial.example import Example
from mcrc_adversarial.scoring import FEWEST_PASSAGES, clustered_difference, wilson_interval

_Z = 1.959963984540054
_PERCENT = 100
# Facts of a corpus that part its questions, where it has them.
_KINDS = ("types", "question_type", "source", "method", "level", "scenario")
_MOST = 20


def kept_lines(examples: Sequence[Example], wrong: Mapping[str, bool]) -> str:
    """The questions that the model got wrong, as a file for the corpus `custom`."""
    return "".join(
        f"{json.dumps(as_record(one), ensure_ascii=False)}\n" for one in examples if wrong[one.id]
    )


def as_record(one: Example) -> dict[str, object]:
    """A line of a file for the corpus `custom`, with what else the corpus tells of the question."""
    return {
        "id": one.id,
        "passage_id": one.passage_id,
        "passage": one.passage,
        "question": one.question,
        "options": list(one.options),
        "label": one.label,
        **{name: value for name, value in one.facts.items() if value is not None},
    }


def shifted(config: str, examples: Sequence[Example], wrong: Mapping[str, bool]) -> Finding:
    """A table and a figure for each way to part questions: all of them, the kept, the difference.

    Args:
        config: name of the config.
        examples: its rows.
        wrong: id -> whether the model got it wrong.
    """
    groupings: dict[str, Callable[[Example], Sequence[str]]] = {
        "question word": lambda one: (opening(one.question)[0],)
    }
    for name in _KINDS:
        values = {value for one in examples for value in _values(one, name)}
        if 1 < len(values) <= _MOST:
            groupings[name.replace("_", " ")] = partial(_values, name=name)
    tables, charts = [], []
    for title, grouping in groupings.items():
        rows = _rows(examples, wrong, grouping)
        tables.append(_table(config, title, rows, examples, wrong))
        charts.append(_chart(config, title, rows, [wrong[one.id] for one in examples]))
    kept = sum(wrong.values())
    missing = () if kept else (f"{config}: the model got every question right; nothing is kept.",)
    return Finding(tuple(tables), tuple(charts), missing)


def _values(one: Example, name: str) -> tuple[str, ...]:
    value = one.facts.get(name)
    if isinstance(value, list):
        return tuple(type_name(str(one)) for one in value) or ("(none)",)
    return ("(none)",) if value is None else (str(value),)


def _rows(
    examples: Sequence[Example],
    wrong: Mapping[str, bool],
    grouping: Callable[[Example], Sequence[str]],
) -> list[tuple[Value, ...]]:
    """Group, counts, shares, and the share among the kept less that among the others."""
    of_each = [set(grouping(one)) for one in examples]
    flags = np.array([wrong[one.id] for one in examples], dtype=np.bool_)
    passages = [one.passage_id for one in examples]
    counts = Counter(name for names in of_each for name in names)
    n, n_kept = len(examples), int(np.sum(flags))
    rows: list[tuple[Value, ...]] = []
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        held = np.array([name in names for names in of_each], dtype=np.float64)
        kept = int(np.sum(held[flags]))
        found = clustered_difference(_PERCENT * held, flags, passages)
        shift = None if found is None else Estimate(found.mean, *(found.interval or ()))
        share = Estimate(kept / n_kept, *wilson_interval(kept / n_kept, n_kept, _Z)) \
            if n_kept else None  # fmt: skip
        rows.append((name, count, kept, count / n, share, shift))
    return rows


def _table(
    config: str,
    title: str,
    rows: list[tuple[Value, ...]],
    examples: Sequence[Example],
    wrong: Mapping[str, bool],
) -> ResultTable:
    return ResultTable(
        f"by-{title.replace(' ', '-')}",
        f"{config}: questions before and after the filter, by {title}",
        (
            Column("group", title),
            Column("n", "all", "count"),
            Column("n_kept", "kept", "count"),
            Column("rate", "of all, %", "fraction"),
            Column("kept_rate", "of kept, %", "fraction"),
            Column("shift", "kept less left out, points", "points"),
        ),
        tuple(rows),
        (
            f"{sum(wrong.values())} of {len(examples)} questions are kept: those that the model got"
            " wrong. 95 % intervals: Wilson's of shares; of differences over passages drawn"
            f" with replacement, none on fewer than {FEWEST_PASSAGES}.",
        ),
    )


def _chart(config: str, title: str, rows: list[tuple[Value, ...]], wrong: Sequence[bool]) -> Chart:
    """Shares among all and among the kept; behind each group, how many of how many are kept."""
    series = []
    for place, name in ((3, f"all (n {len(wrong)})"), (4, f"kept (n {sum(wrong)})")):
        points = []
        for number, row in enumerate(rows):
            if (share := row[place]) is None:
                continue
            value = share if isinstance(share, Estimate) else Estimate(float(share))  # type: ignore[arg-type]
            low, high = (None if end is None else _PERCENT * end for end in value[1:])
            label = f"{row[0]} ({row[2]} of {row[1]})"
            points.append(Point(number, _PERCENT * value.value, low, high, label=label))
        series.append(Series(name, tuple(points)))
    return Chart(
        name=f"by-{title.replace(' ', '-')}",
        title=f"Before and after the filter, by {title}, {config}",
        kind="bars",
        x_label=title,
        y_label="questions, %",
        series=tuple(one for one in series if one.points),
        reference={},
        ticks={},
        notes=(
            "Lines: Wilson's 95 % intervals of the kept; all questions are counted, not drawn, and"
            " have none. In brackets: kept of all questions.",
        ),
    )
