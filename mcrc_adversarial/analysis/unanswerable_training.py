"""What does a model learn from questions that cannot be answered? Paper A's table 3."""

from __future__ import annotations

from collections.abc import Sequence

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._cells import Cell, cell, seeds
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import guess, score_of
from mcrc_adversarial.analysis._paper_a import TRAINING_ATTACKS, in_order
from mcrc_adversarial.analysis._results import (
    Column,
    Estimate,
    Finding,
    ResultTable,
    Score,
    Value,
    joined,
)
from mcrc_adversarial.analysis._runs import ORIGINAL
from mcrc_adversarial.analysis._study import Study, System
from mcrc_adversarial.configs import clean_configs
from mcrc_adversarial.scoring import longest_option

_NOTES = (
    "Accuracy on the original, unaltered questions; only training data were altered.",
    "95 % intervals, clustered by passage; with several runs, of the mean over the runs, with the"
    " seeds held fixed.",
    "Longest option: ties count as a draw. Paper A states neither its unit nor its tie rule.",
)
_UNITS = ("characters", "words")


@register(
    "unanswerable-training",
    title="Training on questions that cannot be answered",
    order=20,
    source="Paper A (Si et al. 2019), table 3",
)
def unanswerable_training(study: Study) -> Finding:
    """Training conditions by corpora, with the baselines that need no model."""
    return joined(_of_system(study, system) for system in study.systems)


def _of_system(study: Study, system: System) -> Finding:
    altered = [one for one in system.conditions() if one in TRAINING_ATTACKS]
    if not altered:
        why = "no run was trained on altered data, so there is no table 3"
        return Finding(missing=(Gap(why, system.name, weight=Weight.ASIDE),))
    conditions = [ORIGINAL, *sorted(altered, key=TRAINING_ATTACKS.index)]
    corpora = in_order([one for one in system.corpora() if _is_scored(system, one, altered)])
    cells = {
        (condition, corpus): cell(study, system, corpus, condition)
        for condition in conditions
        for corpus in corpora
    }
    missing = [
        gap._replace(about=f"{system.name}, trained on {condition}")
        for (condition, _), found in cells.items()
        if not isinstance(found, str)
        for gap in found.missing
    ]
    tables = (_matrix(study, system, corpora, conditions, cells), _long(system, cells))
    return Finding(tables, missing=tuple(missing))


def _is_scored(system: System, corpus: str, conditions: Sequence[str]) -> bool:
    runs = (run for run in system.runs if run.condition in conditions)
    return not clean_configs(corpus) and any(corpus in run.answers for run in runs)


def _matrix(
    study: Study,
    system: System,
    corpora: Sequence[str],
    conditions: Sequence[str],
    cells: dict[tuple[str, str], Cell | str],
) -> ResultTable:
    rows: list[tuple[Value, ...]] = [
        ("random guess", *(guess(system, corpus) for corpus in corpora)),
        *(
            (f"longest option ({unit})", *(_longest(study, system, one, unit) for one in corpora))
            for unit in _UNITS
        ),
    ]
    for condition in conditions:
        scores = [score_of(cells[condition, corpus]) for corpus in corpora]
        if any(scores):
            rows.append((condition, *scores))
    return ResultTable(
        f"table-3-{system.slug}",
        f"{system.name}: accuracy in % on originals, by training data",
        (
            Column("training", "trained on"),
            *(Column(corpus, corpus, "fraction") for corpus in corpora),
        ),
        tuple(rows),
        _NOTES,
    )


def _longest(study: Study, system: System, corpus: str, unit: str) -> Score | None:
    for run in system.runs:
        if corpus in run.answers:
            rows = study.texts.of(run, corpus)
            if isinstance(rows, str):
                return None
            options = [example.options for example in rows.examples]
            labels = [example.label for example in rows.examples]
            found = longest_option(
                options, labels, unit="words" if unit == "words" else "characters", ties="expected"
            )
            return Score(Estimate(found.accuracy))
    return None


def _long(system: System, cells: dict[tuple[str, str], Cell | str]) -> ResultTable:
    rows: list[tuple[Value, ...]] = []
    for (condition, corpus), found in cells.items():
        if not isinstance(found, str):
            spread = found.spread
            sd = None if spread is None or spread.sd_training is None else spread.sd_training * 100
            rows.append(
                (corpus, condition, found.score.accuracy, found.n_rows, sd, seeds(found.runs))
            )
    return ResultTable(
        f"training-{system.slug}",
        f"{system.name}: every training condition",
        (
            Column("corpus", "corpus"),
            Column("training", "trained on"),
            Column("accuracy", "accuracy, %", "fraction"),
            Column("n_rows", "rows", "count"),
            Column("sd_training_seeds", "SD over training seeds, points", "points"),
            Column("seeds", "seeds"),
        ),
        tuple(rows),
        _NOTES,
    )
