"""Config names: `<corpus>` for the original, `<corpus>-<attack>` for an attacked version."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.registry import unknown_name


@dataclass(frozen=True, slots=True)
class ConfigName:
    """A config name, taken apart.

    Attributes:
        corpus: name of the corpus.
        attack: name of the attack, None for the original.
    """

    corpus: str
    attack: str | None = None

    def __str__(self) -> str:
        return self.corpus if self.attack is None else f"{self.corpus}-{self.attack}"


@lru_cache(maxsize=1)
def _by_name() -> dict[str, ConfigName]:
    pairs = (
        ConfigName(corpus, attack)
        for corpus in corpora.names()
        for attack in (None, *attacks.names())
    )
    return {str(pair): pair for pair in pairs}


def config_names() -> tuple[str, ...]:
    """All config names, each corpus's original before its attacked versions."""
    return tuple(_by_name())


def parse_config(name: str) -> ConfigName:
    """Take a config name apart.

    Raises:
        UnknownNameError: there is no such config; the message names the nearest ones.
    """
    try:
        return _by_name()[name]
    except KeyError:
        raise UnknownNameError(unknown_name("config", name, config_names())) from None


def clean_configs(name: str) -> tuple[str, ...]:
    """Configs that the drop of `name` may be measured against, the first choice first.

    That of an attacked version is its corpus; an original has none, but for a released set that
    its corpus calls an attack on others.

    Raises:
        UnknownNameError: as in `parse_config`.
    """
    config = parse_config(name)
    if config.attack is not None:
        return (config.corpus,)
    return corpora.get(config.corpus).scored_against


def expand_configs(names: Iterable[str]) -> tuple[ConfigName, ...]:
    """The configs that `names` stand for, without repeats.

    `race:*` stands for `race` and every attack of exactly that corpus (and so not for
    `race-middle`), but for attacks that need resources beyond the package: these must be named.

    Raises:
        UnknownNameError: a name that is no config and no corpus followed by `:*`.
    """
    found: dict[ConfigName, None] = {}
    for name in names:
        if name.endswith(":*"):
            corpus = corpora.get(name.removesuffix(":*")).name
            found[ConfigName(corpus)] = None
            found.update(
                {ConfigName(corpus, one.name): None for one in attacks if one.is_self_contained}
            )
        else:
            found[parse_config(name)] = None
    return tuple(found)
