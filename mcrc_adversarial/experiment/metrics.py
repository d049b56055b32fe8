"""The figures of a run: each config scored against its corpus's original, passage by passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import eq
from typing import Any

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.errors import ScoringError
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
    """

    reports: Mapping[str, Report]
    truncated: Mapping[str, int]
    chance: Mapping[str, Chance]
    tied: Mapping[str, int]

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
            "chance": any(one.chance for one in self.chance.values()),
            "chance_tests": {name: asdict(one) for name, one in self.chance.items()},
        }


def score_run(configs: Mapping[str, ScoredConfig]) -> RunMetrics:
    """Score every config, paired with the original of its corpus.

    Args:
        configs: by name, each attacked one with its original among them.

    Raises:
        ScoringError: an original is missing, or has other rows than its attacked version.
    """
    reports, chance = {}, {}
    for name, scored in configs.items():
        parts = parse_config(name)
        if parts.attack is None:
            found = scored.predictions
            chance[name] = chance_test(found.predictions, found.labels, found.n_options)
            reports[name] = _report(scored, None)
        else:
            reports[name] = _report(scored, _original(configs, parts.corpus, name))
    truncated = {name: scored.predictions.n_truncated for name, scored in configs.items()}
    tied = {name: scored.predictions.n_tied for name, scored in configs.items()}
    return RunMetrics(reports, truncated, chance, tied)


def _original(configs: Mapping[str, ScoredConfig], corpus: str, name: str) -> ScoredConfig:
    if corpus not in configs:
        msg = f"config {name!r} was scored without its original {corpus!r}; score that as well"
        raise ScoringError(msg)
    if list(configs[corpus].predictions.ids) != list(configs[name].predictions.ids):
        msg = f"configs {corpus!r} and {name!r} have other rows; score them in one run"
        raise ScoringError(msg)
    return configs[corpus]


def _report(scored: ScoredConfig, clean: ScoredConfig | None) -> Report:
    found = scored.predictions
    clean_predictions = None
    if clean is not None and _is_any_right(clean.predictions):
        clean_predictions = clean.predictions.predictions
    return report(
        found.predictions,
        found.labels,
        clean_predictions=clean_predictions,
        passage_ids=scored.passage_ids,
        attacked=None if clean is None else scored.attacked,
        n_options=found.n_options,
    )


def _is_any_right(found: ConfigPredictions) -> bool:
    return any(map(eq, found.predictions, found.labels))
