"""Digests of what each attack makes of some examples.

Run as a program, it reads the examples from standard input and prints the digests: also with
another Python, as long as that has what the package needs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Iterable

from mcrc_adversarial.attacks import apply, attacks, self_contained
from mcrc_adversarial.example import Example


def digests(examples: Iterable[Example], seed: int = 0) -> dict[str, dict[str, str]]:
    """Attack -> id -> digest of the attacked example, texts and all."""
    examples = list(examples)
    found: dict[str, dict[str, str]] = {}
    for attack in map(attacks.get, self_contained()):
        made = {
            one.id: json.dumps(dataclasses.astuple(apply(attack, one, seed))) for one in examples
        }
        found[attack.name] = {
            key: hashlib.sha256(text.encode("utf-8")).hexdigest() for key, text in made.items()
        }
    return found


def dump(examples: Iterable[Example]) -> str:
    """The examples as text, for `load`."""
    return json.dumps([dataclasses.astuple(example)[:6] for example in examples])


def load(text: str) -> list[Example]:
    """The examples that `dump` wrote."""
    return [
        Example(key, passage_id, passage, question, tuple(options), label)
        for key, passage_id, passage, question, options, label in json.loads(text)
    ]


if __name__ == "__main__":
    print(json.dumps(digests(load(sys.stdin.read()))))
