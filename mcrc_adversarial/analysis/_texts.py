"""The rows that a run was scored on, made again and checked against the run's record.

No model is needed for that: the original comes from the corpus's raw files, the attack is
deterministic, and run.json holds a digest of what was scored. Nothing is downloaded; where the raw
files are not at hand, or other rows come out, the analyses that need texts say so and do without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mcrc_adversarial.analysis._runs import Run, Say
from mcrc_adversarial.attack_settings import read_settings, settings_of
from mcrc_adversarial.attacks import Attack, Attacked, apply_resolved, attacks, is_attacked
from mcrc_adversarial.configs import ConfigName, parse_config
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.errors import CorpusNotFoundError, DataError, VerificationError
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import digest_rows, row
from mcrc_adversarial.tables import is_at_hand

_CUSTOM = "custom"


@dataclass(frozen=True)
class ConfigRows:
    """The rows of a config that were scored, in order.

    Attributes:
        config: their config.
        examples: the originals.
        attacked: what the attack made of each; None in an original config.
        sha256: digest of the rows.
    """

    config: ConfigName
    examples: Sequence[Example]
    attacked: Sequence[Attacked | None]
    sha256: str

    @cached_property
    def passage_ids(self) -> list[str]:
        """Of each row; the article's, where the corpus has several versions of an article."""
        column = corpora.get(self.config.corpus).cluster
        if column == "passage_id":
            return [example.passage_id for example in self.examples]
        return [str(example.facts[column]) for example in self.examples]

    @cached_property
    def is_attacked(self) -> list[bool]:
        """Whether each row differs from its original."""
        pairs = zip(self.examples, self.attacked, strict=True)
        return [
            attacked is not None and is_attacked(example, attacked) for example, attacked in pairs
        ]

    def options(self, number: int) -> tuple[str, ...]:
        """The options that a row shows."""
        attacked = self.attacked[number]
        return self.examples[number].options if attacked is None else attacked.options

    def passage(self, number: int) -> str:
        """The passage that a row shows."""
        attacked = self.attacked[number]
        return self.examples[number].passage if attacked is None else attacked.passage

    def question(self, number: int) -> str:
        """The question that a row shows."""
        attacked = self.attacked[number]
        return self.examples[number].question if attacked is None else attacked.question


class Texts:
    """Makes rows again; each once, however many runs were scored on them.

    Args:
        data_dir: folder of the raw files; where the run had them, or MCRC_DATA_DIR, if None.
        say: told what is being made.
    """

    def __init__(self, data_dir: Path | None = None, say: Say = lambda _: None) -> None:
        self.data_dir = data_dir
        self.say = say
        self._rows: dict[Any, ConfigRows | str] = {}
        self._read: dict[Any, Sequence[Example] | str] = {}

    def of(self, run: Run, config: str) -> ConfigRows | str:
        """The rows that `run` was scored on; or, in a clause, why they cannot be made.

        Raises:
            DataError: a raw file is broken.
        """
        key = (config, run.setting, _source_key(run, parse_config(config)))
        if key not in self._rows:
            self.say(f"{run.name}: making the rows of {config}")
            self._rows[key] = self._made(run, parse_config(config))
        rows = self._rows[key]
        return rows if isinstance(rows, str) else _checked(run, rows)

    def _made(self, run: Run, config: ConfigName) -> ConfigRows | str:
        source = (config.corpus, run.setting.split, _source_key(run, config))
        if source not in self._read:
            self._read[source] = self._originals(run, config.corpus)
        examples = self._read[source]
        if isinstance(examples, str):
            return examples
        ids = run.answers[str(config)].ids
        by_id = {example.id: example for example in examples}
        if unknown := [row_id for row_id in ids if row_id not in by_id]:
            return f"the raw files here have no question {unknown[0]!r}"
        chosen = [by_id[row_id] for row_id in ids]
        attacked = [*map(_attacker(run, config), chosen)]
        digest = digest_rows(map(row, chosen, attacked))
        return ConfigRows(config, chosen, attacked, digest)

    def _originals(self, run: Run, name: str) -> Sequence[Example] | str:
        data = run.record["arguments"]["data"]
        if name == _CUSTOM:
            return _own_files(data, run.setting.split)
        corpus = corpora.get(name)
        folder = self.data_dir or (Path(data["data_dir"]) if data["data_dir"] else None)
        if not is_at_hand(corpus, folder):
            return "its raw files are not at hand (name their folder with --data-dir)"
        try:
            source = find_source(corpus, folder)
            return read_split(
                corpus, source, run.setting.split, verify=not data["allow_unverified"]
            )
        except (CorpusNotFoundError, VerificationError) as error:
            return str(error)


def _source_key(run: Run, config: ConfigName) -> Any:
    """What the originals come from, besides the corpus's name."""
    data = run.record["arguments"]["data"]
    if config.corpus != _CUSTOM:
        return data["data_dir"]
    return (tuple(data["data_files"]), tuple(data["columns"]))


def _own_files(data: Mapping[str, Any], split: str) -> Sequence[Example] | str:
    pairs = [item.partition("=") for item in data["data_files"]]
    files = [Path(file) for name, _, file in pairs if name == split]
    if not files or not all(file.is_file() for file in files):
        return f"the files of its split {split} are not where the run had them"
    columns: dict[str, str | list[str]] = {
        ours: theirs for ours, _, theirs in (item.partition("=") for item in data["columns"])
    }
    return list(read_examples(files, columns or None, split))


def _attacker(run: Run, config: ConfigName) -> Callable[[Example], Attacked | None]:
    """What turns an example of the run's into what was scored."""
    if config.attack is None:
        return lambda _: None
    attack: Attack = attacks.get(config.attack)
    given = read_settings(run.setting.attack_params, run.setting.shuffle_degree)
    parameters, seed = settings_of(attack, given), run.setting.attack_seed
    return lambda example: apply_resolved(attack, example, seed, parameters)


def _checked(run: Run, rows: ConfigRows) -> ConfigRows | str:
    """The rows, if they are those of the run's record."""
    name = f"{rows.config}/{run.setting.split}"
    recorded = run.record.get("data", {}).get(name)
    if recorded is not None and recorded["sha256"] != rows.sha256:
        return (
            f"the rows made here are not those that {run.path} was scored on (another version of"
            " the attack, or of the corpus)"
        )
    answers = run.answers[str(rows.config)]
    pairs = zip(answers.ids, answers.labels, strict=True)
    if list(pairs) != [(example.id, example.label) for example in rows.examples]:
        msg = f"{run.path}: ids or labels of {rows.config} are not those of its rows; score again"
        raise DataError(msg)
    return rows
