"""The figures of a run: each config scored against its original, passage by passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import compress
from operator import eq
from typing import Any

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import clean_configs, parse_config
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.pairing import clean_answers, clean_config, paired_rows
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
        paired: rows behind a drop where not all have an original, by config.
    """

    reports: Mapping[str, Report]
    truncated: Mapping[str, int]
    chance: Mapping[str, Chance]
    tied: Mapping[str, int]
    against: Mapping[str, str] = field(default_factory=dict)
    no_drop: Mapping[str, str] = field(default_factory=dict)
    paired: Mapping[str, int] = field(default_factory=dict)

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
        """Which drops are missing, of a part of the rows, or not against the first choice."""
        found = [f"{name}: no drop, {why}" for name, why in self.no_drop.items()]
        found += [
            f"{name}: the drop is over the {count} of {self.reports[name].rows.n} rows that are"
            f" among those of {self.against[name]}"
            for name, count in self.paired.items()
        ]
        return found + [
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
            "paired": dict(self.paired),
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
    reports, chance, against, no_drop, paired = {}, {}, dict[str, str](), dict[str, str](), {}
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
            shared = paired_rows(scored.predictions, configs[clean].predictions)
            if not all(shared):
                paired[name] = sum(shared)
        reports[name] = _report(name, scored, configs[against[name]] if name in against else None)
    truncated = {name: scored.predictions.n_truncated for name, scored in configs.items()}
    tied = {name: scored.predictions.n_tied for name, scored in configs.items()}
    return RunMetrics(reports, truncated, chance, tied, against, no_drop, paired)


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
    shared = paired_rows(found, original)
    if not any(shared):
        return f"since none of its {len(found.ids)} rows is among those of {clean}"
    is_any_right = any(map(eq, clean_answers(found, original), compress(found.labels, shared)))
    return "" if is_any_right else f"since nothing is right on {clean}"


def _report(name: str, scored: ScoredConfig, clean: ScoredConfig | None) -> Report:
    found = scored.predictions
    shared = [True] if clean is None else paired_rows(found, clean.predictions)
    if not all(shared):
        # Accuracy is that of all rows; what pairs need is that of the pairs.
        whole, part = _report(name, scored, None), _report(name, _only(scored, shared), clean)
        return replace(whole, rows=whole.rows.with_paired(part.rows))
    return report(
        found.predictions,
        found.labels,
        clean_predictions=None if clean is None else clean_answers(found, clean.predictions),
        passage_ids=scored.passage_ids,
        # Nothing in a released set tells which rows its makers' attack changed.
        attacked=None if parse_config(name).attack is None else scored.attacked,
        n_options=found.n_options,
    )


def _only(scored: ScoredConfig, chosen: Sequence[bool]) -> ScoredConfig:
    found = scored.predictions
    return ScoredConfig(
        ConfigPredictions(
            list(compress(found.ids, chosen)),
            list(compress(found.labels, chosen)),
            list(compress(found.logits, chosen)),
            list(compress(found.truncated, chosen)),
        ),
        list(compress(scored.passage_ids, chosen)),
        list(compress(scored.attacked, chosen)),
    )
