"""The loading script: every original and attacked version of every corpus, as a config.

`import mcrc_adversarial` makes `datasets.load_dataset("mcrc_adversarial", CONFIG)` use the builder
of this module (see `door`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from importlib.metadata import version
from itertools import pairwise, tee
from pathlib import Path
from typing import Any

import datasets

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import Attack, apply_all, attacks
from mcrc_adversarial.configs import ConfigName, config_names, parse_config
from mcrc_adversarial.corpora import Corpus, corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.example import Example
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.resources import fingerprint
from mcrc_adversarial.rows import features, row
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed

# Raised when the form of all rows changes: a column, its type, or how it is filled.
ROWS_VERSION = "1.0.0"
_SETTABLE = ("allow_unverified", "columns", "data_dir", "data_files", "seed", "skip_incomplete")
# Enough for `num_proc` on any machine; the rows do not depend on it.
_SLICES = 64


def attack_fingerprint(attack: Attack, seed: int, parameters: dict[str, Any]) -> dict[str, Any]:
    """What the attacked fields of a row depend on, besides the example.

    Raises:
        ResourceError: a resource or the candidates that the attack needs are not on this machine.
    """
    if (file := candidates_of(attack, parameters)) is not None and attack.task is not None:
        parameters = {**parameters, attack.task.parameter: file.identity}
    names = attack.resource_names(parameters)
    return {
        "attack": attack.name,
        "version": attack.version,
        "seed": seed,
        "parameters": parameters,
        "sentencex": version("sentencex"),
        **({"resources": fingerprint(names)} if names else {}),
    }


def candidates_of(attack: Attack, parameters: Mapping[str, Any]) -> candidates.CandidateFile | None:
    """The candidates that the attack chooses among; None for attacks that need none.

    Raises:
        ResourceError: they are not there, or broken.
    """
    if attack.task is None:
        return None
    return candidates.read(parameters[attack.task.parameter], attack.task)


@dataclass
class _Config(datasets.BuilderConfig):  # type: ignore[misc]
    """One config; `seed` and the attacks' parameters may be given to `load_dataset`.

    Attributes:
        seed: of the attack, an int of at least 0.
        allow_unverified: go on with a corpus that differs from its published form.
        columns: for `custom` configs, our column names -> those of `data_files`; one that is left
            out has our name or RACE's, as for `attack`.
        skip_incomplete: leave out the questions whose passages are not there.
    """

    seed: int = DEFAULT_SEED
    allow_unverified: bool = False
    columns: dict[str, str | list[str]] | None = None
    skip_incomplete: bool = False

    def taken_apart(self) -> ConfigName:
        return parse_config(self.name)

    def corpus(self) -> Corpus:
        return corpora.get(self.taken_apart().corpus)

    def attack(self) -> tuple[Attack, dict[str, Any]] | None:
        """The attack with all its parameters, None for an original."""
        name = self.taken_apart().attack
        given = {
            parameter: getattr(self, parameter)
            for parameter in _parameter_names()
            if getattr(self, parameter) is not None
        }
        check_seed(self.seed)
        if name is not None:
            attack = attacks.get(name)
            return attack, attack.resolve(given)
        if given:
            msg = f"config {self.name!r} is an original: it takes no {', '.join(given)}"
            raise ParameterError(msg)
        return None

    def source(self) -> Any:
        return find_source(self.corpus(), Path(self.data_dir) if self.data_dir else None)

    def create_config_id(
        self, config_kwargs: dict[str, Any], custom_features: datasets.Features | None = None
    ) -> str:
        """Name the cache folder by everything that the rows depend on, the raw bytes included."""
        if custom_features is not None:
            msg = "features= is not supported: the columns of every config are fixed; use cast()"
            raise ParameterError(msg)
        corpus, attack = self.corpus(), self.attack()
        facts = {
            "rows": ROWS_VERSION,
            "corpus": [corpus.name, corpus.version],
            "raw": _data_files_digest(self) if _takes_data_files(self) else _raw_digest(self),
            "attack": attack and attack_fingerprint(attack[0], self.seed, attack[1]),
            "columns": self.columns,
            "unverified": self.allow_unverified,
            # Only where it is asked for: a folder of the cache keeps its name.
            **({"skip_incomplete": True} if self.skip_incomplete else {}),
        }
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode("utf-8")).hexdigest()
        return f"{self.name}-{digest[:16]}"


def _parameter_names() -> list[str]:
    return sorted({parameter.name for attack in attacks for parameter in attack.parameters})


# A parameter of any attack is a field, so that `load_dataset` takes it by name.
McrcConfig: Any = make_dataclass(
    "McrcConfig",
    [(name, Any, field(default=None)) for name in _parameter_names()],
    bases=(_Config,),
    namespace={"__module__": __name__},
)


def _takes_data_files(config: _Config) -> bool:
    if config.taken_apart().corpus != "custom":
        if config.data_files is not None or config.columns is not None:
            msg = f"config {config.name!r} takes data_dir=, not data_files= or columns="
            raise ParameterError(msg)
        return False
    if config.data_files is None:
        msg = (
            f"config {config.name!r} reads your own files; name them as in"
            ' data_files={"test": "questions.jsonl"} (JSONL, CSV or Parquet)'
        )
        raise ParameterError(msg)
    return True


def _raw_digest(config: _Config) -> str:
    fingerprint: str = config.source().fingerprint
    return fingerprint


def _data_files_digest(config: _Config) -> dict[str, list[Any]]:
    """Content of local files; what `datasets` knows of remote ones (their ETag)."""
    digests: dict[str, list[Any]] = {}
    for split, files in config.data_files.items():
        digests[split] = [
            file_digest(Path(file)) if Path(file).is_file() else origin
            for file, origin in zip(files, files.origin_metadata, strict=True)
        ]
    return digests


class McrcAdversarial(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """All configs of all corpora; see `mcrc_adversarial.configs` for their names."""

    VERSION = datasets.Version(ROWS_VERSION)
    BUILDER_CONFIG_CLASS = McrcConfig
    BUILDER_CONFIGS = [McrcConfig(name=name, version=ROWS_VERSION) for name in config_names()]  # noqa: RUF012 - the interface of datasets

    def _create_builder_config(
        self, config_name: str | None = None, **kwargs: Any
    ) -> tuple[Any, str]:
        # The library's own errors would print all names, or the whole config.
        if config_name is None:
            msg = (
                'no config is named; name one, as in load_dataset("mcrc_adversarial", "sample");'
                ' get_dataset_config_names("mcrc_adversarial") lists all'
            )
            raise UnknownNameError(msg)
        parse_config(config_name)
        settable = {*_SETTABLE, *_parameter_names()}
        unknown = sorted(set(kwargs) - settable - {"custom_features", "config_id"})
        if unknown:
            msg = unknown_name("argument of load_dataset", unknown[0], tuple(sorted(settable)))
            raise ParameterError(msg)
        config, config_id = super()._create_builder_config(config_name=config_name, **kwargs)
        return config, config_id

    def _info(self) -> datasets.DatasetInfo:
        corpus, name = self.config.corpus(), self.config.taken_apart().attack
        return datasets.DatasetInfo(
            description=f"{corpus.title}. Config {self.config.name}.",
            features=features(corpus, None if name is None else attacks.get(name)),
            homepage=corpus.homepage,
            license=corpus.licence.name,
            citation=corpus.citation,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        if _takes_data_files(self.config):
            files = {
                str(split): dl_manager.download(list(files))
                for split, files in self.config.data_files.items()
            }
            if not dl_manager.is_streaming:
                self._check(files)
            shards = {split: {"files": [paths]} for split, paths in files.items()}
        else:
            source = self.config.source()
            shards = {
                split: {"slices": _slices(len(self._read(source, split)))}
                for split in self._splits(source)
            }
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, **shard})
            for split, shard in shards.items()
        ]

    def _splits(self, source: Any) -> list[str]:
        """All splits that are there; with candidates, those that these are of, all checked."""
        attack = self.config.attack()
        file = None if attack is None else candidates_of(*attack)
        found: list[str] = list(source.splits())
        if file is None:
            return found
        splits = file.covered(found, self.config.name)
        for split in splits:
            file.check(self._read(source, split))
        return splits

    def _check(self, files: dict[str, list[str]]) -> None:
        # A bad record found while rows are written would reach the user inside an error of the
        # library, and after a part was written.
        for split, paths in files.items():
            for _ in self._examples(split, None, [paths]):
                pass

    def _read(self, source: Any, split: str) -> list[Example]:
        # Remembered by read_split, so that forked workers and later configs do not read again.
        verify = not self.config.allow_unverified
        skip = self.config.skip_incomplete
        return read_split(self.config.corpus(), source, split, verify=verify, skip_incomplete=skip)

    def _generate_examples(
        self,
        split: str,
        slices: list[tuple[int, int]] | None = None,
        files: list[list[str]] | None = None,
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        attack = self.config.attack()
        examples = self._examples(split, slices, files)
        if attack is None:
            yield from ((example.id, row(example)) for example in examples)
            return
        ours, theirs = tee(examples)
        made = apply_all(attack[0], theirs, self.config.seed, attack[1])
        for example, attacked in zip(ours, made, strict=True):
            yield example.id, row(example, attacked)

    def _examples(
        self,
        split: str,
        slices: list[tuple[int, int]] | None,
        files: list[list[str]] | None,
    ) -> Iterator[Example]:
        for paths in files or ():
            yield from read_examples([Path(path) for path in paths], self.config.columns, split)
        if slices:
            examples = self._read(self.config.source(), split)
            for start, end in slices:
                yield from examples[start:end]


def _slices(total: int) -> list[tuple[int, int]]:
    """Cut `total` rows into at most `_SLICES` runs of nearly equal length."""
    cuts = [total * number // _SLICES for number in range(_SLICES + 1)]
    return [(start, end) for start, end in pairwise(cuts) if end > start]
