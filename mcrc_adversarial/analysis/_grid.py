"""Which configs a system was scored on, in the order of tables, and the margins of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcrc_adversarial.analysis._cells import Cell
from mcrc_adversarial.analysis._paper_a import TEST_ATTACKS, in_order
from mcrc_adversarial.analysis._results import Estimate, Score
from mcrc_adversarial.analysis._study import System
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.scoring import random_guess

ORIGINAL_ROW = "original"
_PARTS_OF_RACE = {"race-middle", "race-high"}


def plain_corpora(system: System) -> list[str]:
    """Corpora that runs trained on originals, or not at all, were scored on."""
    configs = (name for run in system.plain_runs() for name in run.answers)
    return in_order(sorted({parse_config(name).corpus for name in configs}))


def has(system: System, config: str) -> bool:
    """Whether a run trained on originals, or not at all, was scored on the config."""
    return any(config in run.answers for run in system.plain_runs())


def configs_of(system: System, corpora: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """(corpus, attack or `original`, config) of every config that a plain run was scored on."""
    rest = [name for name in attacks.names() if name not in TEST_ATTACKS]
    for corpus in corpora:
        for name in (None, *TEST_ATTACKS, *rest):
            config = f"{corpus}-{name}" if name else corpus
            if has(system, config):
                yield corpus, name or ORIGINAL_ROW, config


def averaged(corpora: Sequence[str]) -> list[str]:
    """Corpora that a mean counts: no question of RACE twice."""
    left_out: set[str] = set()
    if "race" in corpora:
        left_out = {"race"} if set(corpora) >= _PARTS_OF_RACE else _PARTS_OF_RACE
    return [corpus for corpus in corpora if corpus not in left_out]


def score_of(found: Cell | str) -> Score | None:
    """Score of a cell, None for an empty one."""
    return None if isinstance(found, str) else found.score


def full_mean(values: Sequence[float | None]) -> float | None:
    """Plain mean; None where any is missing, since a mean over fewer would not compare."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def guess(system: System, corpus: str) -> Score | None:
    """Expected accuracy of guessing on the corpus's questions."""
    for run in system.runs:
        for name, answers in run.answers.items():
            if parse_config(name).corpus == corpus:
                return Score(Estimate(random_guess(answers.n_options).accuracy))
    return None
