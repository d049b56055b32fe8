"""What a build has to make: a job for each file, and what it is made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.builder import ROWS_VERSION, attack_fingerprint, candidates_of
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import Source, corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.export.parquet import AttackRun
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed


@dataclass(frozen=True, slots=True)
class Settings:
    """How to build.

    Attributes:
        splits: which ones; those of each corpus that are found where it is None.
        seed: of the attacks.
        parameters: of the attacks, by name; each attack gets those that it has.
        data_dir: where the raw files are; see `corpora.find_source`.
        verify: whether a corpus must be the published one; see `corpora.read_split`.
    """

    splits: tuple[str, ...] | None = None
    seed: int = DEFAULT_SEED
    parameters: Mapping[str, object] = field(default_factory=dict)
    data_dir: Path | None = None
    verify: bool = True


def attack_parameters(
    names: Iterable[str], given: Mapping[str, object]
) -> dict[str, dict[str, Any]]:
    """Resolved parameters of each attack in `names`: of those given, each gets what it has.

    Raises:
        ParameterError: none of the attacks has one of the parameters, or a value is not allowed.
    """
    known = {name: {parameter.name for parameter in attacks.get(name).parameters} for name in names}
    for parameter in given:
        if not any(parameter in has for has in known.values()):
            takes = ", ".join(sorted(set().union(*known.values()))) or "none besides the seed"
            msg = f"no attack to build has a parameter {parameter!r}; they take: {takes}"
            if owners := [
                one.name for one in attacks if parameter in {has.name for has in one.parameters}
            ]:
                msg += (
                    f"; it is one of {', '.join(owners)}: name the attack (`all` may leave it out)"
                )
            raise ParameterError(msg)
    return {
        name: attacks.get(name).resolve({key: given[key] for key in given if key in has})
        for name, has in known.items()
    }


@dataclass(frozen=True, slots=True)
class Job:
    """One file to build; small, so that it can be sent to another process."""

    config: ConfigName
    split: str
    settings: Settings
    parameters: Mapping[str, Any]
    inputs: Mapping[str, Any]

    def made(self, record: FileRecord) -> bool:
        """Whether this job is what the file was made by."""
        same_place = (record.config, record.split) == (str(self.config), self.split)
        return same_place and record.inputs == self.inputs

    def examples(self) -> list[Example]:
        """The questions of its split, checked."""
        source = _source(self.config.corpus, self.settings.data_dir)
        return read_split(source.corpus, source, self.split, verify=self.settings.verify)

    def check_candidates(self) -> None:
        """Read the examples; raise unless the attack finds all candidates that it needs."""
        examples, attack_run = self.examples(), self.attack_run()
        file = attack_run and candidates_of(attack_run.attack, attack_run.parameters)
        if file:
            file.check(examples)

    def attack_run(self) -> AttackRun | None:
        """The attack with its settings; None where the file is of originals."""
        if self.config.attack is None:
            return None
        return AttackRun(attacks.get(self.config.attack), self.settings.seed, self.parameters)


# Forked workers inherit what the first process found; others look once more.
@cache
def _source(corpus: str, data_dir: Path | None) -> Source:
    return find_source(corpora.get(corpus), data_dir)


def forget_sources() -> None:
    """Look for the raw files anew."""
    _source.cache_clear()


# To know the splits, archives are unpacked; as with what `read_split` has read, once is enough.
_found_before: dict[tuple[str, int, str], tuple[str, ...]] = {}


def plan(configs: Iterable[ConfigName], settings: Settings) -> list[Job]:
    """A job for each file of `configs`.

    Raises:
        UnknownNameError: a split that a corpus does not have.
        ParameterError: a seed or parameter that is not allowed.
    """
    check_seed(settings.seed)
    names = list(dict.fromkeys(configs))
    parameters = attack_parameters(
        {name.attack: None for name in names if name.attack}, settings.parameters
    )
    return [job for name in names for job in _jobs(name, settings, parameters)]


def _jobs(
    name: ConfigName, settings: Settings, parameters: Mapping[str, Mapping[str, Any]]
) -> Iterator[Job]:
    attack = None if name.attack is None else attacks.get(name.attack)
    resolved = dict(parameters[attack.name]) if attack else {}
    source = _source(name.corpus, settings.data_dir)
    inputs = {
        "rows_version": ROWS_VERSION,
        "corpus": name.corpus,
        "corpus_version": source.corpus.version,
        "raw_files": source.fingerprint,
        "verified": settings.verify,
        "attack": attack and attack_fingerprint(attack, settings.seed, resolved),
    }
    wanted = settings.splits
    file = attack and candidates_of(attack, resolved)
    if file and wanted is None:
        wanted = tuple(file.covered(_splits(source, None), str(name)))
    for split in _splits(source, wanted):
        yield Job(name, split, settings, resolved, inputs)


def _splits(source: Source, wanted: Sequence[str] | None) -> Sequence[str]:
    key = (source.corpus.name, source.corpus.version, source.fingerprint)
    if key not in _found_before:
        _found_before[key] = source.splits()
    found = _found_before[key]
    for split in wanted or ():
        if split not in found:
            known = f"{unknown_name('split', split, found)} (corpus {source.corpus.name!r})"
            raise UnknownNameError(known)
    return [split for split in found if wanted is None or split in wanted]
