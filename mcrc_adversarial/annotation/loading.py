"""An export from names: questions of configs, of the user's own files too, and catch questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcrc_adversarial._version import __version__
from mcrc_adversarial.annotation.items import Candidate, Catch, catch_pool, draw
from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.sheets import Sheet
from mcrc_adversarial.annotation.writing import Plan, make_sheets
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import ConfigName, expand_configs, parse_config
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.notices import licence_lines, today

_CUSTOM = "custom"


@dataclass(frozen=True)
class Sources:
    """Where the questions are.

    Attributes:
        split: of the corpora.
        file: the user's own questions, for the configs of `custom`; None for none.
        data_dir: of raw files, None for the usual places.
        verify: whether raw files must be the published ones.
        seed: of the samples.
        attack_seed: seed that the attacks are made with.
        parameters: of the attacks.
    """

    split: str
    file: Path | None
    data_dir: Path | None
    verify: bool
    seed: int
    attack_seed: int
    parameters: Mapping[str, Any]


def config_candidates(names: Sequence[str], n: int, sources: Sources) -> list[Candidate]:
    """The sampled questions of all configs; see `draw`.

    Raises:
        McrcError: a name is unknown, raw files are missing or differ, `custom` has no file.
    """
    by_corpus: dict[str, list[ConfigName]] = {}
    for config in expand_configs(names):
        by_corpus.setdefault(config.corpus, []).append(config)
    if sources.file is not None and _CUSTOM not in by_corpus:
        msg = f"--data-file {str(sources.file)!r} is for the configs of {_CUSTOM!r}: name one"
        raise ParameterError(msg)
    _check_parameters([one for configs in by_corpus.values() for one in configs], sources)
    return [
        candidate
        for corpus, configs in by_corpus.items()
        for candidate in draw(
            _examples(corpus, sources),
            configs,
            n,
            seed=sources.seed,
            attack_seed=sources.attack_seed,
            parameters=sources.parameters,
        )
    ]


def _check_parameters(configs: Sequence[ConfigName], sources: Sources) -> None:
    known = {
        parameter.name
        for config in configs
        if config.attack
        for parameter in attacks.get(config.attack).parameters
    }
    for name in sources.parameters:
        if name not in known:
            allowed = ", ".join(sorted(known)) or "none"
            msg = f"--param {name!r} is no parameter of these configs' attacks; they have {allowed}"
            raise ParameterError(msg)


def _examples(name: str, sources: Sources) -> list[Example]:
    if name == _CUSTOM:
        if sources.file is None:
            msg = f"configs of {_CUSTOM!r} are made of your own file: name it with --data-file"
            raise ParameterError(msg)
        return list(read_examples([sources.file], None, sources.split))
    corpus = corpora.get(name)
    source = find_source(corpus, sources.data_dir)
    return read_split(corpus, source, sources.split, verify=sources.verify)


def catch_candidates(
    name: str, taken: Sequence[Candidate], sources: Sources
) -> tuple[str, list[Candidate]]:
    """The corpus of the catch questions, and these, best first.

    Args:
        name: of a corpus, or of a file of the user's own.
        taken: the questions that are asked anyway.
        sources: where the corpus is; a file needs none.

    Raises:
        McrcError: as `config_candidates`.
    """
    path = Path(name)
    # No name of a corpus has a point.
    if path.suffix:
        return _CUSTOM, catch_pool(
            list(read_examples([path], None, "test")), _CUSTOM, taken, sources.seed
        )
    corpus = corpora.get(name)
    if not corpus.splits:
        msg = f"--catch {name!r} is no corpus of its own; name one, or a file"
        raise ParameterError(msg)
    return name, catch_pool(_examples(name, sources), name, taken, sources.seed)


def load_sheets(
    names: Sequence[str], n: int, catch: tuple[str, float], sources: Sources, plan: Plan
) -> tuple[Key, list[Sheet]]:
    """The key and the sheets of an export.

    Args:
        names: of configs.
        n: questions of each attack.
        catch: name of the corpus or file that catch items come from, and their share of a sheet.
        sources: where everything is.
        plan: how it is asked.

    Raises:
        McrcError: a name, a number or a raw file that is wrong.
    """
    candidates = config_candidates(names, n, sources)
    name, share = catch
    catch_corpus, pool = catch_candidates(name, candidates, sources) if share else ("", [])
    used = {parse_config(one.config).corpus for one in candidates}
    facts = {
        "version": __version__,
        "split": sources.split,
        "attack_seed": sources.attack_seed,
        "parameters": dict(sources.parameters),
        "catch": catch_corpus,
        "corpora": {one: corpora.get(one).version for one in sorted(used)},
        "attacks": {
            one.attack: attacks.get(one.attack).version
            for one in expand_configs(names)
            if one.attack
        },
    }
    noticed = used | {one for one in (catch_corpus,) if one and corpora.get(one).licence.notice}
    notices = licence_lines(noticed, today())
    return make_sheets(candidates, Catch(pool, share), plan, notices=notices, facts=facts)
