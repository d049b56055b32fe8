"""What is special to the attacks that shuffle or empty whole passages and questions."""

from __future__ import annotations

import dataclasses

import pytest
from strategies import ORDINARY

from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.example import Example

FIRST, SECOND = ORDINARY[:2]
SAME_PASSAGE = dataclasses.replace(SECOND, passage_id=FIRST.passage_id)


def _bare(passage: str, question: str) -> Example:
    return Example("test/1-0", "test/1", passage, question, ("a", "b"), 0)


@pytest.mark.parametrize("name", ["p-shuffle", "pq-shuffle"])
def test_questions_on_one_passage_share_its_order(name: str) -> None:
    attack = attacks.get(name)
    assert FIRST.passage == SAME_PASSAGE.passage
    assert apply(attack, FIRST).passage == apply(attack, SAME_PASSAGE).passage


# The order hangs on passage_id, not on the text.
@pytest.mark.parametrize("name", ["p-shuffle", "pq-shuffle"])
def test_equal_texts_under_two_passage_ids_have_two_orders(name: str) -> None:
    attack = attacks.get(name)
    assert apply(attack, FIRST).passage != apply(attack, SECOND).passage


def test_questions_are_shuffled_each_for_itself() -> None:
    twin = dataclasses.replace(FIRST, id="test/1-1")
    for name in ("q-shuffle", "pq-shuffle"):
        attack = attacks.get(name)
        assert apply(attack, FIRST).question != apply(attack, twin).question


def test_each_attack_draws_orders_of_its_own() -> None:
    p, q, pq = (
        apply(attacks.get(name), FIRST) for name in ("p-shuffle", "q-shuffle", "pq-shuffle")
    )
    assert p.passage != pq.passage
    assert q.question != pq.question


@pytest.mark.parametrize(
    ("name", "passage", "question"),
    [("p-remove", "", "q"), ("q-remove", "p", ""), ("pq-remove", "", "")],
)
def test_remove_empties_its_fields(name: str, passage: str, question: str) -> None:
    attacked = apply(attacks.get(name), _bare("p", "q"))
    assert (attacked.passage, attacked.question) == (passage, question)
    assert attacked.reasons == ()
    assert set(attacked.shuffle_degree) == {None}


@pytest.mark.parametrize(
    ("name", "passage", "question", "reasons"),
    [
        ("p-remove", "", "q", ("empty",)),
        ("q-remove", "p", "", ("empty",)),
        ("pq-remove", "", "q", ("empty",)),
        ("pq-remove", "p", "", ("empty",)),
        ("pq-remove", "", "", ("empty",)),
        ("p-shuffle", "", "q", ("empty",)),
        ("p-shuffle", " \n", "q", ("empty",)),
        ("p-shuffle", "no no", "q", ("one-word",)),
        ("q-shuffle", "p", "why", ("one-word",)),
        ("pq-shuffle", "", "why", ("empty", "one-word")),
        ("pq-shuffle", "no no", "", ("empty", "one-word")),
    ],
)
def test_a_text_that_leaves_nothing_to_do_is_reported(
    name: str, passage: str, question: str, reasons: tuple[str, ...]
) -> None:
    assert apply(attacks.get(name), _bare(passage, question)).reasons == reasons


def test_pq_shuffle_alters_the_half_that_it_can() -> None:
    attacked = apply(attacks.get("pq-shuffle"), _bare("no", "where is it"))
    assert attacked.passage == "no"
    assert attacked.question != "where is it"
    assert attacked.shuffle_degree[0] is None
    assert attacked.shuffle_degree[1] is not None


def test_a_text_without_another_order_keeps_its_white_space() -> None:
    assert apply(attacks.get("p-shuffle"), _bare(" no\u00a0 no ", "q")).passage == " no\u00a0 no "
