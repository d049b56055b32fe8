"""Where randomness comes from: one stream per seed, attack, version, scope and key.

A row therefore never depends on other rows, on their order, on the number of processes, on
PYTHONHASHSEED or on the platform.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from random import Random
from typing import Literal

from mcrc_adversarial.errors import ParameterError

Scope = Literal["question", "passage"]
DEFAULT_SEED = 0


def check_seed(seed: object) -> int:
    """Return `seed` if it is an int of at least 0.

    Raises:
        ParameterError: it is anything else; bools and None are refused.
    """
    if type(seed) is not int or seed < 0:
        msg = f"seed is {seed!r}; it must be an integer of at least 0 (0 is a seed like any other)"
        raise ParameterError(msg)
    return seed


_encode = json.JSONEncoder(ensure_ascii=False).encode


# The same for all rows of a config.
@lru_cache(maxsize=64)
def _beginning(seed: int, attack: str, version: int, scope: Scope) -> str:
    """The JSON array of a stream up to its last item."""
    return f"{_encode([seed, attack, version, scope])[:-1]}, "


def stream_seed(seed: int, attack: str, version: int, scope: Scope, key: str) -> int:
    """The 128-bit integer that seeds one stream.

    >>> stream_seed(0, "q-shuffle", 1, "question", "test/1-0")
    181664217887886282924846724231014823294
    """
    array = f"{_beginning(seed, attack, version, scope)}{_encode(key)}]"
    digest = hashlib.blake2b(array.encode("utf-8"), digest_size=16).digest()
    return int.from_bytes(digest, "big")


class Draws:
    """The random streams of one example under one attack.

    Args:
        seed: the user's seed.
        attack: name of the attack.
        version: version of the attack.
        example_id: key of the scope `question`.
        passage_id: key of the scope `passage`.
    """

    __slots__ = ("_attack", "_example_id", "_passage_id", "_seed", "_version")

    def __init__(
        self, seed: int, attack: str, version: int, example_id: str, passage_id: str
    ) -> None:
        self._seed = seed
        self._attack = attack
        self._version = version
        self._example_id = example_id
        self._passage_id = passage_id

    def question(self) -> Random:
        """A new generator at the start of the question's own stream."""
        key = self._example_id
        return Random(stream_seed(self._seed, self._attack, self._version, "question", key))

    def passage_seed(self) -> int:
        """Seed of the stream that all questions on the passage share."""
        key = self._passage_id
        return stream_seed(self._seed, self._attack, self._version, "passage", key)
