"""The figures of one cell of a table: a system on a config, over all its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._results import Estimate, Score, change_of
from mcrc_adversarial.analysis._runs import Run
from mcrc_adversarial.analysis._study import Stack, Study, System, against
from mcrc_adversarial.configs import clean_configs
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.pairing import clean_answers, paired_rows
from mcrc_adversarial.scoring import (
    Interval,
    Report,
    SeedSpread,
    accuracy,
    percentage_performance_drop,
    report,
    spread_over_seeds,
)


@dataclass(frozen=True)
class Cell:
    """What a system's runs reach on a config; None where it cannot be told.

    Attributes:
        score: accuracy, mean over the runs, and its change from the clean accuracy of the same
            rows. Intervals are clustered by passage and hold the seeds fixed.
        attacked_change: change on the attacked rows alone.
        n_rows: rows of one run.
        n_passages: passages that they stand on.
        n_attacked: rows of one run that the attack changed, the mean over attack seeds.
        p_value: McNemar's, with one run only: answers of several are not independent.
        spread: of the accuracy over training and attack seeds; None with one run, or where a pair
            of seeds is missing.
        runs: behind the cell.
        missing: what is not there, and why, without the name of the system.
    """

    score: Score
    attacked_change: Estimate | None
    n_rows: int
    n_passages: int | None
    n_attacked: float | None
    p_value: float | None
    spread: SeedSpread | None
    runs: tuple[Run, ...]
    missing: tuple[Gap, ...] = ()


def cell(study: Study, system: System, config: str, condition: str | None = None) -> Cell | str:
    """The figures of a cell; or why there are none, in a clause.

    Args:
        study: of the report.
        system: one of the study.
        config: name of the config.
        condition: what the runs were trained on; originals, or nothing, if None.
    """
    key = (system.name, config, condition)
    if key not in study.cells:
        study.cells[key] = _cell(study, system, config, condition)
    found: Cell | str = study.cells[key]
    return found


def _cell(study: Study, system: System, config: str, condition: str | None) -> Cell | str:
    runs = tuple(run for run in system.runs_of(condition) if config in run.answers)
    if not runs:
        return "no run has predictions on it"
    stack = study.stack(system, config, condition)
    if isinstance(stack, Stack):
        return _from_stack(stack)
    if len(runs) == 1 and config in runs[0].figures:
        return _from_figures(runs[0], config, stack)
    return _from_answers(runs, config, stack)


def _from_stack(stack: Stack) -> Cell:
    """All figures: the rows are there."""
    config, missing = str(stack.config), list[Gap]()
    everything = np.ones(len(stack.labels), dtype=np.bool_)
    if not stack.paired.any():
        if choices := clean_configs(config):
            why = f"{' or '.join(choices)} was not scored on the same rows by every run"
            missing.append(Gap(why, "", (config,), "there is no change", Weight.LACKS_DATA))
        scores = _scored(stack, everything, None)
    elif not (stack.paired_clean == stack.labels[stack.paired]).any():
        why = "nothing is right on the original"
        missing.append(Gap(why, "", (config,), "there is no change", Weight.MISLEADS))
        scores = _scored(stack, everything, None)
    else:
        scores = _scored(stack, stack.paired, stack.paired_clean)
        if not stack.paired.all():
            counts = f"{np.sum(~stack.paired)} of {len(stack.paired)} answers"
            why = f"{counts} are to questions that were not scored in {against(stack.runs, config)}"
            missing.append(Gap(why, "", (config,), "the change is over the others"))
            whole = _scored(stack, everything, None)
            scores = replace(whole, rows=whole.rows.with_paired(scores.rows))
    n_runs, rows, attacked = len(stack.runs), scores.rows, scores.attacked
    return Cell(
        score=Score(
            Estimate(rows.accuracy, *(rows.accuracy_interval or ())),
            change_of(rows.percentage_performance_drop, rows.drop_interval),
        ),
        attacked_change=None
        if attacked is None
        else change_of(attacked.percentage_performance_drop, attacked.drop_interval),
        n_rows=rows.n // n_runs,
        n_passages=rows.n_passages,
        n_attacked=None if scores.n_attacked is None else scores.n_attacked / n_runs,
        p_value=rows.mcnemar_p_value if n_runs == 1 else None,
        spread=_spread(stack.runs, config, missing),
        runs=stack.runs,
        missing=tuple(missing),
    )


def _scored(
    stack: Stack, chosen: npt.NDArray[np.bool_], clean: npt.NDArray[np.int64] | None
) -> Report:
    """The figures of the chosen items."""
    return report(
        stack.predictions[chosen],
        stack.labels[chosen],
        clean_predictions=clean,
        passage_ids=list(compress(stack.passage_ids, chosen)),
        attacked=None if stack.config.attack is None else stack.attacked[chosen],
    )


def _from_figures(run: Run, config: str, why: str) -> Cell:
    """What metrics.json says, if it was made from the predictions that lie beside it.

    Raises:
        ScoringError: it was not.
    """
    figures, answers = run.figures[config], run.answers[config]
    found = accuracy(answers.predictions, answers.labels)
    if abs(found - figures["accuracy"]) > 1e-9:
        msg = (
            f"{run.path}: metrics.json has accuracy {figures['accuracy']:.4f} for {config}, the"
            f" predictions have {found:.4f}; score the run again"
        )
        raise ScoringError(msg)

    def drop(prefix: str) -> Estimate | None:
        name = f"{prefix}percentage_performance_drop"
        ends = [figures.get(f"{name}_ci_{end}") for end in ("low", "high")]
        interval = Interval(*ends) if None not in ends else None  # type: ignore[arg-type]
        return change_of(figures.get(name), interval)

    ends = [figures.get(f"accuracy_ci_{end}") for end in ("low", "high")]
    return Cell(
        score=Score(Estimate(found, *ends), drop("")),
        attacked_change=drop("attacked_"),
        n_rows=len(answers.ids),
        n_passages=None,
        n_attacked=figures.get("attacked_n"),
        p_value=figures.get("mcnemar_p_value"),
        spread=None,
        runs=(run,),
        missing=(Gap(why, "", (config,), "figures are those of metrics.json", Weight.LACKS_DATA),),
    )


def _from_answers(runs: Sequence[Run], config: str, why: str) -> Cell:
    """Accuracy and change without intervals, since nothing tells which passages rows stand on."""
    missing = [Gap(why, "", (config,), "there are no intervals", Weight.LACKS_DATA)]
    mean = sum(_accuracy(run, config) for run in runs) / len(runs)
    change = None
    if (original := against(runs, config)) is not None:
        pairs = [_paired_accuracies(run, config, original) for run in runs]
        clean, altered = (sum(each) / len(runs) for each in zip(*pairs, strict=True))
        change = change_of(percentage_performance_drop(altered, clean)) if clean else None
    return Cell(
        score=Score(Estimate(mean), change),
        attacked_change=None,
        n_rows=len(runs[0].answers[config].ids),
        n_passages=None,
        n_attacked=None,
        p_value=None,
        spread=_spread(runs, config, missing),
        runs=tuple(runs),
        missing=tuple(missing),
    )


def _accuracy(run: Run, config: str) -> float:
    answers = run.answers[config]
    return accuracy(answers.predictions, answers.labels)


def _paired_accuracies(run: Run, config: str, original: str) -> tuple[float, float]:
    """On the originals of the config's rows, as far as they were scored, and on these rows."""
    answers, clean = run.answers[config], run.answers[original]
    shared = paired_rows(answers, clean)
    labels = list(compress(answers.labels, shared))
    altered = list(compress(answers.predictions, shared))
    return accuracy(clean_answers(answers, clean), labels), accuracy(altered, labels)


def _spread(runs: Sequence[Run], config: str, missing: list[Gap]) -> SeedSpread | None:
    if len(runs) < 2:
        return None
    values = {(run.training_seed, run.setting.attack_seed): _accuracy(run, config) for run in runs}
    try:
        return spread_over_seeds(values)
    except ScoringError as error:
        missing.append(Gap(f"no spread over seeds ({error})", "", (config,)))
        return None


def seeds(runs: Sequence[Run]) -> str:
    """The seeds of runs, in words."""
    training = sorted({run.training_seed for run in runs})
    attack = sorted({run.setting.attack_seed for run in runs})
    return f"training {_listed(training)}; attack {_listed(attack)}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
