from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from mcrc_adversarial import configs
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import ConfigName, config_names, expand_configs, parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.registry import Registry


@dataclass(frozen=True)
class Named:
    name: str
    is_self_contained: bool = True


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two corpora, one's name the beginning of the other's, and two attacks."""
    for kind, names in {
        "corpora": ("race", "race-middle"),
        "attacks": ("q-remove", "p-remove"),
    }.items():
        # A package without modules, so that nothing else is found.
        registry: Registry[Named] = Registry(kind, "json")
        monkeypatch.setattr(registry, "_discovered", True)
        for name in names:
            registry.register(Named(name))
        monkeypatch.setattr(configs, kind, registry)
    configs._by_name.cache_clear()
    yield
    configs._by_name.cache_clear()


@pytest.mark.usefixtures("small")
def test_config_names_put_each_original_before_its_attacked_versions() -> None:
    assert config_names() == (
        "race",
        "race-p-remove",
        "race-q-remove",
        "race-middle",
        "race-middle-p-remove",
        "race-middle-q-remove",
    )


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("name", "corpus", "attack"),
    [
        ("race", "race", None),
        ("race-middle", "race-middle", None),
        ("race-q-remove", "race", "q-remove"),
        ("race-middle-q-remove", "race-middle", "q-remove"),
    ],
)
def test_parse_config_takes_a_name_apart(name: str, corpus: str, attack: str | None) -> None:
    assert ConfigName(corpus, attack) == parse_config(name)
    assert name == str(parse_config(name))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["race"], ["race"]),
        (["race:*"], ["race", "race-p-remove", "race-q-remove"]),
        (["race-q-remove", "race:*"], ["race-q-remove", "race", "race-p-remove"]),
        (["race", "race", "race"], ["race"]),
    ],
)
def test_expand_configs_gives_each_config_once(names: list[str], expected: list[str]) -> None:
    assert expected == [str(config) for config in expand_configs(names)]


@pytest.mark.usefixtures("small")
def test_expand_configs_star_leaves_out_corpora_whose_names_only_begin_alike() -> None:
    assert {"race"} == {config.corpus for config in expand_configs(["race:*"])}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["rase-q-remove"], "no config is called 'rase-q-remove'; did you mean race-q-remove"),
        (["race-*"], "no config is called 'race-*'"),
        (["RACE"], "no config is called 'RACE'"),
        ([""], "no config is called ''"),
        (["qqq:*"], "no corpora is called 'qqq'; there are: race, race-middle"),
        (["race-q-remove:*"], "no corpora is called 'race-q-remove'; did you mean race"),
    ],
)
def test_expand_configs_refuses_an_unknown_name(names: list[str], message: str) -> None:
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}"):
        expand_configs(names)


def test_parse_config_names_the_nearest() -> None:
    corpus, attack = corpora.names()[0], attacks.names()[0]
    with pytest.raises(UnknownNameError, match=f"did you mean {corpus}-{attack}"):
        parse_config(f"{corpus}-{attack}e")


def test_no_two_pairs_of_corpus_and_attack_share_a_config_name() -> None:
    assert len(corpora) > 0
    assert len(attacks) > 0
    names = [
        str(ConfigName(corpus, attack))
        for corpus in corpora.names()
        for attack in (None, *attacks.names())
    ]
    assert len(set(names)) == len(names)
    assert sorted(names) == sorted(config_names())


def test_every_config_name_is_kebab_case_and_comes_apart_again() -> None:
    for name in config_names():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
        assert name == str(parse_config(name))


@pytest.mark.usefixtures("small")
def test_expand_configs_star_leaves_out_attacks_that_need_more_than_the_package() -> None:
    configs.attacks.register(Named("needy", is_self_contained=False))  # type: ignore[arg-type]
    configs._by_name.cache_clear()

    assert "race-needy" in config_names()
    assert "race-needy" not in map(str, expand_configs(["race:*"]))
    assert [str(name) for name in expand_configs(["race-needy"])] == ["race-needy"]
