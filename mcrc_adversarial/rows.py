"""Rows: what an example and its attacked version look like in a dataset."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from datasets import ClassLabel, Features, List, Value

from mcrc_adversarial.attacks import Attacked, is_attacked
from mcrc_adversarial.corpora import Corpus
from mcrc_adversarial.example import LETTERS, Example

# What an attack adds to a row, beside the fields that it alters.
ATTACK_FEATURES: Mapping[str, Any] = {
    "attacked": Value("bool"),
    "reason": Value("string"),
    "shuffle_degree": List(Value("float64")),
    "inserted": List(List(Value("int32"))),
}


def features(corpus: Corpus) -> Features:
    """The columns of every config of `corpus`.

    `label` has the same 26 names (A to Z) everywhere, so that corpora with different numbers of
    options can be concatenated.
    """
    return Features(
        {
            "id": Value("string"),
            "passage_id": Value("string"),
            "passage": Value("string"),
            "question": Value("string"),
            "options": List(Value("string")),
            "label": ClassLabel(names=list(LETTERS)),
            **ATTACK_FEATURES,
            **{name: _feature(dtype) for name, dtype in corpus.facts.items()},
        }
    )


def _feature(dtype: str) -> Any:
    if dtype.startswith("list<") and dtype.endswith(">"):
        return List(Value(dtype[5:-1]))
    return Value(dtype)


def attack_columns(example: Example, attacked: Attacked | None) -> dict[str, Any]:
    """The columns of `ATTACK_FEATURES`; of an original where `attacked` is None."""
    if attacked is None:
        return {"attacked": False, "reason": "", "shuffle_degree": [], "inserted": []}
    return {
        "attacked": is_attacked(example, attacked),
        "reason": ";".join(attacked.reasons),
        "shuffle_degree": list(attacked.shuffle_degree),
        "inserted": [list(span) for span in attacked.inserted],
    }


def row(example: Example, attacked: Attacked | None = None) -> dict[str, Any]:
    """One row of a config: of the original where `attacked` is None."""
    text = example if attacked is None else attacked
    return {
        "id": example.id,
        "passage_id": example.passage_id,
        "passage": text.passage,
        "question": text.question,
        "options": list(text.options),
        "label": example.label,
        **attack_columns(example, attacked),
        **example.facts,
    }


def digest_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Sha256 over the rows, in order, as JSON lines with sorted keys; 64 hex digits."""
    digest = hashlib.sha256()
    for one in rows:
        digest.update(json.dumps(one, ensure_ascii=False, sort_keys=True).encode("utf-8"))
        digest.update(b"\n")
    return digest.hexdigest()
