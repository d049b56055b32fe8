"""How do models fare under attack that were trained on altered data alone?

Apart from table 2, so that no figure of theirs is taken for one of a model that saw originals.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._attack_tables import AttackTables
from mcrc_adversarial.analysis._paper_a import TRAINING_ATTACKS
from mcrc_adversarial.analysis._results import Finding, joined
from mcrc_adversarial.analysis._study import Study, System
from mcrc_adversarial.configs import clean_configs


@register(
    "altered-training-under-attack",
    title="Models trained on altered data, under attack",
    order=21,
    source="Not in paper A, whose table 2 is for models trained on originals",
)
def altered_training_under_attack(study: Study) -> Finding:
    """The tables of each system once for each of its training conditions; empty without any."""
    return joined(
        _of_condition(study, system, condition)
        for system in study.systems
        for condition in _conditions(system)
    )


def _of_condition(study: Study, system: System, condition: str) -> Finding:
    made = AttackTables(study, system, condition)
    return Finding(tuple(made.tables()), missing=tuple(made.missing()))


def _conditions(system: System) -> Iterator[str]:
    """Those that were scored under attack, or that table 3 has no place for."""
    for condition in system.conditions():
        runs = [run for run in system.runs_of(condition) if run.is_altered]
        scored = {name for run in runs for name in run.answers}
        is_attacked = any(clean_configs(name) for name in scored)
        if runs and (is_attacked or condition not in TRAINING_ATTACKS):
            yield condition
