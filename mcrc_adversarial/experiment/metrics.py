"""The figures of a run: each config scored against its original, passage by passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from operator import eq
from typing import Any

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import clean_configs, parse_config
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.pairing import clean_answers, clean_config, n_unpaired
from mcrc_adversarial.scoring import Chance, Report, chance_test, report

SCHEMA_VERSION = 1
# Share of a config's rows from which on they are remarked upon.
_MANY = 0.05


@dataclass(frozen=True)
class ScoredConfig:
    """Predictions on a config with what scoring needs of its rows, in their order.

    Attributes:
        predictions: of the model.
        passage_ids: the passage that each row stands on.
        attacked: whether the attack changed each row.
    """

    predictions: ConfigPredictions
    passage_ids: Sequence[str]
    attacked: Sequence[bool]


@dataclass(frozen=True)
class RunMetrics:
    """Figures by config, and the chance test by corpus.

    Attributes:
        reports: by config.
        truncated: rows of each config of which any token was dropped.
        chance: by corpus.
        tied: rows of each config where several options have the greatest score.
        against: the config that a drop is measured against, by config.
        no_drop: why a config that is an attack has no drop, a clause, by config.
    """

    reports: Mapping[str, Report]
    truncated: Mapping[str, int]
    chance: Mapping[str, Chance]
    tied: Mapping[str, int]
    against: Mapping[str, str] = field(default_factory=dict)
    no_drop: Mapping[str, str] = field(default_factory=dict)

    def remarks(self) -> list[str]:
        """What a reader of the figures has to know of configs of which many rows are odd."""
        kinds = (
            (self.truncated, "rows were shortened to max_length, so its figures measure that too"),
            (self.tied, "rows have several best options, of which the first is the answer"),
        )
        return [
            f"{name}: {count} of {self.reports[name].rows.n} {what}"
            for counts, what in kinds
            for name, count in counts.items()
            if count > _MANY * self.reports[name].rows.n
        ] + self.remarks_on_drops()

    def remarks_on_drops(self) -> list[str]:
        """Which drops are missing, and which are not against the first choice."""
        missing = [f"{name}: no drop, {why}" for name, why in self.no_drop.items()]
        return missing + [
            f"{name}: the drop is against {clean}, since {clean_configs(name)[0]} was not scored"
            for name, clean in self.against.items()
            if clean != clean_configs(name)[0]
        ]

    def as_dict(self, split: str) -> dict[str, Any]:
        """What `metrics.json` holds.

        Args:
            split: that was scored.
        """
        return {
            "schema_version": SCHEMA_VERSION,
            "split": split,
            "configs": {name: one.as_dict() for name, one in self.reports.items()},
            "truncated": dict(self.truncated),
            "tied": dict(self.tied),
            "against": dict(self.against),
            "no_drop": dict(self.no_drop),
            "chance": any(one.chance for one in self.chance.values()),
            "chance_tests": {name: asdict(one) for name, one in self.chance.items()},
        }


def score_run(configs: Mapping[str, ScoredConfig]) -> RunMetrics:
    """Score every config, paired with its original by the rows' ids.

    Args:
        configs: by name, each attacked one with its original among them. A released set is paired
            with that of its corpus's `scored_against` which is there, if any.

    Raises:
        ScoringError: an original is missing, or has other rows than its attacked version.
    """
    reports, chance, against, no_drop = {}, {}, dict[str, str](), dict[str, str]()
    for name, scored in configs.items():
        clean = clean_config(name, configs)
        why = _no_drop(configs, name, clean)
        if clean is None and parse_config(name).attack is None:
            found = scored.predictions
            chance[name] = chance_test(found.predictions, found.labels, found.n_options)
        if why:
            no_drop[name] = why
        elif clean is not None:
            against[name] = clean
        reports[name] = _report(name, scored, configs[against[name]] if name in against else None)
    truncated = {name: scored.predictions.n_truncated for name, scored in configs.items()}
    tied = {name: scored.predictions.n_tied for name, scored in configs.items()}
    return RunMetrics(reports, truncated, chance, tied, against, no_drop)


def _no_drop(configs: Mapping[str, ScoredConfig], name: str, clean: str | None) -> str:
    """Why a config that is an attack cannot be paired; empty where it can, or is none."""
    is_ours = parse_config(name).attack is not None
    if clean is None:
        if is_ours:
            (asked,) = clean_configs(name)
            msg = f"config {name!r} was scored without its original {asked!r}; score that as well"
            raise ScoringError(msg)
        asked = " or ".join(clean_configs(name))
        return f"since it takes {asked}, which was not scored in this run" if asked else ""
    found, original = configs[name].predictions, configs[clean].predictions
    if is_ours and list(original.ids) != list(found.ids):
        msg = f"configs {clean!r} and {name!r} have other rows; score them in one run"
        raise ScoringError(msg)
    if count := n_unpaired(found, original):
        return f"since {count} of its {len(found.ids)} rows are not among those of {clean}"
    return "" if _is_any_right(original, found) else f"since nothing is right on {clean}"


def _report(name: str, scored: ScoredConfig, clean: ScoredConfig | None) -> Report:
    found = scored.predictions
    return report(
        found.predictions,
        found.labels,
        clean_predictions=None if clean is None else clean_answers(found, clean.predictions),
        passage_ids=scored.passage_ids,
        # Nothing in a released set tells which rows its makers' attack changed.
        attacked=None if parse_config(name).attack is None else scored.attacked,
        n_options=found.n_options,
    )


def _is_any_right(clean: ConfigPredictions, of_rows: ConfigPredictions) -> bool:
    return any(map(eq, clean_answers(of_rows, clean), of_rows.labels))
