"""`mcrc-adversarial list`, as a user meets it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import ROOT, invoke, plain
from tiny_corpus import NAME, SIZES

from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.configs import config_names
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.tables import markdown_tables


def test_list_has_every_corpus_and_every_attack() -> None:
    output = invoke("list").output

    for corpus in corpora:
        assert re.search(rf"│ {corpus.name} .*{re.escape(corpus.licence.name)}", output)
    for attack in attacks:
        assert re.search(rf"│ {attack.name} .*{re.escape(attack.summary)}", output)


def test_list_says_which_corpora_are_found(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "RACE" / "test"
    for level in ("middle", "high"):
        (folder / level).mkdir(parents=True)
        (folder / level / "1.txt").write_text("{}", encoding="utf-8")

    output = invoke("list", "--data-dir", str(tmp_path / "data")).output

    found = dict(re.findall(r"^│ (\S+) .* (yes|no|-) +│$", output, re.MULTILINE))
    assert found["race"] == found["sample"] == found[NAME] == "yes"
    assert found["dream"] == "no"
    assert found["custom"] == "-"


def test_list_downloads_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def download(*_: object) -> None:
        raise AssertionError

    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setattr("mcrc_adversarial.corpora._download.fetch", download)

    assert invoke("list").exit_code == 0
    assert invoke("list", MCRC_DATA_DIR=str(tmp_path)).exit_code == 0


def test_list_configs_prints_one_name_a_line() -> None:
    assert invoke("list", "--configs").output.splitlines() == list(config_names())


def test_list_markdown_prints_the_tables_of_the_readme() -> None:
    output = invoke("list", "--markdown").output

    assert output == markdown_tables() + "\n"
    for name in (*corpora.names(), *attacks.names()):
        assert f"\n| {name} |" in output


def test_readme_has_the_tables_of_this_version() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    between = re.search(r"<!-- tables -->\n(.*)<!-- /tables -->", readme, re.DOTALL)

    assert between is not None
    assert between[1].strip() == markdown_tables()


@pytest.mark.usefixtures("tiny")
def test_list_stats_counts_what_the_attacks_do() -> None:
    output = invoke("list", "--stats", NAME, "--split", "test").output

    assert re.search(rf"│ original +│ +{SIZES['test']} │ +0 │", output)
    assert all(re.search(rf"│ {name} +│ +{SIZES['test']} │", output) for name in self_contained())
    assert re.search(r"no-sentence \d", output)


@pytest.mark.parametrize("columns", [30, 50, 80, 120])
def test_list_fits_a_narrow_terminal(columns: int) -> None:
    output = plain(invoke("list", FORCE_COLOR="1", COLUMNS=str(columns)).output)

    assert max(map(len, output.splitlines())) <= columns
    assert all(name in output for name in (*attacks.names(), *corpora.names()))
