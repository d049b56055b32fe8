"""The runs of a report, grouped into systems, and their answers set beside the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.analysis._runs import ORIGINAL, UNTRAINED, Run, Say, load_run
from mcrc_adversarial.analysis._system_names import named, own_training, slug
from mcrc_adversarial.analysis._texts import ConfigRows, Texts
from mcrc_adversarial.configs import ConfigName, clean_configs, parse_config
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.pairing import clean_answers, paired_rows
from mcrc_adversarial.registry import unknown_name

PAPERS = ("paper-a",)
_PLAIN = (ORIGINAL, UNTRAINED)
T = TypeVar("T")


@dataclass(frozen=True)
class System:
    """Runs of one model under one setting, told apart by what they were trained on and by seeds.

    Attributes:
        name: of the model, with what else tells it from the others.
        runs: at least one.
        slug: the name in letters that a file name may have; no two systems share one.
    """

    name: str
    runs: tuple[Run, ...]
    slug: str

    def conditions(self) -> list[str]:
        """What its runs were trained on, the originals first."""
        return sorted(
            {run.condition for run in self.runs}, key=lambda one: (one not in _PLAIN, one)
        )

    def plain_runs(self) -> list[Run]:
        """Runs whose training, if any, was not wholly on altered data."""
        return [run for run in self.runs if not run.is_altered]

    def runs_of(self, condition: str | None) -> list[Run]:
        """Runs trained on that alone; on originals, a mixture or nothing, if None."""
        if condition is None:
            return self.plain_runs()
        return [run for run in self.runs if run.condition == condition]

    def corpora(self) -> list[str]:
        """Corpora that any run was scored on."""
        found = {parse_config(name).corpus for run in self.runs for name in run.answers}
        return sorted(found)

    @property
    def kind(self) -> str:
        """Kind of its model."""
        return self.runs[0].kind


@dataclass(frozen=True)
class Stack:
    """Answers of several runs on one config, one after another, with those on the originals.

    A question that several runs answered stands there several times, on one passage, so an
    interval clustered by passage takes account of it; it holds the seeds fixed.

    Attributes:
        config: of the rows.
        runs: one or more, each with all rows.
        rows: of each run.
        predictions: shape (n,).
        labels: shape (n,).
        paired: whether the item's original was scored by the same run, shape (n,).
        paired_clean: predictions on the originals of the paired items, as `clean_answers` gives
            them, shape (number of these,).
        passage_ids: of each item.
        attacked: whether the attack changed the item's row, shape (n,).
    """

    config: ConfigName
    runs: tuple[Run, ...]
    rows: tuple[ConfigRows, ...]
    predictions: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    paired: npt.NDArray[np.bool_]
    paired_clean: npt.NDArray[np.int64]
    passage_ids: Sequence[str]
    attacked: npt.NDArray[np.bool_]

    @property
    def clean(self) -> npt.NDArray[np.int64] | None:
        """Predictions on the originals, shape (n,); None unless all items are paired."""
        return self.paired_clean if self.paired.all() else None

    def each(self, measure: Callable[[ConfigRows, int], float]) -> npt.NDArray[np.float64]:
        """`measure` of every item, shape (n,); computed once for rows that runs share."""
        return np.array(self._over_rows(measure), dtype=np.float64)

    def names(self, name: Callable[[ConfigRows, int], str]) -> list[str]:
        """`name` of every item."""
        return self._over_rows(name)

    def _over_rows(self, function: Callable[[ConfigRows, int], T]) -> list[T]:
        done: dict[int, list[T]] = {}
        for rows in self.rows:
            if id(rows) not in done:
                done[id(rows)] = [function(rows, number) for number in range(len(rows.examples))]
        return [value for rows in self.rows for value in done[id(rows)]]


@dataclass
class Study:
    """Everything that analyses look at.

    Attributes:
        systems: by name.
        texts: makes the rows that runs were scored on.
        papers: whose printed figures are to stand beside ours.
        cells: figures that several analyses need, by (system, config, condition).
    """

    systems: tuple[System, ...]
    texts: Texts
    papers: frozenset[str] = frozenset()
    cells: dict[tuple[str, str, str | None], Any] = field(default_factory=dict, repr=False)
    _stacks: dict[tuple[str, str, str], Stack | str] = field(default_factory=dict, repr=False)

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs."""
        return tuple(run for system in self.systems for run in system.runs)

    def stack(self, system: System, config: str, condition: str | None = None) -> Stack | str:
        """The answers of a system's runs; or why there are none, in a clause.

        Args:
            system: one of this study.
            config: name of the config.
            condition: what the runs were trained on; originals, or nothing, if None.
        """
        key = (system.name, config, condition or "")
        if key not in self._stacks:
            runs = [run for run in system.runs_of(condition) if config in run.answers]
            self._stacks[key] = self._stacked(runs, config)
        return self._stacks[key]

    def _stacked(self, runs: Sequence[Run], config: str) -> Stack | str:
        if not runs:
            return "no run has predictions on it"
        rows = []
        for run in runs:
            found = self.texts.of(run, config)
            if isinstance(found, str):
                return found
            rows.append(found)
        answers = [run.answers[config] for run in runs]
        return Stack(
            parse_config(config),
            tuple(runs),
            tuple(rows),
            np.array([one for found in answers for one in found.predictions], dtype=np.int64),
            np.array([one for found in answers for one in found.labels], dtype=np.int64),
            *_clean(runs, config),
            [one for found in rows for one in found.passage_ids],
            np.array([one for found in rows for one in found.is_attacked], dtype=np.bool_),
        )


