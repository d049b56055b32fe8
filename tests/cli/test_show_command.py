"""`mcrc-adversarial show`, as a user meets it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import invoke, plain
from tiny_corpus import NAME

from mcrc_adversarial.attacks import REASONS


def test_show_marks_the_right_option_and_what_was_put_in() -> None:
    output = invoke("show", "sample-addsent2opt", "-n", "1").output

    assert len(re.findall(r"^\* [A-D]  ", output, re.MULTILINE)) == 1
    assert len(re.findall(r"^  [A-D]  .*\{\+.*\+\}$", output, re.MULTILINE)) == 3


def test_show_of_an_original_marks_nothing() -> None:
    output = invoke("show", "sample", "-n", "2").output

    assert output.count("\nPassage\n") == 2
    assert "{+" not in output


def test_show_uses_colours_instead_of_marks_where_it_may() -> None:
    coloured = invoke("show", "sample-p-shuffle", "-n", "1", FORCE_COLOR="1", TERM="xterm")
    without = invoke("show", "sample-p-shuffle", "-n", "1", FORCE_COLOR="1", NO_COLOR="1")

    assert "\x1b[" in coloured.output
    assert "{+" not in coloured.output
    assert "{+" in without.output
    assert "ShuffleDegree 0." in plain(coloured.output)


def test_show_takes_an_id_from_any_split() -> None:
    listed = invoke("show", "sample", "--split", "train", "-n", "2").output
    wanted = re.findall(r"^train/\S+$", listed, re.MULTILINE)[1]

    output = invoke("show", "sample-q-remove", "--id", wanted).output

    assert output.startswith(f"{wanted}\n")
    assert output.count("\nPassage") == 1


def test_show_shuffles_by_seed_and_parameter() -> None:
    outputs = {
        invoke("show", "sample-p-shuffle", "-n", "1", *more).output
        for more in ([], ["--seed", "1"], ["--param", "shuffle_degree=0.96"])
    }

    assert len(outputs) == 3


@pytest.mark.usefixtures("tiny")
def test_show_says_why_an_attack_could_not_apply() -> None:
    output = invoke("show", f"{NAME}-p-shuffle", "-n", "7").output

    assert f"reason empty: {REASONS['empty']}" in output


def test_show_prints_text_as_text(tiny: Path) -> None:
    line = (tiny / "test.jsonl").read_text(encoding="utf-8").splitlines()[0]
    evil = r"[red]x[/red] :smile: \u001b[31m \u202e \u009b \r \u0007 | <b>&amp;</b>"
    (tiny / "test.jsonl").write_text(line.replace("Ines", evil) + "\n", encoding="utf-8")

    output = invoke("show", NAME).output

    assert r"[red]x[/red] :smile: \x1b[31m \u202e \x9b " in output
    assert r"\x07 | <b>&amp;</b>" in output
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", output)
