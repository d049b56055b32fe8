"""Every config of the sample gives the pinned rows, on every machine."""

from __future__ import annotations

import pytest
from fake_resources import faked
from pinned_digests import check_digests

from mcrc_adversarial.attacks import apply, attacks, self_contained
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import digest_rows, row

SPLITS = ("train", "validation", "test")


def _rows_digest(examples: list[Example], attack: str | None) -> str:
    if attack is None:
        return digest_rows(map(row, examples))
    return digest_rows(row(one, apply(attacks.get(attack), one)) for one in examples)


@pytest.mark.parametrize("split", SPLITS)
def test_sample_configs_have_the_pinned_rows(split: str, request: pytest.FixtureRequest) -> None:
    sample = corpora.get("sample")
    examples = read_split(sample, find_source(sample), split)
    found = {
        f"{config}/{split}": _rows_digest(examples, config.attack)
        for config in expand_configs(["sample:*"])
    }
    assert len(found) == 1 + len(self_contained())
    assert len(set(found.values())) == len(found)
    check_digests(found, request)


def test_addsent_has_the_pinned_rows_with_stand_ins(request: pytest.FixtureRequest) -> None:
    sample = corpora.get("sample")
    examples = read_split(sample, find_source(sample), "test")

    with faked():
        found = _rows_digest(examples, "addsent")

    check_digests({"sample-addsent/test with stand-ins": found}, request)
