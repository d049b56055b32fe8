from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.difficulty.vote_files import read_votes
from mcrc_adversarial.difficulty.votes import Judgement, Rules, Votes, judge
from mcrc_adversarial.errors import DataError, ParameterError

GOLD = 2
Option = int | None


def of(*options: Option, **rules: Any) -> Judgement:
    """The first two votes filter, the others measure."""
    votes = Votes(options, filtering=(0, 1), measuring=tuple(range(2, len(options))))
    return judge(votes, GOLD, "test/1-0", Rules(**rules))


@pytest.mark.parametrize(
    ("filters", "valid", "high"),
    [
        ((2, 2), True, True),
        ((2, 0), True, False),
        ((1, 2), True, False),
        ((1, 0), False, False),
        ((None, 2), True, False),
        ((None, None), False, False),
    ],
)
def test_valid_needs_one_filtering_vote_and_high_agreement_both(
    filters: tuple[Option, Option], valid: bool, high: bool
) -> None:
    found = of(*filters, 2, 2, 2)

    assert (found.valid, found.high_agreement) == (valid, high)


@pytest.mark.parametrize(
    ("measuring", "human"),
    [
        ((2, 2, 2), 1.0),
        ((2, 2, 0), 1.0),
        ((0, 0, 2), 0.0),
        ((0, 1, 3), 0.0),
        ((2, None, 2), 1.0),
        ((2, None, None), 0.0),
    ],
)
def test_human_answer_is_that_of_the_majority(measuring: tuple[Option, ...], human: float) -> None:
    assert of(2, 2, *measuring).human == human


@pytest.mark.parametrize(
    ("rule", "with_gold", "without_gold"),
    [("wrong", 0.0, 0.0), ("share", 1 / 3, 0.0), ("out", None, None)],
)
def test_three_way_split_counts_as_the_rule_says(
    rule: str, with_gold: float | None, without_gold: float | None
) -> None:
    assert of(2, 2, 2, 0, 1, no_majority=rule).human == with_gold
    assert of(2, 2, 0, 1, 3, no_majority=rule).human == without_gold


def test_unanswerable_vote_is_a_wrong_option_or_left_out() -> None:
    votes = (2, 2, 2, None, None)

    assert of(*votes).human == 0.0
    assert of(*votes, unanswerable="out").human == 1.0
    assert of(2, 2, None, None, None, unanswerable="out").human is None
    # One vote each is a split once the unanswerable one is out.
    assert of(2, 2, 2, 0, None, unanswerable="out", no_majority="share").human == 1 / 2


def test_human_may_be_the_mean_of_the_votes() -> None:
    assert of(2, 2, 2, 0, None, human="mean").human == 1 / 3
    assert of(2, 2, 2, 0, None, human="mean", unanswerable="out").human == 1 / 2


def test_too_few_votes_give_no_judgement() -> None:
    assert judge(Votes((2,)), GOLD, "q", Rules()) == Judgement(None, None, None)
    assert judge(Votes((2, 2)), GOLD, "q", Rules()) == Judgement(True, True, None)
    assert judge(Votes((2,) * 4), GOLD, "q", Rules()).human is None
    assert judge(Votes((2,) * 4), GOLD, "q", Rules(n_human=2)).human == 1.0


def test_drawn_votes_depend_on_question_and_seed_alone() -> None:
    votes = Votes((2, 0, 2, 0, 2, 0, 2, 0, 2, 0))
    draws = [
        [judge(votes, GOLD, f"test/{n}-0", Rules(seed=seed)) for n in range(60)]
        for seed in (0, 0, 1)
    ]

    assert draws[0] == draws[1] != draws[2]
    # Two of ten votes, half of them right: high agreement in 2 of 9 questions.
    assert 4 <= Counter(one.high_agreement for one in draws[0])[True] <= 24


@given(st.lists(st.none() | st.integers(0, 3), min_size=5, max_size=10))
def test_votes_that_filter_do_not_measure(options: list[Option]) -> None:
    # Two filters are right and three others wrong whatever is drawn where all agree.
    same = judge(Votes(tuple(options)), GOLD, "q", Rules(human="mean"))
    turned = judge(Votes(tuple(options)), GOLD, "q", Rules(human="mean"))
    assert same == turned
    n_right = options.count(GOLD)
    if same.human is not None and same.high_agreement:
        assert 2 + round(3 * same.human) <= n_right


def test_named_votes_must_be_there() -> None:
    with pytest.raises(DataError, match="there is no vote 5; it has 2 votes"):
        judge(Votes((2, 2), filtering=(0, 5), measuring=(1,)), GOLD, "q", Rules())


