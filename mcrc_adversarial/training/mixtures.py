"""Which rows are trained on: configs, shares of configs, and joint corpora.

A mixture is a list such as `race,race-p-shuffle:0.25`: all of RACE and a quarter of its shuffled
version, as AdvRACE's adversarial training adds a quarter of each attack (Si et al. 2021). Whether
a row belongs to a share depends on nothing but the seed, the config and the row's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcrc_adversarial.configs import ConfigName, expand_configs
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.seeding import check_seed, stream_seed
from mcrc_adversarial.words import words

_VERSION = 1
_STREAMS = 1 << 128


@dataclass(frozen=True, slots=True)
class MixtureItem:
    """A config, and the share of its rows that is taken, above 0 up to 1."""

    config: ConfigName
    share: float = 1.0

    def __str__(self) -> str:
        return str(self.config) if self.share == 1 else f"{self.config}:{self.share:g}"


def split_names(items: Iterable[str]) -> list[str]:
    """The names in a list whose items may hold several, parted by commas.

    >>> split_names(["race,dream", "mc160"])
    ['race', 'dream', 'mc160']
    """
    return [name.strip() for item in items for name in item.split(",") if name.strip()]


def parse_mixture(items: Iterable[str]) -> tuple[MixtureItem, ...]:
    """Read a mixture.

    Args:
        items: `CONFIG`, `CONFIG:SHARE`, `CORPUS:*` or `CORPUS:*:SHARE`, also several by commas.

    Raises:
        UnknownNameError: there is no such config; the message names the nearest ones.
        ParameterError: a share is not in (0, 1], or a config comes twice.
    """
    found: dict[ConfigName, MixtureItem] = {}
    for text in split_names(items):
        name, colon, last = text.rpartition(":")
        has_share = bool(colon) and last != "*"
        share = _share(last, text) if has_share else 1.0
        for config in expand_configs([name if has_share else text]):
            if config in found:
                msg = f"config {str(config)!r} comes twice in the mixture; name it once"
                raise ParameterError(msg)
            found[config] = MixtureItem(config, share)
    return tuple(found.values())


def _share(text: str, item: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        msg = f"{item!r}: the share is {text!r}; a number above 0 and at most 1 is needed"
        raise ParameterError(msg)
    return share


def place(seed: int, purpose: str, key: str) -> float:
    """Where a row stands in a draw, in [0, 1): the same wherever it comes from.

    Raises:
        ParameterError: the seed is not an int of at least 0.
    """
    return stream_seed(check_seed(seed), purpose, _VERSION, "question", key) / _STREAMS


def in_share(item: MixtureItem, ids: Sequence[str], seed: int) -> list[int]:
    """Indices of the rows that belong to the share, rising.

    Args:
        item: the config and its share.
        ids: of the config's rows.
        seed: of the draw. Two configs draw independently of each other.
    """
    if item.share == 1:
        return list(range(len(ids)))
    purpose = f"mixture {item.config}"
    return [index for index, row_id in enumerate(ids) if place(seed, purpose, row_id) < item.share]


def drawn(ids: Sequence[str], limit: int, seed: int) -> list[int]:
    """Indices of `limit` rows drawn by their ids, rising; all where `limit` is 0 or too large.

    The same ids are drawn from every version of a corpus, and never simply its first ones.
    """
    if not 0 < limit < len(ids):
        return list(range(len(ids)))
    order = sorted(range(len(ids)), key=lambda index: (place(seed, "limit", ids[index]), index))
    return sorted(order[:limit])


def originals(configs: Iterable[ConfigName]) -> tuple[ConfigName, ...]:
    """The originals of the corpora that `configs` belong to, without repeats."""
    return tuple(dict.fromkeys(ConfigName(config.corpus) for config in configs))


def with_originals(configs: Iterable[ConfigName]) -> tuple[ConfigName, ...]:
    """`configs` with the original of each corpus in front of the corpus's attacked versions."""
    asked = tuple(configs)
    found: dict[ConfigName, None] = {}
    for config in asked:
        found[ConfigName(config.corpus)] = None
        found[config] = None
    return tuple(found)


def passage_key(passage: str) -> str:
    """What two printings of one passage share: its words, ignoring case and white space."""
    return " ".join(words(passage.casefold()))


@dataclass(frozen=True, slots=True)
class Overlap:
    """Scored questions whose passage is also trained on, in one config.

    Attributes:
        passages: number of different passages that occur on both sides.
        questions: number of scored questions on them.
        of_questions: number of scored questions.
    """

    passages: int
    questions: int
    of_questions: int


def overlap(training: Iterable[str], scored: Sequence[str]) -> Overlap:
    """Count the passages that occur on both sides; empty ones are nobody's.

    Args:
        training: passages of the ORIGINAL training rows.
        scored: passage of each original row to be scored.
    """
    known = {passage_key(passage) for passage in set(training)} - {""}
    key_of: Mapping[str, str] = {passage: passage_key(passage) for passage in set(scored)}
    shared = [key_of[passage] for passage in scored if key_of[passage] in known]
    return Overlap(len(set(shared)), len(shared), len(scored))
