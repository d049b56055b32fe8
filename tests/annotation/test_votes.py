"""What follows from votes, checked by hand."""

from __future__ import annotations

import json
from random import Random

import needed
import numpy as np
import pytest
from annotation_sets import CONFIGS, small_export
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.annotation.agreement import _passage_sums, alpha_interval, alphas
from mcrc_adversarial.annotation.items import Item
from mcrc_adversarial.annotation.reading import Answer
from mcrc_adversarial.annotation.votes import (
    UNANSWERABLE,
    Judged,
    Vote,
    alpha,
    common_types,
    judged,
    majority,
    two_votes_rule,
    votes_jsonl,
)
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES


def item(name: str = "Q0001", label: int = 1, config: str = "sample") -> Item:
    return Item(name, config, f"test/{name}-0", f"test/{name}", label, (3, 1, 0, 2), False)


def votes(*options: int) -> tuple[Vote, ...]:
    return tuple(Vote(f"a{number}", option, option) for number, option in enumerate(options))


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ((1, 1, 1, 0, 0), "kept"),
        ((1, 1, 0, 0, 2), "split"),
        ((0, 0, 0, 1, 1), "other"),
        ((UNANSWERABLE, UNANSWERABLE, 1), "unanswerable"),
        ((1,), "kept"),
        ((1, 0), "split"),
    ],
)
def test_outcome_is_what_more_than_half_say(options: tuple[int, ...], outcome: str) -> None:
    assert Judged(item(), votes(*options)).outcome == outcome


@given(st.lists(st.integers(-1, 3), min_size=1, max_size=9))
def test_majority_has_more_than_half(options: list[int]) -> None:
    chosen = majority(options)
    counts = [options.count(one) for one in set(options)]
    assert (chosen is None) == (2 * max(counts) <= len(options))
    if chosen is not None:
        assert 2 * options.count(chosen) > len(options)


def test_two_votes_rule_by_hand() -> None:
    """Which two are drawn decides: all draws together give the shares that one counts by hand.

    Right, right, right, wrong, wrong: of the 10 pairs, 1 is wrong twice (not valid), 3 are right
    twice (high agreement). The other three have a majority of right ones unless both of the two
    are right (then one of three is).
    """
    right = [True, True, True, False, False]
    rules = [two_votes_rule(right, Random(seed)) for seed in range(4000)]
    assert sum(not rule.is_valid for rule in rules) / 4000 == pytest.approx(0.1, abs=0.02)
    assert sum(rule.is_agreed for rule in rules) / 4000 == pytest.approx(0.3, abs=0.03)
    assert all(rule.is_answered == (not rule.is_agreed) for rule in rules)


@given(right=st.lists(st.booleans(), min_size=5, max_size=5), seed=st.integers(0, 50))
def test_two_votes_rule_keeps_its_order(right: list[bool], seed: int) -> None:
    rule = two_votes_rule(right, Random(seed))
    assert rule.is_valid or not rule.is_agreed
    # Two of five are set aside, so these are certain whatever is drawn.
    if sum(right) >= 4:
        assert rule.is_valid
        assert rule.is_answered
    if sum(right) <= 1:
        assert not rule.is_agreed
        assert not rule.is_answered
    assert rule == two_votes_rule(right, Random(seed))


