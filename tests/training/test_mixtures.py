from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.training.mixtures import (
    MixtureItem,
    Overlap,
    drawn,
    in_share,
    originals,
    overlap,
    parse_mixture,
    with_originals,
)

RACE = ConfigName("race")
ids = st.lists(st.text(max_size=6), unique=True, max_size=40)
seeds = st.integers(0, 2**40)


def test_parse_mixture_reads_configs_and_shares() -> None:
    assert parse_mixture(["race,race-p-shuffle:0.25", "dream"]) == (
        MixtureItem(RACE),
        MixtureItem(ConfigName("race", "p-shuffle"), 0.25),
        MixtureItem(ConfigName("dream")),
    )


def test_parse_mixture_reads_a_corpus_with_all_its_attacks_and_their_share() -> None:
    found = parse_mixture(["race:*:0.1"])

    assert {item.config.attack for item in found} == {None, *self_contained()}
    assert {item.share for item in found} == {0.1}
    assert parse_mixture(["race:*"])[0].share == 1.0


@pytest.mark.parametrize("share", ["0", "1.01", "-1", "x", "nan", ""])
def test_parse_mixture_refuses_a_share_outside_0_to_1(share: str) -> None:
    with pytest.raises(ParameterError, match=r"a number above 0 and at most 1 is needed"):
        parse_mixture([f"race:{share}"])


def test_parse_mixture_refuses_a_config_twice() -> None:
    with pytest.raises(ParameterError, match=r"config 'race' comes twice in the mixture"):
        parse_mixture(["race,dream", "race:0.5"])


def test_parse_mixture_names_the_nearest_config() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean race-p-shuffle"):
        parse_mixture(["race-p-shuffel:0.5"])


@given(ids, seeds, st.randoms(use_true_random=False))
def test_share_depends_on_nothing_but_seed_config_and_id(
    names: list[str], seed: int, rng: Random
) -> None:
    item = MixtureItem(RACE, 0.5)
    taken = {names[index] for index in in_share(item, names, seed)}
    other = rng.sample(names, rng.randint(0, len(names)))

    again = {other[index] for index in in_share(item, other, seed)}

    assert again == taken & set(other)


@given(ids, seeds)
def test_greater_share_holds_the_smaller_one(names: list[str], seed: int) -> None:
    quarter, half = (set(in_share(MixtureItem(RACE, share), names, seed)) for share in (0.25, 0.5))

    assert quarter <= half


def test_share_has_its_size_and_differs_between_configs_and_seeds() -> None:
    names = [f"train/{number}" for number in range(4000)]
    item = MixtureItem(RACE, 0.25)
    first = set(in_share(item, names, 0))

    # Four standard deviations of a binomial count are 110.
    assert 890 < len(first) < 1110
    for other in (
        set(in_share(item, names, 1)),
        set(in_share(MixtureItem(ConfigName("race", "q-shuffle"), 0.25), names, 0)),
    ):
        assert 150 < len(first & other) < 350


@given(ids, st.integers(0, 50), seeds, st.randoms(use_true_random=False))
def test_drawn_takes_the_same_ids_in_any_order(
    names: list[str], limit: int, seed: int, rng: Random
) -> None:
    found = drawn(names, limit, seed)
    shuffled = rng.sample(names, len(names))

    again = {shuffled[index] for index in drawn(shuffled, limit, seed)}

    assert {names[index] for index in found} == again
    assert found == sorted(found)
    assert len(found) == (min(limit, len(names)) if limit else len(names))


def test_drawn_is_not_the_head() -> None:
    names = [f"test/{number}" for number in range(1000)]

    found = drawn(names, 100, 0)

    assert 400 < sum(found) / len(found) < 600


def test_with_originals_puts_each_original_before_its_attacked_versions() -> None:
    attacked = [
        ConfigName("race", "p-shuffle"),
        ConfigName("dream"),
        ConfigName("race", "q-remove"),
    ]

    assert with_originals(attacked) == (
        RACE,
        ConfigName("race", "p-shuffle"),
        ConfigName("dream"),
        ConfigName("race", "q-remove"),
    )
    assert originals(attacked) == (RACE, ConfigName("dream"))


def test_overlap_finds_a_passage_in_another_printing() -> None:
    found = overlap(
        ["Ann  left.\nBo stayed!", "", "Rain"],
        ["ann left. bo stayed !", "Snow", "", "Rain", "Rain"],
    )

    assert found == Overlap(passages=2, questions=3, of_questions=5)
