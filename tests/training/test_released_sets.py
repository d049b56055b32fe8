"""Released attacked sets are scored against the released original, or the corpus itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_corpus
from released_sets import FOLDERS, write_race, write_set

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import clean_configs
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.metrics import ScoredConfig, score_run
from mcrc_adversarial.experiment.table import results_table
from mcrc_adversarial.scoring import report
from mcrc_adversarial.training.recipe import parse_arguments

SETS = [name for name in FOLDERS if name != "advrace-original"]
N = 40


def answered(n_right: int, *, shift: int = 0, order: Sequence[int] = range(N)) -> ScoredConfig:
    """The first `n_right` questions are right; labels are moved by `shift`, rows by `order`."""
    labels = [(number + shift) % 4 for number in order]
    answers = [
        label if number < n_right else (label + 1) % 4
        for number, label in zip(order, labels, strict=True)
    ]
    logits = [[float(option == answer) for option in range(4)] for answer in answers]
    ids = [f"test/high/{number}" for number in order]
    found = ConfigPredictions(ids, labels, logits, [False] * len(ids))
    return ScoredConfig(found, [f"p{number // 2}" for number in order], [False] * len(ids))


def drop(found: Any, name: str) -> float | None:
    value: float | None = found.reports[name].rows.percentage_performance_drop
    return value


@pytest.mark.parametrize("name", SETS)
def test_released_set_drops_from_the_released_original_before_race(name: str) -> None:
    found = score_run({"race": answered(40), "advrace-original": answered(30), name: answered(12)})

    assert drop(found, name) == pytest.approx(60)
    assert found.against == {name: "advrace-original"}
    assert found.reports[name] == report(
        answered(12).predictions.predictions,
        answered(12).predictions.labels,
        clean_predictions=answered(30).predictions.predictions,
        passage_ids=answered(12).passage_ids,
        n_options=4,
    )
    assert found.reports[name].n_attacked is None
    assert drop(found, "advrace-original") is None
    assert set(found.chance) == {"race", "advrace-original"}
    assert found.remarks() == []


def test_released_set_drops_from_race_where_the_released_original_is_not_scored() -> None:
    found = score_run({"advrace-addsent": answered(12), "race": answered(24)})

    assert drop(found, "advrace-addsent") == pytest.approx(50)
    assert found.as_dict("test")["against"] == {"advrace-addsent": "race"}
    assert found.remarks() == [
        "advrace-addsent: the drop is against race, since advrace-original was not scored"
    ]


@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_pairs_are_made_by_id_and_each_answer_is_judged_by_its_own_label(shift: int) -> None:
    """The original has other rows besides, in another order, and other labels."""
    whole = answered(30, shift=shift, order=[*reversed(range(N)), 99])

    rows = (
        score_run({"race": whole, "advrace-charswap": answered(12)})
        .reports["advrace-charswap"]
        .rows
    )

    assert rows.clean_accuracy == 0.75
    assert (rows.right_to_wrong_rate, rows.wrong_to_right_rate) == (18 / 40, 0)
    assert rows.drop_interval is not None


@pytest.mark.parametrize(
    ("clean", "why"),
    [
        ({}, "since it takes advrace-original or race, which was not scored in this run"),
        (
            {"advrace-original": answered(30, order=range(N, 2 * N))},
            "since none of its 40 rows is among those of advrace-original",
        ),
        ({"advrace-original": answered(0)}, "since nothing is right on advrace-original"),
    ],
)
def test_no_drop_is_said_with_its_reason(clean: dict[str, ScoredConfig], why: str) -> None:
    found = score_run({**clean, "advrace-addsent": answered(12)})

    assert drop(found, "advrace-addsent") is None
    assert found.as_dict("test")["no_drop"] == {"advrace-addsent": why}
    assert found.remarks() == [f"advrace-addsent: no drop, {why}"]
    assert results_table(found).rows[-1][3] == "-"


def test_drop_is_over_the_rows_that_have_an_original_and_says_so() -> None:
    order = [*range(4, N), 77]

    found = score_run({"race": answered(24, order=order), "advrace-addsent": answered(12)})

    rows = found.reports["advrace-addsent"].rows
    # Of questions 4 to 39 the first 20 are right in RACE, the first 8 in the set.
    assert (rows.n, rows.accuracy, rows.clean_accuracy) == (40, 0.3, 20 / 36)
    assert rows.percentage_performance_drop == pytest.approx(60)
    assert rows.drop_interval is not None
    assert found.as_dict("test")["paired"] == {"advrace-addsent": 36}
    assert found.remarks()[0] == (
        "advrace-addsent: the drop is over the 36 of 40 rows that are among those of race"
    )


@pytest.fixture
def _altered(tmp_path: Path) -> Iterator[None]:
    corpus = replace(tiny_corpus.tiny_corpus(tmp_path), name="altered", scored_against=("sample",))
    tiny_corpus.add(corpus)
    yield
    tiny_corpus.remove("altered")


@pytest.mark.usefixtures("_altered")
def test_any_corpus_is_an_attack_on_what_it_names() -> None:
    found = score_run(
        {"sample": answered(30), "altered": answered(12), "altered-p-remove": answered(6)}
    )

    assert clean_configs("altered") == ("sample",)
    assert drop(found, "altered") == pytest.approx(60)
    assert drop(found, "altered-p-remove") == pytest.approx(50)


def test_run_on_released_files_gives_the_drop_of_each_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    write_race(data)
    write_set(data, "advrace-original")
    write_set(data, "advrace-addsent", wrong=range(6))
    write_set(data, "advrace-distractor-extraction", wrong=range(12))
    configs = ["advrace-original", "advrace-addsent", "advrace-distractor-extraction"]

    for number, evaluate in enumerate((configs, ["race", configs[1]], configs[1:])):
        arguments = [
            "--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
            "--data_dir", str(data), "--allow_unverified", "--use_cpu",
            "--output_dir", str(tmp_path / f"run{number}"), "--evaluate", *evaluate,
        ]  # fmt: skip
        run_experiment(parse_arguments(arguments))

    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()[:4]}
    assert " 25.0 [" in lines[configs[1]]
    assert " 50.0 [" in lines[configs[2]]
    first, second, third = (
        json.loads((tmp_path / f"run{number}" / "metrics.json").read_text(encoding="utf-8"))
        for number in range(3)
    )
    figures = first["configs"][configs[1]]
    assert figures["percentage_performance_drop"] == pytest.approx(25)
    assert figures["percentage_performance_drop_ci_low"] < 25
    assert "attacked_n" not in figures
    assert second["against"] == {configs[1]: "race"}
    assert second["configs"][configs[1]]["percentage_performance_drop"] == pytest.approx(25)
    assert list(third["no_drop"]) == configs[1:]
    assert "no drop, since it takes advrace-original or race" in caplog.text
    card = (tmp_path / "run2" / "README.md").read_text(encoding="utf-8")
    assert "advrace-addsent: no drop, since it takes advrace-original or race" in card
