from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import degree, edit_distance, share_above

from mcrc_adversarial import shuffling
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.shuffling import (
    DEFAULT_SHUFFLE_DEGREE,
    MAX_DRAWS,
    check_shuffle_degree,
    draw_order,
    shuffle,
    shuffle_degree,
)

few_words = st.lists(st.sampled_from(["a", "b", "c", "B", "日", "is n't"]), min_size=1, max_size=6)
# rapidfuzz takes an empty word for the character 0; no word of a text is empty.
many_words = st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=30)
thresholds = st.sampled_from([0.0, 0.3, 0.65, 0.8, 0.99])


@given(many_words, st.randoms(use_true_random=False))
def test_shuffle_degree_is_the_edit_distance_over_the_length(
    sequence: list[str], rng: Random
) -> None:
    shuffled = rng.sample(sequence, len(sequence))
    assert edit_distance(sequence, shuffled) / len(sequence) == shuffle_degree(sequence, shuffled)


# The package's rows are those of `Random.shuffle`, whatever is done to get them sooner.
@given(st.lists(st.text(max_size=2), max_size=300), st.integers(0, 1000))
def test_shuffle_gives_the_order_and_leaves_the_state_of_the_standard_one(
    items: list[str], seed: int
) -> None:
    ours, standard = list(items), list(items)
    rng, standard_rng = Random(seed), Random(seed)
    shuffle(ours, rng)
    standard_rng.shuffle(standard)
    assert ours == standard
    assert rng.getstate() == standard_rng.getstate()


@pytest.mark.parametrize("length", [0, 1, 2, 4095, 4096, 4097, 5000])
def test_shuffle_gives_the_order_of_the_standard_one_for_any_length(length: int) -> None:
    ours, standard = list(map(str, range(length))), list(map(str, range(length)))
    shuffle(ours, Random(length))
    Random(length).shuffle(standard)
    assert ours == standard


@pytest.mark.parametrize(
    ("original", "shuffled", "expected"),
    [
        ("a b c d", "a b c d", 0.0),
        ("a b", "b a", 1.0),
        ("a b c", "b c a", 2 / 3),
        ("a b c d", "d c b a", 1.0),
        ("ab cd ef", "ef ab cd", 2 / 3),
        # Case counts, and words are compared whole, not by character.
        ("no No", "No no", 1.0),
    ],
)
def test_shuffle_degree_of_known_orders(original: str, shuffled: str, expected: float) -> None:
    assert expected == shuffle_degree(original.split(), shuffled.split())


@given(few_words, thresholds, st.integers(0, 1000))
def test_draw_order_rearranges_the_words(sequence: list[str], threshold: float, seed: int) -> None:
    given_words = list(sequence)
    order = draw_order(sequence, Random(seed), threshold)
    assert given_words == sequence
    if order is None:
        assert len(set(sequence)) == 1
        return
    assert Counter(sequence) == Counter(order.words)
    assert tuple(sequence) != order.words
    assert " ".join(order.words) == order.text
    assert degree(sequence, order.words) == order.degree
    assert (order.degree > threshold) == order.reached
    assert order.fault == ""


@given(few_words, thresholds, st.integers(0, 1000))
def test_draw_order_is_above_the_threshold_wherever_an_order_is(
    sequence: list[str], threshold: float, seed: int
) -> None:
    order = draw_order(sequence, Random(seed), threshold)
    share = share_above(sequence, threshold)
    chance_of_missing_all = (1 - share) ** MAX_DRAWS
    if share == 0:
        assert order is None or not order.reached
    elif chance_of_missing_all < 1e-9:
        assert order is not None
        assert order.reached


@pytest.mark.parametrize("length", range(2, 8))
def test_draw_order_of_different_words_always_passes_the_default(length: int) -> None:
    sequence = [f"w{n}" for n in range(length)]
    for seed in range(200):
        order = draw_order(sequence, Random(seed), DEFAULT_SHUFFLE_DEGREE)
        assert order is not None
        assert order.degree > DEFAULT_SHUFFLE_DEGREE


@pytest.mark.parametrize("sequence", [[], ["a"], ["a", "a"], ["no"] * 5])
def test_draw_order_finds_none_where_all_words_are_equal(sequence: list[str]) -> None:
    assert draw_order(sequence, Random(0), 0.0) is None


# Three words lie at most 2/3 apart in any order (papers A, section 3.1, worked out).
def test_draw_order_keeps_the_greatest_degree_where_none_passes() -> None:
    for seed in range(20):
        order = draw_order(["a", "b", "c"], Random(seed), 0.7)
        assert order is not None
        assert order.degree == pytest.approx(2 / 3)
        assert not order.reached
    # One b among four a moves two words apart at most.
    order = draw_order(["a", "a", "b", "a", "a"], Random(0), 0.9)
    assert order is not None
    assert order.degree == pytest.approx(2 / 5)


def test_draw_order_lies_strictly_above_the_threshold() -> None:
    order = draw_order(["a", "b", "c"], Random(0), 2 / 3)
    assert order is not None
    assert not order.reached


