"""Over all attacks and corpora, does more added text mean a larger drop? Paper A's figure 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._cells import cell
from mcrc_adversarial.analysis._gaps import Gap
from mcrc_adversarial.analysis._grid import averaged, fewer_runs, plain_corpora
from mcrc_adversarial.analysis._measures import distractor_length_change, passage_length_change
from mcrc_adversarial.analysis._paper_a import NAME, TEST_ATTACKS, printed
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
    estimate,
    joined,
)
from mcrc_adversarial.analysis._study import Stack, Study, System
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.scoring import FEWEST_PASSAGES, clustered_pearson, pearson_r


class _Config(NamedTuple):
    """One point of the chart, and the rows behind it."""

    corpus: str
    attack: str
    mean_x: float
    change: Estimate
    n: int
    runs: str
    x: npt.NDArray[np.float64]
    changes: npt.NDArray[np.float64]
    passages: list[str]


@register(
    "length-change",
    title="Change by mean change of length, over all attacks and corpora",
    order=41,
    source="Paper A (Si et al. 2019), figure 6; it states neither the unit nor whether the attack"
    " on the passage counts by its passages, here words, and it does",
)
def length_change(study: Study) -> Finding:
    """One point a config of the seven attacks that paper A puts to the test split."""
    return joined(_of_system(study, system) for system in study.systems)


def _of_system(study: Study, system: System) -> Finding:
    found = [
        one
        for corpus in averaged(plain_corpora(system))
        for name in TEST_ATTACKS
        if (one := _config(study, system, corpus, name)) is not None
    ]
    if not found:
        why = "no attacked config with its original and its rows for figure 6"
        return Finding(missing=(Gap(why, system.name),))
    letters = dict(zip(dict.fromkeys(one.corpus for one in found), ascii_lowercase, strict=False))
    series = [
        Series(
            name,
            tuple(
                Point(one.mean_x, *one.change, one.n, letters[one.corpus])
                for one in found
                if one.attack == name
            ),
        )
        for name in TEST_ATTACKS
    ]
    chart = Chart(
        name=f"length-change-{system.slug}",
        title=f"Change by mean change of length ({system.name})",
        kind="points",
        x_label="mean change of length of what the attack alters, in words, %",
        y_label="change of accuracy, %",
        series=tuple(one for one in series if one.points),
        reference={"no change": 0.0},
        ticks={},
        notes=(
            "A point is an attack on a corpus; lines: 95 % intervals, clustered by passage.",
            f"Letters: {', '.join(f'{letter} {corpus}' for corpus, letter in letters.items())}.",
            "No question of RACE counts twice.",
            *_of_fewer_runs(found),
        ),
    )
    return Finding((_correlations(study, system, found), _table(system, found)), (chart,))


def _of_fewer_runs(found: Sequence[_Config]) -> Iterator[str]:
    named = [f"{one.corpus}-{one.attack} {one.runs}" for one in found if " of " in one.runs]
    if named:
        yield f"Over fewer runs than the original of the corpus: {', '.join(named)}."


def _config(study: Study, system: System, corpus: str, name: str) -> _Config | None:
    config = f"{corpus}-{name}"
    figures, stack = cell(study, system, config), study.stack(system, config)
    if isinstance(figures, str) or not isinstance(stack, Stack) or stack.clean is None:
        return None
    if figures.score.change is None:
        return None
    touches = attacks.get(name).touches
    x = stack.each(distractor_length_change if "options" in touches else passage_length_change)
    known = np.isfinite(x)
    right, was_right = stack.predictions == stack.labels, stack.clean == stack.labels
    changes = right.astype(np.float64) - was_right.astype(np.float64)
    passages = [
        f"{corpus}/{one}" for one, is_in in zip(stack.passage_ids, known, strict=True) if is_in
    ]
    mean = float(np.mean(x[known]))
    runs = fewer_runs(figures, cell(study, system, corpus)) or str(len(figures.runs))
    return _Config(
        corpus,
        name,
        mean,
        figures.score.change,
        figures.n_rows,
        runs,
        x[known],
        changes[known],
        passages,
    )


def _table(system: System, found: Sequence[_Config]) -> ResultTable:
    return ResultTable(
        f"length-change-{system.slug}",
        f"{system.name}: change of accuracy and mean change of length",
        (
            Column("corpus", "corpus"),
            Column("attack", "attack"),
            Column("mean_length_change", "mean change of length, %", "percent"),
            Column("change", "change of accuracy, %", "percent"),
            Column("n_rows", "rows", "count"),
            Column("runs", "runs"),
        ),
        tuple((one.corpus, one.attack, one.mean_x, one.change, one.n, one.runs) for one in found),
        ("Runs: `2 of 3` where fewer were scored on the attack than on the original.",),
    )


def _correlations(study: Study, system: System, found: Sequence[_Config]) -> ResultTable:
    rows = clustered_pearson(
        np.concatenate([one.x for one in found]),
        np.concatenate([one.changes for one in found]),
        [passage for one in found for passage in one.passages],
    )
    over_points = pearson_r([one.mean_x for one in found], [one.change.value for one in found])
    line: list[Value] = [len(found), over_points, estimate(rows.r, rows.interval)]
    columns = [
        Column("n_points", "points", "count"),
        Column("r_over_points", "r over points", "r"),
        Column("r_over_answers", "r over answers", "r"),
        Column("n_answers", "answers", "count"),
        Column("n_passages", "passages", "count"),
    ]
    line += [rows.n, rows.n_passages]
    if NAME in study.papers:
        columns.append(Column("r_printed", "r printed (paper A, 49 points)", "r"))
        line.append(printed()["figures"]["length-change"]["r"]["all"])
    return ResultTable(
        f"length-change-correlations-{system.slug}",
        f"{system.name}: correlation of change and change of length",
        tuple(columns),
        (tuple(line),),
        (
            "r over points: Pearson's, unweighted, over attacks on corpora (paper A, figure 6).",
            "r over answers: between a row's change of length and its change (right under attack"
            " less right on the original); 95 % interval clustered by passage, none on fewer"
            f" than {FEWEST_PASSAGES}.",
        ),
    )
