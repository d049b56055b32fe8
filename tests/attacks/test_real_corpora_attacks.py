"""What the attacks make of the real corpora; skipped where MCRC_DATA_DIR is not set."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from attack_checks import (
    check_columns,
    check_degree_shape,
    check_degrees,
    check_distractors,
    check_fields,
    check_inserted,
    check_reasons,
)
from pinned_digests import check_digests

from mcrc_adversarial.attacks import Attack, Attacked, apply_resolved, attacks, self_contained
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import CorpusNotFoundError
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import digest_rows, row
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE

pytestmark = pytest.mark.slow

# The levels of RACE are the rows of `race`: only that they are is looked at.
LEVELS = ("race-middle", "race-high")
# Of a corpus without a pinned digest nobody of this project has seen a file.
NAMES = [
    corpus.name
    for corpus in corpora
    if corpus.bundled is None
    and corpus.name not in LEVELS
    and any(pin.digest for pin in corpus.pins.values())
]


@lru_cache(maxsize=2)
def _split(name: str, data_dir: Path) -> tuple[str, list[Example]]:
    """The test split, or the validation split where there is no test split."""
    try:
        source = find_source(corpora.get(name), data_dir)
    except CorpusNotFoundError as error:
        pytest.skip(str(error))
    split = "test" if "test" in source.splits() else "validation"
    return split, read_split(source.corpus, source, split)


class Case(NamedTuple):
    """One attack on one corpus's split."""

    config: str
    attack: Attack
    pairs: list[tuple[Example, Attacked]]


# Module scope: all tests of one case run one after the other, and each corpus is attacked once.
@pytest.fixture(
    params=[(name, attack) for name in NAMES for attack in map(attacks.get, self_contained())],
    ids=lambda param: f"{param[0]}-{param[1].name}",
    scope="module",
)
def case(request: pytest.FixtureRequest, data_dir: Path) -> Case:
    name, attack = request.param
    split, examples = _split(name, data_dir)
    parameters = attack.resolve({})
    pairs = [(one, apply_resolved(attack, one, 0, parameters)) for one in examples]
    return Case(f"{name}-{attack.name}/{split}", attack, pairs)


def test_real_rows_keep_the_contract(case: Case) -> None:
    _, attack, pairs = case
    for example, attacked in pairs:
        check_fields(attack, example, attacked)
        check_reasons(attacked)
        check_degree_shape(attack, example, attacked)
        check_columns(attack, example, attacked)
        check_inserted(example, attacked)


def test_real_distractors_never_become_the_answer(case: Case) -> None:
    _, attack, pairs = case
    if "options" in attack.touches:
        for example, attacked in pairs:
            check_distractors(example, attacked)


def test_real_degrees_are_above_the_threshold_wherever_one_can_be(
    case: Case,
) -> None:
    _, attack, pairs = case
    for example, attacked in pairs:
        reached = [one for one in attacked.shuffle_degree if one is not None]
        if reached and min(reached) <= DEFAULT_SHUFFLE_DEGREE:
            check_degrees(attack, example, attacked, DEFAULT_SHUFFLE_DEGREE)
        else:
            assert "threshold-unreachable" not in attacked.reasons


# Footnote 1 of paper A: the mean of every attack on every corpus is above 0.65.
def test_real_mean_degree_is_above_the_paper_s(case: Case) -> None:
    _, attack, pairs = case
    degrees = [one for _, attacked in pairs for one in attacked.shuffle_degree if one is not None]
    if "shuffle_degree" in attack.resolve({}):
        assert degrees
        assert mean(degrees) > 0.65
    else:
        assert degrees == []


def test_real_rows_are_mostly_attacked(case: Case) -> None:
    rows = [row(*pair) for pair in case.pairs]
    reasons = Counter(reason for one in rows for reason in one["reason"].split(";") if reason)
    untouched = sum(not one["attacked"] for one in rows)
    assert untouched <= sum(reasons.values())
    assert untouched <= 0.45 * len(rows)


def test_real_attacked_configs_have_the_pinned_rows(
    case: Case, request: pytest.FixtureRequest
) -> None:
    check_digests({case.config: digest_rows(row(*pair) for pair in case.pairs)}, request)


@pytest.mark.parametrize("name", NAMES)
def test_real_originals_have_the_pinned_rows(
    name: str, data_dir: Path, request: pytest.FixtureRequest
) -> None:
    split, examples = _split(name, data_dir)
    check_digests({f"{name}/{split}": digest_rows(map(row, examples))}, request)


def test_real_levels_of_race_are_the_rows_of_race(data_dir: Path) -> None:
    _, whole = _split("race", data_dir)
    parts = [one for name in LEVELS for one in _split(name, data_dir)[1]]
    assert {one.id: one for one in whole} == {one.id: one for one in parts}
    assert len(whole) == len(parts)
