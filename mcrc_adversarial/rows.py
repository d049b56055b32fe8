"""Rows: what an example and its attacked version look like in a dataset."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from datasets import ClassLabel, Features, List, Value

from mcrc_adversarial.attacks import Attack, Attacked, is_attacked
from mcrc_adversarial.corpora import Corpus
from mcrc_adversarial.example import LETTERS, Example

# What an attack adds to a row, beside the fields that it alters.
ATTACK_FEATURES: Mapping[str, Any] = {
    "attacked": Value("bool"),
    "reason": Value("string"),
    "shuffle_degree": List(Value("float64")),
    "inserted": List(List(Value("int32"))),
}
# What an attack that alters single words adds besides: one item for each change, as in `Change`.
LINEAGE_FEATURES: Mapping[str, Any] = {
    "lineage": List(
        {
            "text": Value("string"),
            "start": Value("int32"),
            "before": Value("string"),
            "after": Value("string"),
            "how": Value("string"),
        }
    ),
}


def attack_features(attack: Attack | None) -> Mapping[str, Any]:
    """The columns that an attack adds to a row; for an original, those that mark it as one."""
    if attack is None or not attack.has_lineage:
        return ATTACK_FEATURES
    return {**ATTACK_FEATURES, **LINEAGE_FEATURES}


def features(corpus: Corpus, attack: Attack | None = None) -> Features:
    """The columns of a config of `corpus`: the same for its original and for most attacks.

    Only an attack that keeps a lineage has one more, behind those of every config. `label` has the
    same 26 names (A to Z) everywhere, so that corpora with different numbers of options can be
    concatenated.
    """
    return Features(
        {
            "id": Value("string"),
            "passage_id": Value("string"),
            "passage": Value("string"),
            "question": Value("string"),
            "options": List(Value("string")),
            "label": ClassLabel(names=list(LETTERS)),
            **attack_features(attack),
            **{name: _feature(dtype) for name, dtype in corpus.facts.items()},
        }
    )


def _feature(dtype: str) -> Any:
    if dtype.startswith("list<") and dtype.endswith(">"):
        return List(Value(dtype[5:-1]))
    return Value(dtype)


def attack_columns(example: Example, attacked: Attacked | None) -> dict[str, Any]:
    """The columns of `attack_features`; of an original where `attacked` is None."""
    if attacked is None:
        return {"attacked": False, "reason": "", "shuffle_degree": [], "inserted": []}
    columns = {
        "attacked": is_attacked(example, attacked),
        "reason": ";".join(attacked.reasons),
        "shuffle_degree": list(attacked.shuffle_degree),
        "inserted": [list(span) for span in attacked.inserted],
    }
    if attacked.changes is not None:
        columns["lineage"] = [change._asdict() for change in attacked.changes]
    return columns


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
