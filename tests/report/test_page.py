"""The page's data and looks, without a browser."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import run_folders
from run_folders import make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.report import examples as examples_module
from mcrc_adversarial.report import write_report
from mcrc_adversarial.report.examples import pack
from mcrc_adversarial.report.figures import ROLES

CONFIGS = ["sample", "sample-addsent2opt-shuffle", "sample-addsent2pas-shuffle", "sample-pq-remove"]
STYLE = files("mcrc_adversarial.report").joinpath("page.css").read_text(encoding="utf-8")


def packed(run: Path, **settings: Any) -> examples_module.Examples:
    return pack(load_study([str(run)]), **{"with_texts": True, "say": print, **settings})


def opened(block: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(block)))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", CONFIGS)


def test_blocks_hold_every_row_as_it_was_scored(run: Path) -> None:
    found = packed(run)

    for config in found.runs[0]["configs"]:
        originals = opened(found.blocks[config["originals"]])
        answers = opened(found.blocks[config["answers"]])
        attacked = config["attacked"] and opened(found.blocks[config["attacked"]])
        for number, row in enumerate(run_folders.config_rows(config["name"])):
            change = attacked["rows"][number] if attacked else {}
            options = originals["options"][number]
            if "o" in change:
                pairs = zip(options, change["o"], strict=True)
                options = [old if new is None else new for old, new in pairs]
            passage = originals["passages"][originals["passage"][number]]
            if "p" in change:
                passage = attacked["passages"][change["p"]]
            assert originals["id"][number] == row["id"]
            assert options == row["options"]
            assert passage == row["passage"]
            assert change.get("q", originals["question"][number]) == row["question"]
            assert change.get("i", []) == row["inserted"]
            assert bool(change.get("x")) is row["attacked"]
            assert sum(answers["permille"][number]) == pytest.approx(1000, abs=2)


def test_texts_stand_once(run: Path) -> None:
    found = packed(run)
    assert len({one["originals"] for one in found.runs[0]["configs"]}) == 1
    # Originals, three attacks, and answers to four configs.
    assert len(found.blocks) == 8


def test_without_texts_no_text_is_there(run: Path, tmp_path: Path) -> None:
    write_report(load_study([str(run)]), tmp_path / "out", with_texts=False)

    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    blocks = re.findall(r'octet-stream" id="b\d+">([^<]+)<', page)
    everything = "\n".join([page, *(zlib.decompress(base64.b64decode(b)).decode() for b in blocks)])
    assert len(blocks) == 8
    for row in run_folders.config_rows("sample-pq-remove") + run_folders.config_rows("sample"):
        for text in (row["passage"], row["question"]):
            assert not text or text not in everything


def test_licence_that_allows_excerpts_only_gets_excerpts_and_its_notice(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpora.get("sample")
    licence = replace(corpus.licence, notice="Say what was changed and when.")
    monkeypatch.setitem(corpora._entries, "sample", replace(corpus, licence=licence))

    found = packed(run)
    write_report(load_study([str(run)]), tmp_path / "out")

    shown = {
        tuple(opened(found.blocks[one["originals"]])["id"]) for one in found.runs[0]["configs"]
    }
    assert [len(ids) for ids in shown] == [20]
    assert "20 of 300 questions" in found.notes[0]
    for name in ("report.html", "report.md"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert "Say what was changed and when." in text.replace("\\", "")
        assert re.search(r"Changed on \d{4}", text.replace("\\", ""))


def test_page_that_would_be_too_large_shows_fewer_questions(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = packed(run)
    monkeypatch.setattr(examples_module, "PAGE_LIMIT", whole.size // 3)

    found = packed(run)

    assert found.size <= whole.size // 3
    ids = opened(found.blocks[found.runs[0]["configs"][0]["originals"]])["id"]
    assert 20 < len(ids) < 300
    assert f"{len(ids)} of 300 questions" in found.notes[0]


def test_config_whose_rows_are_not_there_is_left_out(run: Path, tmp_path: Path) -> None:
    again = make_run(tmp_path / "run", CONFIGS[:2])
    run_folders.edit_record(again, lambda one: one["data"][f"{CONFIGS[1]}/test"].update(sha256="0"))
    assert [one["name"] for one in packed(again).runs[0]["configs"]] == ["sample"]


def test_page_names_no_address_outside(run: Path, tmp_path: Path) -> None:
    write_report(load_study([str(run)]), tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", page)
    assert "@import" not in page
    assert "default-src 'none'" in page


def colours(scheme: str) -> dict[str, str]:
    light, dark = STYLE.split("prefers-color-scheme: dark", 1)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light if scheme == "light" else dark))


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_and_marks_be_seen(scheme: str) -> None:
    found = colours(scheme)
    inks = ("ink", "muted", "accent", "good", "bad")
    for ink, ground in product(inks, ("paper", "panel")):
        assert contrast(found[ink], found[ground]) >= 4.5, (ink, ground)
    assert contrast(found["new-ink"], found["new"]) >= 4.5
    series = [name for name in found if name.startswith("series-")]
    assert len(series) == 7
    for name in series:
        # Marks and lines stand on the paper, bars on the rule's colour; some name a curve in text.
        assert contrast(found[name], found["paper"]) >= 4.5, name
        assert contrast(found[name], found["rule"]) >= 3, name


def test_page_has_the_colours_that_figures_are_drawn_in() -> None:
    found = colours("light")
    assert {role: colour for colour, role in ROLES.items()} == {
        role: found[role] for role in ROLES.values()
    }
