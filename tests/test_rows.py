from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace
from typing import Any

import datasets
import pytest
from hypothesis import given
from strategies import ORDINARY, examples

from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import ATTACK_FEATURES, attack_columns, digest_rows, features, row

EXAMPLE = dataclasses.replace(ORDINARY[0], facts={"level": "middle", "votes": [2, 1]})
CORPUS: Any = SimpleNamespace(facts={"level": "string", "votes": "list<int64>"})


def _round_trip(rows: list[dict[str, Any]], columns: datasets.Features) -> list[dict[str, Any]]:
    back: list[dict[str, Any]] = datasets.Dataset.from_list(rows, features=columns).to_list()
    return back


def test_row_of_an_original_has_empty_attack_columns() -> None:
    assert row(EXAMPLE) == {
        "id": EXAMPLE.id,
        "passage_id": EXAMPLE.passage_id,
        "passage": EXAMPLE.passage,
        "question": EXAMPLE.question,
        "options": list(EXAMPLE.options),
        "label": EXAMPLE.label,
        "attacked": False,
        "reason": "",
        "shuffle_degree": [],
        "inserted": [],
        "level": "middle",
        "votes": [2, 1],
    }


def test_row_of_an_attacked_example_has_the_attack_s_texts() -> None:
    attacked = Attacked(
        passage=f"{EXAMPLE.passage} more",
        question="q",
        options=("a", "b", EXAMPLE.answer, "d"),
        shuffle_degree=(0.75, None, None, 1.0),
        reasons=("one-word", "equals-answer"),
        inserted=((5, 9),),
    )
    made = row(EXAMPLE, attacked)
    assert (made["passage"], made["question"]) == (f"{EXAMPLE.passage} more", "q")
    assert made["options"] == ["a", "b", EXAMPLE.answer, "d"]
    assert made["attacked"] is True
    assert made["reason"] == "one-word;equals-answer"
    assert made["shuffle_degree"] == [0.75, None, None, 1.0]
    assert made["inserted"] == [[5, 9]]
    assert (made["id"], made["label"], made["level"]) == (EXAMPLE.id, EXAMPLE.label, "middle")


def test_attack_columns_say_attacked_only_where_a_text_differs() -> None:
    same = Attacked(EXAMPLE.passage, EXAMPLE.question, EXAMPLE.options, (None,), ("empty",))
    assert attack_columns(EXAMPLE, same)["attacked"] is False
    changes: dict[str, Any] = {
        "passage": "",
        "question": "",
        "options": ("", *EXAMPLE.options[1:]),
    }
    for field, value in changes.items():
        changed = dataclasses.replace(same, **{field: value})
        assert attack_columns(EXAMPLE, changed)["attacked"] is True


def test_features_name_the_label_a_to_z() -> None:
    names = features(CORPUS)["label"].names
    assert names == list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_features_have_the_columns_of_a_row_in_its_order() -> None:
    assert list(features(CORPUS)) == list(row(EXAMPLE))
    assert set(attack_columns(EXAMPLE, None)) == set(ATTACK_FEATURES)


# Else a fact would silently take the place of a column.
@pytest.mark.parametrize("name", corpora.names())
def test_features_of_a_corpus_hold_its_facts_beside_the_common_columns(name: str) -> None:
    common = features(SimpleNamespace(facts={}))  # type: ignore[arg-type]
    facts = corpora.get(name).facts
    assert len(features(corpora.get(name))) == len(common) + len(facts)


@pytest.mark.parametrize("name", attacks.names())
def test_rows_pass_through_arrow_unchanged(name: str) -> None:
    originals = [dataclasses.replace(one, facts=EXAMPLE.facts) for one in ORDINARY]
    attack = attacks.get(name)
    attacked = [row(one, apply(attack, one)) for one in originals]
    assert attacked == _round_trip(attacked, features(CORPUS, attack))
    assert list(attacked[0]) == list(features(CORPUS, attack))
    rows = [row(one) for one in originals]
    assert rows == _round_trip(rows, features(CORPUS))


@given(examples())
def test_row_is_json(example: Example) -> None:
    made = row(example, apply(attacks.get("addsent2opt-shuffle"), example))
    assert made == json.loads(json.dumps(made))


def test_digest_rows_sees_order_and_every_value_but_not_the_order_of_columns() -> None:
    rows = [row(one) for one in ORDINARY]
    digest = digest_rows(rows)
    assert len(digest) == 64
    assert digest == digest_rows(dict(reversed(one.items())) for one in rows)
    changed = [
        rows[::-1],
        rows[:-1],
        [*rows[:-1], rows[-1] | {"label": 1}],
        [*rows[:-1], rows[-1] | {"inserted": [[0, 1]]}],
        [*rows[:-1], rows[-1] | {"reason": "empty"}],
    ]
    assert len({digest, *map(digest_rows, changed)}) == 1 + len(changed)


def test_digest_rows_keeps_rows_apart() -> None:
    assert digest_rows([{"a": "x"}, {"a": "y"}]) != digest_rows([{"a": 'x"}\n{"a": "y'}])