def _clean(runs: Sequence[Run], config: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Which items have an original that was scored, and the predictions on these."""
    original = against(runs, config)
    paired, found = list[bool](), list[int]()
    for run in runs:
        answers = run.answers[config]
        if original is None:
            paired += [False] * len(answers.ids)
        else:
            paired += paired_rows(answers, run.answers[original])
            found += clean_answers(answers, run.answers[original])
    return np.array(paired, dtype=np.bool_), np.array(found, dtype=np.int64)


def against(runs: Sequence[Run], config: str) -> str | None:
    """The config that the change on `config` is measured against.

    Args:
        runs: at least one, each with answers to `config`.
        config: its name.

    Returns:
        The first choice among those of which every run answered originals of the rows, if any;
        None for an original.
    """

    def has(run: Run, original: str) -> bool:
        answers = run.answers
        return original in answers and any(paired_rows(answers[config], answers[original]))

    choices = clean_configs(config)
    return next((one for one in choices if all(has(run, one) for run in runs)), None)


def load_study(
    arguments: Sequence[str],
    *,
    data_dir: Path | None = None,
    papers: Sequence[str] = (),
    say: Say = lambda _: None,
) -> Study:
    """Read run folders and group them.

    Args:
        arguments: FOLDER or NAME=FOLDER of each run.
        data_dir: folder of the corpora's raw files.
        papers: of `PAPERS`.
        say: told what is being done.

    Raises:
        DataError: a folder is no run, or two runs answer the same config with the same seeds.
        ParameterError: a paper is not among `PAPERS`.
        ScoringError: a file of predictions is broken.
    """
    for paper in papers:
        if paper not in PAPERS:
            raise ParameterError(unknown_name("paper", paper, PAPERS))
    groups: dict[tuple[object, ...], list[Run]] = {}
    for argument in arguments:
        run = load_run(argument, say)
        setting = run.setting._replace(attack_seed=0)
        key = (run.model, run.kind, own_training(run), setting)
        groups.setdefault(key, []).append(run)
    systems: list[System] = []
    for name, runs in named(groups).items():
        _check_distinct(runs)
        _check_training(runs)
        letters = slug(name, {system.slug for system in systems})
        systems.append(System(name, tuple(sorted(runs, key=_seeds)), letters))
    return Study(tuple(systems), Texts(data_dir, say), frozenset(papers))


def _seeds(run: Run) -> tuple[str, int, int]:
    return (run.condition, run.training_seed, run.setting.attack_seed)


def _check_distinct(runs: Sequence[Run]) -> None:
    """Raise where two runs claim the same cell with the same seeds."""
    seen: dict[tuple[object, ...], Run] = {}
    for run in runs:
        for config in run.answers:
            key = (*_seeds(run), config)
            other = seen.setdefault(key, run)
            if other is not run:
                msg = (
                    f"runs {str(other.path)!r} and {str(run.path)!r} both answer {config} with"
                    f" training seed {run.training_seed} and attack seed"
                    f" {run.setting.attack_seed}; leave one out, or name their models as in"
                    f" NAME={run.path}"
                )
                raise DataError(msg)


def _check_training(runs: Sequence[Run]) -> None:
    """Raise where a cell would hold runs that differ in more than their seeds."""
    seen: dict[tuple[str, str], Run] = {}
    for run in runs:
        for config in run.answers:
            other = seen.setdefault((run.condition, config), run)
            differing = sorted(
                name
                for name in run.training
                if run.training[name] != other.training.get(name, run.training[name])
            )
            if differing:
                name = differing[0]
                msg = (
                    f"runs {str(other.path)!r} and {str(run.path)!r} both answer {config}, but"
                    f" {name} is {other.training[name]!r} in one and {run.training[name]!r} in the"
                    f" other; they are no seeds of one model: name one as in NAME={run.path}"
                )
                raise DataError(msg)


def each_corpus(study: Study) -> Iterator[tuple[System, str]]:
    """Every system with every corpus that it was scored on."""
    for system in study.systems:
        for corpus in system.corpora():
            yield system, corpus
