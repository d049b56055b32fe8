"""Corpora whose licences do not let anyone publish them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_clients import REPO, push
from hub_server import Hub
from tiny_corpus import NAME, at_hand

from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.errors import LicenceError, ParameterError
from mcrc_adversarial.hub import check_licences

FREE = {
    *("crowd-protocols", "crowd-protocols-crowd", "crowd-protocols-justification"),
    *("mc160", "mc500", "sample"),
}


@pytest.fixture(autouse=True)
def _tiny(tmp_path: Path) -> Iterator[None]:
    with at_hand(tmp_path / "raw"):
        yield


@pytest.mark.parametrize("name", [corpus.name for corpus in corpora if corpus.splits])
def test_licence_decides_and_is_named(name: str) -> None:
    configs = [parse_config("sample"), parse_config(f"{name}-p-remove")]
    licence = corpora.get(name).licence.name

    check_licences(configs, private=True)
    check_licences(configs, private=False, accepted=[licence.upper()])
    if name in FREE:
        check_licences(configs, private=False)
        return
    with pytest.raises(LicenceError) as caught:
        check_licences(configs, private=False)
    assert f"corpus {name!r} has the licence {licence!r}" in str(caught.value)
    assert f'--accept-licence "{licence}"' in str(caught.value)


def test_accepting_one_licence_accepts_no_other() -> None:
    configs = [parse_config("race"), parse_config("mcscript")]

    with pytest.raises(LicenceError, match="corpus 'mcscript' has the licence 'none stated'"):
        check_licences(configs, private=False, accepted=["non-commercial research purpose only"])


def test_none_stated_is_accepted_for_each_owner() -> None:
    configs = [parse_config("mcscript"), parse_config("advrace-addsent")]
    each = ["mcscript: none stated", "advrace-addsent: None stated"]

    with pytest.raises(ParameterError, match=r"several owners' terms; name each: .*") as caught:
        check_licences(configs, private=False, accepted=["none stated"])
    assert all(f'--accept-licence "{name.casefold()}"' in str(caught.value) for name in each)
    with pytest.raises(LicenceError, match="corpus 'advrace-addsent' has the licence"):
        check_licences(configs, private=False, accepted=each[:1])
    check_licences(configs, private=False, accepted=each)
    check_licences(configs[:1], private=False, accepted=["none stated"])
    # One owner's terms for several corpora are one licence.
    of_one = [parse_config("advrace-addsent"), parse_config("advrace-charswap")]
    check_licences(of_one, private=False, accepted=["none stated"])


def test_a_licence_that_no_corpus_has_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"accept-licence 'MIT': .* they have: 'CC0-1.0'"):
        check_licences([parse_config("sample")], private=False, accepted=["MIT"])


def test_refused_push_asks_the_hub_nothing(hub: Hub) -> None:
    result = push(hub, corpus=NAME)

    assert result.exit_code == 2
    assert "the licence 'own terms' (https://example.org/terms)" in result.stderr
    assert not hub.requests


def test_accepted_push_is_public_and_says_what_the_licence_says(hub: Hub) -> None:
    result = push(hub, "--accept-licence", "own terms", corpus=NAME)

    assert result.exit_code == 0, result.output
    assert not hub.dataset(REPO).private
    card = hub.content("dataset", REPO, "README.md").decode()
    assert "own terms (https://example.org/terms); it may NOT be passed on." in card
    assert "Say who wrote it." in card
    assert "@misc{tiny, title = {Tiny}}" in card


def test_private_push_makes_a_private_repository(hub: Hub) -> None:
    assert push(hub, "--private", corpus=NAME).exit_code == 0
    assert hub.dataset(REPO).private

    # What may be published goes there too, and changes nothing about who sees it.
    assert push(hub).exit_code == 0
    assert hub.dataset(REPO).private


def test_private_push_to_a_public_repository_is_refused(hub: Hub) -> None:
    push(hub)
    head = hub.dataset(REPO).head

    result = push(hub, "--private", corpus=NAME)

    assert result.exit_code == 2
    assert "is public, which --private does not change; nothing was sent" in result.stderr
    assert hub.dataset(REPO).head == head
    assert len(list(hub.store.iterdir())) == 1