def test_alpha_of_krippendorffs_example_by_hand() -> None:
    """Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C, nominal: 0.743.

    Coincidences: 7, 10, 8, 4 and 3 on the diagonal, 32 of n = 40; the values occur 9, 13, 10, 5
    and 3 times, so that the sum of n_c (n_c - 1) is 72 + 156 + 90 + 20 + 6 = 344. Alpha is
    (39 * 32 - 344) / (39 * 40 - 344) = 904 / 1216. The 12th unit has one value, which is no pair.
    """
    needed.package("nltk", "extra annotate")
    units = ["11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555"]
    units += ["..11", ".3.."]
    people = "abcd"
    found = [
        Judged(
            item(f"Q{number}"),
            tuple(
                Vote(who, int(value), int(value))
                for who, value in zip(people, unit, strict=True)
                if value != "."
            ),
        )
        for number, unit in enumerate(units)
    ]
    value, n_items, n_votes = alpha(found)
    assert value == pytest.approx(904 / 1216)
    assert (n_items, n_votes) == (11, 40)


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=5), min_size=7, max_size=14))
@settings(max_examples=40, deadline=None)
def test_alpha_interval_is_of_the_same_alpha(units: list[list[int]]) -> None:
    needed.package("nltk", "extra annotate")
    found = [
        Judged(
            item(f"Q{number}"),
            tuple(Vote(f"a{who}", place, place) for who, place in enumerate(unit)),
        )
        for number, unit in enumerate(units)
    ]
    value = alpha(found)[0]
    (computed,) = alphas(np.sum(_passage_sums(found), axis=0, keepdims=True))
    assert computed == pytest.approx(float("nan") if value is None else value, nan_ok=True)
    interval = alpha_interval(found)
    assert (interval is None) is (value is None)
    assert interval is None or interval.low <= interval.high <= 1
    assert alpha_interval(found[:5]) is None


def test_alpha_goes_by_the_place_shown() -> None:
    needed.package("nltk", "extra annotate")
    found = [
        Judged(item(f"Q{number}"), (Vote("a", 0, number % 4), Vote("b", 0, number % 4)))
        for number in range(8)
    ]
    assert alpha(found) == (1.0, 8, 16)


def test_alpha_is_undefined_where_all_say_the_same() -> None:
    assert alpha([Judged(item(), votes(1, 1, 1))]) == (None, 1, 3)
    assert alpha([Judged(item(), votes(1))]) == (None, 0, 0)
    assert alpha([]) == (None, 0, 0)


def test_common_types_are_those_of_more_than_half() -> None:
    given_types = (("factoid", "numeric"), ("factoid",), ("numeric", "logical"), ())
    some = [Vote(f"a{k}", 0, 0, None, types) for k, types in enumerate(given_types)]
    assert common_types(some[:3], COMPREHENSION_TYPES) == ["factoid", "numeric"]
    assert common_types(some, COMPREHENSION_TYPES) == []


def test_comprehension_types_are_the_seven_of_paper_c() -> None:
    assert len(COMPREHENSION_TYPES) == 7
    assert not [name for name in COMPREHENSION_TYPES if ";" in name or "," in name]


def test_judged_leaves_out_annotators() -> None:
    key, sheets = small_export(2)
    answers = [
        Answer(sheet.annotator, one.name, 0, None, (), "")
        for sheet in sheets
        for one in sheet.items
    ]
    for one in judged(key, answers, ["annotator-2"]).values():
        assert "annotator-2" not in {vote.annotator for vote in one.votes}
        assert all(vote.option == one.item.order[0] for vote in one.votes)
    assert judged(key, [], []) == {}


def test_votes_jsonl_has_the_form_that_is_documented() -> None:
    key, sheets = small_export(2, annotators=5, types=True)
    answers = [
        Answer(
            sheet.annotator,
            one.name,
            None if sheet.annotator == "annotator-5" else key.items[one.name].order.index(2),
            7.5 if sheet.annotator == "annotator-1" else None,
            ("logical",),
            "",
        )
        for sheet in sheets
        for one in sheet.items
    ]
    text = votes_jsonl(judged(key, answers), key.configs, COMPREHENSION_TYPES)
    records = [json.loads(line) for line in text.splitlines()]
    assert [(one["config"], one["id"]) for one in records] == [
        (config, f"test/{number}-0") for config in CONFIGS for number in range(2)
    ]
    for record in records:
        assert list(record) == ["id", "config", "votes", "types"]
        assert record["types"] == ["logical"]
        assert record["votes"] == [
            {"annotator": "annotator-1", "option": 2, "seconds": 7.5},
            *(
                {"annotator": f"annotator-{number}", "option": 2, "seconds": None}
                for number in (2, 3, 4)
            ),
            {"annotator": "annotator-5", "option": None, "seconds": None},
        ]
