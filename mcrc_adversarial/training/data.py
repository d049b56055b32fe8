"""The rows of a run: loading splits, limits, mixtures, fingerprints and overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from datasets import Dataset, concatenate_datasets, load_dataset, load_dataset_builder

from mcrc_adversarial.attack_settings import read_settings, settings_of
from mcrc_adversarial.attacking import attack
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import ConfigName, expand_configs
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.resources import find
from mcrc_adversarial.rows import ATTACK_FEATURES, digest_rows
from mcrc_adversarial.training.arguments import DataArguments, RunArguments
from mcrc_adversarial.training.mixtures import (
    MixtureItem,
    Overlap,
    drawn,
    in_share,
    originals,
    overlap,
    parse_mixture,
    split_names,
    with_originals,
)
from mcrc_adversarial.training.own_files import CUSTOM, own_files, own_splits

# What training needs; the corpora's own facts differ and cannot be joined.
_JOINT = ("id", "passage_id", "passage", "question", "options", "label", "inserted")


@dataclass(frozen=True)
class Plan:
    """Which configs a run uses, names resolved.

    Attributes:
        train: items of the mixture.
        validation: configs that select the checkpoint.
        evaluate: configs to score, each attacked one behind its original.
        evaluate_split: which split of these.
    """

    train: tuple[MixtureItem, ...]
    validation: tuple[ConfigName, ...]
    evaluate: tuple[ConfigName, ...]
    evaluate_split: str

    def used(self, run: RunArguments) -> list[tuple[ConfigName, str]]:
        """The configs whose rows the stages of a run read, with the split that they read."""
        trained = [(item.config, "train") for item in self.train]
        trained += [(config, "validation") for config in self.validation]
        scored = [(config, self.evaluate_split) for config in self.evaluate]
        is_scored = run.do_eval or run.do_predict or run.dry_run
        return [*(trained if run.do_train else ()), *(scored if is_scored else ())]


def make_plan(data: DataArguments) -> Plan:
    """Resolve the lists of configs.

    Raises:
        UnknownNameError: a name is no config; the message names the nearest ones.
        ParameterError: the mixture is none, or two corpora share ids where they may not.
    """
    train = parse_mixture(data.train)
    trained_on = originals(item.config for item in train)
    validation = expand_configs(split_names(data.validation)) or trained_on
    every = [f"{config.corpus}:*" for config in trained_on]
    evaluate = expand_configs(split_names(data.evaluate) or every)
    return Plan(train, validation, with_originals(evaluate), data.evaluate_split)


@dataclass
class RunData:
    """Loads the rows of a run and remembers what they were.

    Args:
        settings: where corpora come from, seeds and limits.
        dry: leave out splits that are not on this machine instead of failing, and say so.

    Attributes:
        fingerprints: `<config>/<split>` -> rows and digest of everything that was loaded.
        missing: splits that a dry run left out, one line each.
    """

    settings: DataArguments
    dry: bool = False
    fingerprints: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    _originals: dict[str, Dataset] = field(default_factory=dict, repr=False)

    def original(self, corpus: str, split: str) -> Dataset:
        """The whole split of a corpus, as it is.

        Raises:
            DataError: the corpus has no such split, or it is not among the raw files found.
        """
        name = f"{corpus}/{split}"
        if name not in self._originals:
            self._check_split(corpus, split)
            keywords = self._keywords(corpus)
            rows = load_dataset("mcrc_adversarial", corpus, split=split, **keywords)
            self._originals[name] = rows
        return self._originals[name]

    def check_own_files(self, used: Iterable[tuple[ConfigName, str]]) -> None:
        """Read the files of `custom`, where a config needs them: before a run writes or loads.

        Args:
            used: configs, and the split of each that is read; a dry run does without a split.

        Raises:
            ParameterError: none are named, or not as SPLIT=FILE.
            DataError: one is not there or not named, or a record breaks a rule.
        """
        splits = dict.fromkeys(split for config, split in used if config.corpus == CUSTOM)
        if not splits:
            return
        self._splits(CUSTOM)
        load_dataset("mcrc_adversarial", CUSTOM, **self._keywords(CUSTOM))
        for split in () if self.dry else splits:
            self._check_split(CUSTOM, split)

    def _splits(self, corpus: str) -> list[str]:
        keywords = self._keywords(corpus)
        if corpus == CUSTOM:
            return own_splits(keywords)
        config = load_dataset_builder("mcrc_adversarial", corpus, **keywords).config
        return list(config.source().splits())

    def _check_split(self, corpus: str, split: str) -> None:
        found = self._splits(corpus)
        if split not in found:
            msg = (
                f"corpus {corpus!r} has no split {split!r} here, only"
                f" {', '.join(found) or 'none'}; another split is never taken in its place"
            )
            raise DataError(msg)

    def check_scored(self, configs: Sequence[ConfigName]) -> None:
        """Find out before training what would stop the scoring, without reading a row of it.

        Raises:
            DataError: a corpus has not the split that is to be scored.
            McrcError: an attack does not take its parameters, or lacks a resource.
        """
        for config in originals(configs):
            self._check_split(config.corpus, self.settings.evaluate_split)
        for name in dict.fromkeys(config.attack for config in configs if config.attack):
            one = attacks.get(name)
            for resource in one.resource_names(one.resolve(self._attack_parameters(name))):
                find(resource)

    def _keywords(self, corpus: str) -> dict[str, Any]:
        settings = self.settings
        found: dict[str, Any] = {"allow_unverified": settings.allow_unverified}
        if corpus == CUSTOM:
            found |= own_files(settings.data_files, settings.columns)
        else:
            found["data_dir"] = settings.data_dir
        return found

    def some(
        self, config: ConfigName, split: str, limit: int, item: MixtureItem | None = None
    ) -> Dataset | None:
        """Rows of a config's split, at most `limit`; None where a dry run has no such split.

        Of these, the share that `item` names. The attack runs on these rows alone and gives the
        rows that `load_dataset` would, without attacking the corpus's other splits.

        Raises:
            McrcError: as in `original`, and whatever the attack has to say.
        """
        try:
            rows = self._limited(config.corpus, split, limit)
        except DataError as error:
            if not self.dry:
                raise
            self.missing.append(str(error))
            return None
        if item is not None:
            chosen = in_share(item, rows["id"], self.settings.sample_seed)
            # Of a dry run's few rows, a share may have none, and its attack would not be tried.
            rows = rows.select(chosen or range(min(len(rows), int(self.dry))))
        if config.attack is not None:
            rows = self._attacked(rows.remove_columns(list(ATTACK_FEATURES)), config.attack)
        self.fingerprints[f"{config}/{split}"] = {"rows": len(rows), "sha256": digest_rows(rows)}
        return rows

    def _attacked(self, rows: Dataset, name: str) -> Dataset:
        given = self._attack_parameters(name)
        return attack(rows, name, seed=self.settings.attack_seed, **given)

    def _attack_parameters(self, name: str) -> dict[str, Any]:
        """All parameters of an attack: those given that it has, and its defaults."""
        settings = read_settings(self.settings.attack_params, self.settings.shuffle_degree)
        return settings_of(attacks.get(name), settings)

    def training(self, items: Sequence[MixtureItem]) -> Dataset:
        """The mixture's rows; ids are `<config>/<id>`, so that they are unique.

        Raises:
            DataError: a train split is missing, or nothing is left of the mixture.
        """
        parts = []
        for item in items:
            rows = self.some(item.config, "train", self.settings.train_limit, item)
            if rows is not None:
                parts.append(_prefixed(rows.select_columns(list(_JOINT)), item.config))
        return _joined(parts, f"mixture {', '.join(map(str, items))}")

    def validation(self, configs: Sequence[ConfigName]) -> Dataset:
        """The rows that select the checkpoint; ids as in `training`.

        Raises:
            DataError: a validation split is missing.
        """
        parts = []
        for config in configs:
            rows = self.some(config, "validation", self.settings.validation_limit)
            if rows is not None:
                parts.append(_prefixed(rows.select_columns(list(_JOINT)), config))
        return _joined(parts, f"validation splits of {', '.join(map(str, configs))}")

    def scored(self, config: ConfigName) -> Dataset | None:
        """The rows of a config to score; None where a dry run has none."""
        return self.some(config, self.settings.evaluate_split, self.settings.evaluate_limit)

    def overlaps(self, plan: Plan) -> dict[str, Overlap]:
        """For each scored corpus, how many of its rows stand on passages that are trained on.

        Both sides count the rows that are used, limits and shares applied; an attacked training row
        counts with the passage that it was made from. Reads the split to be scored.

        Published corpora do share passages between their splits, so this is reported with the
        results and is no error.
        """
        settings = self.settings
        trained: list[str] = []
        for item in plan.train:
            rows = self._limited(item.config.corpus, "train", settings.train_limit)
            trained += rows.select(in_share(item, rows["id"], settings.sample_seed))["passage"]
        found = {}
        for config in originals(plan.evaluate):
            rows = self._limited(config.corpus, settings.evaluate_split, settings.evaluate_limit)
            found[str(config)] = overlap(trained, list(rows["passage"]))
        return found

    def _limited(self, corpus: str, split: str, limit: int) -> Dataset:
        rows = self.original(corpus, split)
        return rows.select(drawn(rows["id"], limit, self.settings.sample_seed))


def _prefixed(rows: Dataset, config: ConfigName) -> Dataset:
    ids = [f"{config}/{row_id}" for row_id in rows["id"]]
    passages = [f"{config}/{passage_id}" for passage_id in rows["passage_id"]]
    bare = rows.remove_columns(["id", "passage_id"])
    return bare.add_column("id", ids).add_column("passage_id", passages)


def _joined(parts: Sequence[Dataset], what: str) -> Dataset:
    rows = [part for part in parts if len(part)]
    if not rows:
        msg = f"{what}: no question is left; take larger shares or other configs"
        raise DataError(msg)
    return concatenate_datasets(rows)


def overlap_record(found: Mapping[str, Overlap]) -> dict[str, dict[str, int]]:
    """The overlaps for the run's record."""
    return {name: asdict(one) for name, one in found.items()}
