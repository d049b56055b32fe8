"""What is missing: one line a corpus and cause, the gravest first."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_folders import edit_record, make_run

from mcrc_adversarial.analysis import Finding, in_order, joined, load_study
from mcrc_adversarial.analysis._gaps import Gap, Weight, lines


def test_gaps_of_one_cause_are_one_line_a_corpus() -> None:
    found = lines(
        Gap("no files", "bert", (config,), effect)
        for config, effect in (
            ("race", "no table"),
            ("race-addsent2opt", "no table"),
            ("dream", "no table"),
            ("race-p-remove", "no chart"),
            ("race", "no chart"),
        )
    )
    assert found == [
        "bert, race (original, addsent2opt, p-remove): no files; no table; no chart.",
        "bert, dream: no files; no table.",
    ]


def test_many_configs_are_counted() -> None:
    names = [f"race-{one}" for one in ("p-remove", "q-remove", "p-shuffle", "q-shuffle")]
    assert lines([Gap("no", "", (name,)) for name in names])[0].startswith("race (p-remove, q")
    names += ["race-addsent2opt", "race"]
    assert lines([Gap("no", "", (name,)) for name in names]) == ["race (original, 5 attacks): no."]


def test_gravest_gaps_come_first() -> None:
    gaps = [
        Gap("one seed", weight=Weight.ASIDE),
        "A sentence of its own.",
        Gap("no files", "m", weight=Weight.LACKS_DATA),
        Gap("unfinished", "run", weight=Weight.MISLEADS),
    ]
    assert lines(gaps) == [
        "run: unfinished.",
        "m: no files.",
        "A sentence of its own.",
        "one seed.",
    ]


def test_missing_files_are_one_line_for_each_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MCRC_DATA_DIR", raising=False)
    run = make_run(tmp_path / "run", ["sample"], evaluate=["sample", "mc500"])
    text = (run / "predictions" / "sample.jsonl").read_text(encoding="utf-8")
    names = ["mc500", "mc500-addsent2opt", "mc500-addsent2opt-shuffle", "dream"]
    for name in names:
        (run / "predictions" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    edit_record(run, lambda one: one.update(state="unfinished"))
    study = load_study([str(run)], data_dir=tmp_path)

    found = joined(one.function(study) for one in in_order()).missing_lines

    about = [line for line in found if "raw files are not at hand" in line]
    assert sorted(line.partition(":")[0] for line in about) == [
        "tiny, dream",
        "tiny, mc500 (original, addsent2opt-shuffle, addsent2opt)",
    ]
    assert all("--data-dir" in line and "there are no intervals" in line for line in about)
    assert "unfinished" in found[0]
    assert "one seed only" in found[-1]


def test_finding_tells_its_lines() -> None:
    assert Finding(missing=("One.", Gap("two", "m"))).missing_lines == ["One.", "m: two."]