class _Judge:
    """Finds a fault in every order that does not start with `first`; counts its calls."""

    def __init__(self, first: str, fault: str = "bad") -> None:
        self.first = first
        self.fault = fault
        self.calls = 0

    def __call__(self, text: str) -> str:
        self.calls += 1
        return "" if text[0] == self.first else self.fault


def test_draw_order_draws_anew_until_the_judge_is_content() -> None:
    for seed in range(50):
        order = draw_order(list("abcdef"), Random(seed), 0.65, judge=_Judge("f"))
        assert order is not None
        assert order.words[0] == "f"
        assert order.fault == ""


def test_draw_order_stops_at_a_hundred_draws_and_names_the_fault() -> None:
    judge = _Judge("nothing starts so")
    order = draw_order(list("abcdef"), Random(0), 0.65, judge=judge)
    assert order is not None
    assert order.fault == "bad"
    assert order.reached
    assert judge.calls == MAX_DRAWS == 100


# A sentence without an end, as long as a book: what is spent on its edit distances is bounded.
@pytest.mark.parametrize(
    ("length", "expected"), [(3_162, 100), (3_163, 99), (10_000, 10), (31_622, 1), (100_000, 1)]
)
def test_draw_order_compares_few_orders_of_a_very_long_text(
    length: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def none_is_far(original: Sequence[str], _: Sequence[str]) -> float:
        nonlocal compared
        compared += len(original) ** 2
        return 0.5

    monkeypatch.setattr(shuffling, "shuffle_degree", none_is_far)
    monkeypatch.setattr(shuffling, "shuffle", lambda *_: None)
    order = draw_order(["word", *["other"] * (length - 1)], Random(0), 0.65)
    assert order is not None
    assert not order.reached
    assert compared == expected * length**2 <= max(10**9, length**2)


def _plain_draw_order(
    sequence: list[str], rng: Random, threshold: float, judge: _Judge, never: str
) -> tuple[str, ...] | None:
    """`draw_order`, with nothing done to get it sooner: every order of a hundred is judged."""
    best: tuple[tuple[bool, bool, float], tuple[str, ...]] | None = None
    drawn = list(sequence)
    for _ in range(MAX_DRAWS):
        rng.shuffle(drawn)
        distance, fault = degree(sequence, drawn), judge(" ".join(drawn))
        if distance == 0 or fault == never:
            continue
        rank = (distance > threshold, not fault, distance)
        if best is None or rank > best[0]:
            best = rank, tuple(drawn)
        if rank[:2] == (True, True):
            break
    return best and best[1]


# Orders of a few words are judged once; what follows in the same stream must not notice.
@given(
    st.lists(st.sampled_from("abcd"), min_size=2, max_size=6).filter(lambda one: len({*one}) > 1),
    thresholds,
    st.integers(0, 1000),
    st.sampled_from("abcd-"),
    st.sampled_from(["bad", "none"]),
)
def test_draw_order_gives_the_order_and_leaves_the_state_of_the_plain_rule(
    sequence: list[str], threshold: float, seed: int, first: str, never: str
) -> None:
    rng, plain_rng = Random(seed), Random(seed)
    order = draw_order(sequence, rng, threshold, judge=_Judge(first), never=never)
    expected = _plain_draw_order(sequence, plain_rng, threshold, _Judge(first), never)
    assert (order and order.words) == expected
    assert rng.getstate() == plain_rng.getstate()


def test_draw_order_judges_each_order_of_a_few_words_once() -> None:
    judge = _Judge("nothing starts so")
    draw_order(["a", "b", "c"], Random(0), 0.65, judge=judge)
    assert judge.calls == 6


def test_draw_order_prefers_the_threshold_to_the_judge() -> None:
    # Above 0.65 these words allow `b a` alone, which the judge dislikes.
    order = draw_order(["a", "b"], Random(0), 0.65, judge=_Judge("a"))
    assert order is not None
    assert (order.words, order.reached, order.fault) == (("b", "a"), True, "bad")


def test_draw_order_never_returns_an_order_with_the_forbidden_fault() -> None:
    assert draw_order(["a", "b"], Random(0), 0.65, judge=_Judge("a"), never="bad") is None
    order = draw_order(list("abcd"), Random(0), 0.99, judge=_Judge("b"), never="bad")
    assert order is not None
    assert order.words[0] == "b"


@pytest.mark.parametrize("value", [0, 0.0, 0.5, 0.65, 0.999])
def test_check_shuffle_degree_allows_zero_up_to_one(value: float) -> None:
    checked = check_shuffle_degree(value)
    assert value == checked
    assert type(checked) is float


@pytest.mark.parametrize(
    "value",
    [True, False, None, float("nan"), float("inf"), 1, 1.0, -0.01, -1, "0.65", "", [0.5], 1j],
    ids=repr,
)
def test_check_shuffle_degree_refuses_anything_else(value: object) -> None:
    with pytest.raises(ParameterError, match=r"shuffle_degree is .*at least 0 and below 1"):
        check_shuffle_degree(value)
