"""Answers that need no model: a guess, the longest option, the option that looks most familiar.

What such a rule gets right, a model may get right for the same reason. Each gives scores of the
options, of which the greatest is the answer and the first of equal ones wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from mcrc_adversarial.answers import ConfigPredictions, from_scores
from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws, check_seed
from mcrc_adversarial.words import words

Row: TypeAlias = Mapping[str, Any]

_VERSION = 1


def random_scores(row: Row, seed: int = DEFAULT_SEED) -> list[float]:
    """A uniform number from 0 to 1 an option, from a stream of the row's own.

    A row and its attacked version get the same guess, so guessing shows no drop at all.
    """
    rng = Draws(seed, "baseline-random", _VERSION, row["id"], row["passage_id"]).question()
    return [rng.random() for _ in row["options"]]


def length_scores(row: Row, seed: int = DEFAULT_SEED) -> list[float]:
    """Characters of each option.

    Source: the longest-option baseline of paper A (arXiv:1910.12391, table 3), which prints
    neither its unit nor what it does about equal lengths.
    """
    return [float(len(option)) for option in row["options"]]


def overlap_scores(row: Row, seed: int = DEFAULT_SEED) -> list[float]:
    """Share of each option's distinct words that the passage holds, ignoring case; from 0 to 1.

    Words are those of `mcrc_adversarial.words` that hold a letter or digit; an option without any
    scores 0.
    """
    passage = _distinct_words(row["passage"])
    shares = []
    for option in row["options"]:
        distinct = _distinct_words(option)
        shares.append(len(distinct & passage) / len(distinct) if distinct else 0.0)
    return shares


BASELINES: Mapping[str, Callable[[Row, int], list[float]]] = MappingProxyType(
    {
        "random": random_scores,
        "longest-option": length_scores,
        "word-overlap": overlap_scores,
    }
)


def score_baseline(
    name: str, configs: Mapping[str, Iterable[Row]], seed: int = DEFAULT_SEED
) -> dict[str, ConfigPredictions]:
    """Answer the rows of each config by a rule.

    Args:
        name: one of `BASELINES`.
        configs: name -> rows with the fields `id`, `passage_id`, `passage`, `options`, `label`.
        seed: of the random guesses; the other rules draw nothing.

    Raises:
        UnknownNameError: no baseline is called so.
        ParameterError: the seed is not an int of at least 0.
    """
    if name not in BASELINES:
        raise UnknownNameError(unknown_name("baseline", name, tuple(BASELINES)))
    check_seed(seed)
    return {config: _answered(BASELINES[name], rows, seed) for config, rows in configs.items()}


def _answered(
    rule: Callable[[Row, int], list[float]], rows: Iterable[Row], seed: int
) -> ConfigPredictions:
    answered: list[Row] = []
    scores = []
    for row in rows:
        answered.append({"id": row["id"], "label": row["label"]})
        scores.append(rule(row, seed))
    return from_scores(answered, scores, [False] * len(scores))


# The questions on one passage follow one another.
@lru_cache(maxsize=64)
def _distinct_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text.casefold()) if any(map(str.isalnum, word)))
