from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws, check_seed, stream_seed

PARTS: tuple[Any, ...] = (0, "q-shuffle", 1, "question", "test/1-0")


def test_stream_seed_hashes_a_json_array_with_blake2b() -> None:
    text = '[0, "q-shuffle", 1, "question", "test/ü-0"]'
    digest = hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()
    assert int(digest, 16) == stream_seed(0, "q-shuffle", 1, "question", "test/ü-0")
    assert json.loads(text) == [0, "q-shuffle", 1, "question", "test/ü-0"]


# Pinned: another number here means another row in every config.
def test_stream_seed_is_pinned() -> None:
    assert stream_seed(*PARTS) == 181664217887886282924846724231014823294


@pytest.mark.parametrize(
    ("position", "value"),
    [(0, 1), (1, "p-shuffle"), (2, 2), (3, "passage"), (4, "test/1-1")],
)
def test_stream_seed_differs_with_each_part(position: int, value: object) -> None:
    changed = [*PARTS]
    changed[position] = value
    assert stream_seed(*changed) != stream_seed(*PARTS)


# Joined without bounds between the parts, some of these would collide.
@given(st.tuples(st.text(max_size=3), st.text(max_size=3)), st.tuples(st.text(), st.text()))
def test_stream_seed_keeps_its_parts_apart(one: tuple[str, str], two: tuple[str, str]) -> None:
    seeds = {stream_seed(0, attack, 1, "question", key) for attack, key in (one, two)}
    assert len(seeds) == len({one, two})


def test_draws_question_starts_anew_each_time() -> None:
    draws = Draws(0, "q-shuffle", 1, "test/1-0", "test/1")
    assert draws.question().random() == draws.question().random()


def test_draws_question_depends_on_the_id_alone() -> None:
    first = Draws(0, "q-shuffle", 1, "test/1-0", "test/1")
    same = Draws(0, "q-shuffle", 1, "test/1-0", "another passage")
    other = Draws(0, "q-shuffle", 1, "test/1-1", "test/1")
    assert first.question().random() == same.question().random()
    assert first.question().random() != other.question().random()


def test_draws_passage_depends_on_the_passage_alone() -> None:
    first = Draws(0, "p-shuffle", 1, "test/1-0", "test/1")
    same = Draws(0, "p-shuffle", 1, "test/1-1", "test/1")
    other = Draws(0, "p-shuffle", 1, "test/1-0", "test/2")
    assert first.passage_seed() == same.passage_seed()
    assert first.passage_seed() != other.passage_seed()


def test_draws_scopes_are_apart_even_for_equal_keys() -> None:
    draws = Draws(0, "pq-shuffle", 1, "test/1", "test/1")
    assert draws.passage_seed() != stream_seed(0, "pq-shuffle", 1, "question", "test/1")


def test_default_seed_is_zero() -> None:
    assert DEFAULT_SEED == 0


@pytest.mark.parametrize("seed", [0, 1, 2**64])
def test_check_seed_allows_integers_of_at_least_zero(seed: int) -> None:
    assert seed == check_seed(seed)


@pytest.mark.parametrize("seed", [True, False, None, -1, 1.0, 0.5, "0", float("nan")], ids=repr)
def test_check_seed_refuses_anything_else(seed: object) -> None:
    with pytest.raises(ParameterError, match=r"seed is .*integer of at least 0"):
        check_seed(seed)