@pytest.mark.parametrize(
    ("filtering", "measuring", "message"),
    [
        ((0, 1), (1, 2, 3), r"vote 1 is named twice among those that filter \(\[0, 1\]\)"),
        ((0, 0), (2, 3, 4), "vote 0 is named twice"),
        ((0, 1), (2, 2, 4), r"vote 2 is named twice .* measure people \(\[2, 2, 4\]\); name each"),
        ((0, 1), None, "the votes that filter are named, and those that measure people are not"),
        (None, (2, 3, 4), "the votes that measure people are named, and those that filter are not"),
    ],
)
def test_named_votes_are_each_named_once(
    filtering: tuple[int, ...] | None, measuring: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(DataError, match=f"question 'q': .*{message}"):
        judge(Votes((2,) * 5, filtering=filtering, measuring=measuring), GOLD, "q", Rules())


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"human": "median"}, "human is 'median'; allowed: majority, mean"),
        ({"no_majority": "right"}, "no_majority is 'right'; allowed: wrong, share, out"),
        ({"unanswerable": ""}, "unanswerable is ''; allowed: wrong, out"),
        ({"n_human": 0}, "n_human is 0; an integer of at least 1"),
        ({"seed": True}, "seed is True"),
    ],
)
def test_wrong_rules_are_named(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Rules(**rules)


LINE = {
    "id": "test/1-0",
    "config": "sample",
    "votes": [
        {"annotator": "a", "option": 1, "seconds": 3.5},
        {"annotator": "b", "option": None, "seconds": None},
    ],
    "types": ["factoid"],
}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_vote_file_is_read(tmp_path: Path) -> None:
    more = {**LINE, "id": "test/1-1", "source": "slate", "writing_seconds": 8, "types": []}
    found = read_votes(written(tmp_path / "v.jsonl", LINE, more), "sample")

    assert found["test/1-0"].votes == Votes((1, None), (3.5, None))
    assert found["test/1-0"].votes.mean_seconds == 3.5
    assert found["test/1-0"].types == ("factoid",)
    assert (found["test/1-1"].source, found["test/1-1"].writing_seconds) == ("slate", 8.0)


def test_votes_of_other_configs_are_left_out_and_counted(tmp_path: Path) -> None:
    said: list[str] = []
    attacked = [{**LINE, "config": "sample-charswap", "votes": [{"option": n}]} for n in (0, 2)]
    file = written(tmp_path / "v.jsonl", attacked[0], LINE, attacked[1], {**LINE, "config": "race"})

    found = read_votes(file, "sample", said.append)

    assert found == read_votes(written(tmp_path / "own.jsonl", LINE), "sample", said.append)
    told = "3 line(s) of --votes are left out, of other configs (race 1, sample-charswap 2)."
    assert said == [told]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([LINE, LINE], "line 2: question 'test/1-0' stands in the file twice"),
        (
            [{**LINE, "config": "race"}, {**LINE, "config": "mc160"}],
            r"no line of config 'sample', only of others \(mc160 1, race 1\); give one of these",
        ),
        ([LINE, {**LINE, "config": 3}], "line 2: field 'config' is"),
        ([{**LINE, "votes": [{"option": "B"}]}], "field 'option' is a text"),
        ([{**LINE, "types": "factoid"}], "field 'types' is a text, expected a list"),
        ([], "holds no line"),
    ],
)
def test_broken_vote_file_is_named(
    tmp_path: Path, lines: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read_votes(written(tmp_path / "v.jsonl", *lines), "sample")


@given(st.lists(st.integers(1, 999), min_size=5, max_size=5), st.randoms(use_true_random=False))
def test_equal_mean_times_are_ties(seconds: list[int], rng: Random) -> None:
    moved = rng.randint(0, min(seconds) - 1)
    others = [seconds[0] + moved, seconds[1] - moved, *seconds[2:]]
    rng.shuffle(others)
    first, second = (Votes((), tuple(n / 5 for n in every)) for every in (seconds, others))

    assert first.mean_seconds == second.mean_seconds == round(sum(seconds) / 25, 9)


def test_votes_that_measure_are_asked_for_against_the_corpus() -> None:
    with pytest.raises(ParameterError, match="names 3 votes that measure people, and 2 are asked"):
        of(2, 2, 2, 2, 2, n_human=2)
    assert of(2, 2, 2, 2, 2, n_human=3).human == 1.0
    assert of(2, 2, 2, 2).human == 1.0
