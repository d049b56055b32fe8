"""The tables of paper A, over runs, corpora and seeds, and what is missing of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_folders
from result_tables import row, table
from run_folders import make_run

from mcrc_adversarial.analysis import Estimate, Score, load_study
from mcrc_adversarial.analysis.accuracy_under_attack import accuracy_under_attack
from mcrc_adversarial.analysis.altered_training_under_attack import altered_training_under_attack
from mcrc_adversarial.analysis.length_change import length_change
from mcrc_adversarial.analysis.scored_runs import scored_runs
from mcrc_adversarial.analysis.unanswerable_training import unanswerable_training
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import report

ATTACKED = "sample-addsent2opt-shuffle"
CONFIGS = ["sample", ATTACKED, "sample-p-remove"]


def expected(config: str):  # type: ignore[no-untyped-def]
    """The figures of a config, straight from rows and rule."""

    def answers(name: str) -> list[int]:
        scores = [run_folders.overlap(one) for one in run_folders.config_rows(name)]
        return [max(range(len(one)), key=one.__getitem__) for one in scores]

    rows = run_folders.config_rows(config)
    return report(
        answers(config),
        [one["label"] for one in rows],
        clean_predictions=answers("sample"),
        passage_ids=[one["passage_id"] for one in rows],
        attacked=[one["attacked"] for one in rows],
    )


def test_table_2_has_the_figures_of_scoring(tmp_path: Path) -> None:
    study = load_study([str(make_run(tmp_path / "run", CONFIGS))])

    found = accuracy_under_attack(study)

    scores = expected(ATTACKED)
    line = row(table(found, "table-2-tiny"), "addsent2opt-shuffle")
    assert line[1].accuracy == Estimate(scores.rows.accuracy, *scores.rows.accuracy_interval)
    drop, interval = scores.rows.percentage_performance_drop, scores.rows.drop_interval
    assert line[1].change == pytest.approx((-drop, -interval.high, -interval.low))
    assert line[2] == Score(None, Estimate(pytest.approx(-drop)))
    assert row(table(found, "table-2-tiny"), "random guess")[1].accuracy.value == 0.25
    long = row(table(found, "accuracy-tiny"), "sample", "addsent2opt-shuffle")
    assert long[5:9] == (300, 300.0, scores.rows.n_passages, scores.rows.mcnemar_p_value)
    assert table(found, "table-2-other-tiny").rows[2][0] == "p-remove"


def test_means_are_plain_means_by_row_and_column(tmp_path: Path) -> None:
    configs = ["sample", "sample-addsent2opt", "sample-ans2opt-shuffle"]
    study = load_study([str(make_run(tmp_path / "run", configs))])

    found = table(accuracy_under_attack(study), "table-2-tiny")

    changes = [line[1].change.value for line in found.rows if line[0] in configs[1][7:]]
    changes += [row(found, "ans2opt-shuffle")[1].change.value]
    assert row(found, "mean change")[1].change.value == pytest.approx(sum(changes) / 2)
    assert row(found, "mean change")[2] == row(found, "mean change")[1]


def test_seeds_are_averaged_and_their_spread_is_told(tmp_path: Path) -> None:
    def weaker(one, number):  # type: ignore[no-untyped-def]
        scores = run_folders.overlap(one)
        scores[one["label"]] -= 0.1 * (number % 3 == 0)
        return scores

    first = make_run(tmp_path / "a", CONFIGS, seed=1)
    second = make_run(tmp_path / "b", CONFIGS, seed=2, rule=weaker)
    alone = [
        row(table(accuracy_under_attack(load_study([str(one)])), "accuracy-tiny"), "sample")
        for one in (first, second)
    ]

    finding = accuracy_under_attack(load_study([str(first), str(second)]))

    both = row(table(finding, "accuracy-tiny"), "sample")
    values = [line[2].value for line in alone]
    assert values[0] != values[1]
    assert both[2].value == pytest.approx(sum(values) / 2)
    assert both[10] == pytest.approx(100 * abs(values[0] - values[1]) / 2**0.5)
    assert both[5] == 300
    assert both[8] is None
    assert both[12] == "training 1, 2; attack 0"


def test_attack_seeds_count_apart(tmp_path: Path) -> None:
    runs = [str(make_run(tmp_path / f"{seed}", CONFIGS, attack_seed=seed)) for seed in (0, 1)]

    finding = accuracy_under_attack(load_study(runs))

    line = row(table(finding, "accuracy-tiny"), "sample", "addsent2opt-shuffle")
    assert line[10] is None
    assert line[11] is not None


def test_incomplete_grid_of_seeds_says_so_and_has_no_spread(tmp_path: Path) -> None:
    runs = [
        str(make_run(tmp_path / f"{number}", ["sample"], seed=seed, attack_seed=attack))
        for number, (seed, attack) in enumerate([(1, 0), (2, 0), (2, 1)])
    ]

    finding = accuracy_under_attack(load_study(runs))

    assert row(table(finding, "accuracy-tiny"), "sample")[10:12] == (None, None)
    assert any(
        "needs all 2 x 2 runs" in line or "need all 2 x 2" in line for line in finding.missing_lines
    )


def test_missing_clean_run_leaves_out_the_change(tmp_path: Path) -> None:
    study = load_study([str(make_run(tmp_path / "run", [ATTACKED]))])

    finding = accuracy_under_attack(study)

    line = row(table(finding, "table-2-tiny"), "addsent2opt-shuffle")
    assert line[1].change is None
    assert line[2] is None
    assert any("sample itself was not scored" in one for one in finding.missing_lines)


def test_config_without_predictions_is_named(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"], evaluate=["sample", "sample-q-remove"])

    finding = scored_runs(load_study([str(run)]))

    assert any(
        line.endswith("no predictions on sample-q-remove.") for line in finding.missing_lines
    )


def test_unfinished_and_guessing_runs_are_named(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run", ["sample"], rule=lambda _, n: [float(n % 4 == i) for i in range(4)]
    )
    run_folders.edit_record(run, lambda content: content.update(state="unfinished"))

    missing = scored_runs(load_study([str(run)])).missing_lines

    assert any("unfinished" in line for line in missing)
    assert any("not above guessing" in line for line in missing)


def test_rows_that_are_not_those_of_the_run_are_not_used(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", CONFIGS)
    run_folders.edit_record(run, lambda one: one["data"][f"{ATTACKED}/test"].update(sha256="0"))

    finding = accuracy_under_attack(load_study([str(run)]))

    line = row(table(finding, "table-2-tiny"), "addsent2opt-shuffle")
    assert line[1].accuracy.low is None
    assert line[1].change.value == pytest.approx(
        -expected(ATTACKED).rows.percentage_performance_drop
    )
    assert any(f"are not those that {run} was scored on" in one for one in finding.missing_lines)


def test_without_rows_the_figures_are_those_of_metrics_json(tmp_path: Path) -> None:
    scores = expected(ATTACKED)
    run = make_run(
        tmp_path / "run", [ATTACKED, "sample"], figures={ATTACKED: scores.as_dict(), "sample": {}}
    )
    run_folders.edit_record(run, lambda one: one["data"][f"{ATTACKED}/test"].update(sha256="0"))

    line = row(table(accuracy_under_attack(load_study([str(run)])), "accuracy-tiny"), "sample",
               "addsent2opt-shuffle")  # fmt: skip

    assert line[2] == Estimate(scores.rows.accuracy, *scores.rows.accuracy_interval)
    assert line[6] == 300


def test_metrics_of_other_predictions_are_refused(tmp_path: Path) -> None:
    figures = {**expected(ATTACKED).as_dict(), "accuracy": 0.9}
    run = make_run(tmp_path / "run", [ATTACKED], figures={ATTACKED: figures})
    run_folders.edit_record(run, lambda one: one["data"][f"{ATTACKED}/test"].update(sha256="0"))

    with pytest.raises(ScoringError, match=r"metrics.json has accuracy 0.9000"):
        accuracy_under_attack(load_study([str(run)]))


def test_table_3_stands_beside_its_baselines(tmp_path: Path) -> None:
    runs = [
        str(make_run(tmp_path / condition, ["sample"], seed=7, train=[condition]))
        for condition in ("sample", "sample-p-shuffle", "sample-pq-remove")
    ]

    finding = unanswerable_training(load_study(runs))

    found = table(finding, "table-3-tiny")
    assert [line[0] for line in found.rows] == [
        "random guess",
        "longest option (characters)",
        "longest option (words)",
        "original",
        "p-shuffle",
        "pq-remove",
    ]
    assert row(found, "pq-remove")[1].accuracy.value == expected("sample").rows.accuracy


def test_altered_training_does_not_enter_table_2(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", CONFIGS, train=["sample-p-shuffle"])

    finding = accuracy_under_attack(load_study([str(run)]))

    assert finding.tables == ()
    assert "no run was trained on originals" in finding.missing_lines[0]


def test_cells_of_fewer_runs_than_the_original_are_marked(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / f"{seed}", CONFIGS, seed=seed) for seed in (1, 2, 3)]
    other = "sample-addans2opt"
    extra = make_run(tmp_path / "extra", ["sample", other], seed=3)
    (extra / "predictions" / f"{other}.jsonl").rename(runs[2] / "predictions" / f"{other}.jsonl")

    finding = accuracy_under_attack(load_study([str(one) for one in runs]))

    found = table(finding, "table-2-tiny")
    assert row(found, "addans2opt")[1].mark == "\N{DAGGER}"
    over_lengths = length_change(load_study([str(one) for one in runs]))
    assert row(table(over_lengths, "length-change-tiny"), "sample", "addans2opt")[5] == "1 of 3"
    assert row(table(over_lengths, "length-change-tiny"), "sample", ATTACKED[7:])[5] == "3"
    assert "sample-addans2opt 1 of 3" in over_lengths.charts[0].notes[-1]
    assert row(found, "addsent2opt-shuffle")[1].mark == ""
    assert row(found, "mean change")[1].mark == "\N{DAGGER}"
    assert row(found, "addsent2opt-shuffle")[2].mark == ""
    assert "sample-addans2opt 1 of 3." in found.notes[-1]
    assert row(table(finding, "accuracy-tiny"), "sample", "addans2opt")[9] == 1
    (chart,) = finding.charts
    assert "addans2opt (1 of 3 runs)" in [one.label for one in chart.series[0].points]
    whole = accuracy_under_attack(load_study([str(one) for one in runs[:2]]))
    assert not any("fewer runs" in note for note in table(whole, "table-2-tiny").notes)


def test_models_trained_on_altered_data_have_tables_of_their_own(tmp_path: Path) -> None:
    def weak(one, number):  # type: ignore[no-untyped-def]
        return [float(index == (one["label"] + number % 2) % 4) for index in range(4)]

    plain = make_run(tmp_path / "plain", CONFIGS, train=["sample"])
    altered = make_run(tmp_path / "altered", CONFIGS, train=["sample-p-shuffle"], rule=weak)
    alone = accuracy_under_attack(load_study([str(plain)]))
    study = load_study([str(plain), str(altered)])

    found = altered_training_under_attack(study)

    assert accuracy_under_attack(study).tables == alone.tables
    line = row(table(found, "table-2-tiny-trained-on-p-shuffle"), "addsent2opt-shuffle")
    assert line[1].accuracy.value == 0.5
    assert all("tiny, trained on p-shuffle" in one.title for one in found.tables)
    assert (
        row(table(found, "table-2-tiny-trained-on-p-shuffle"), "original")[1].accuracy.value == 0.5
    )
    assert altered_training_under_attack(load_study([str(plain)])).tables == ()


def test_altered_training_that_table_3_has_no_row_for_is_shown(tmp_path: Path) -> None:
    for train, n_tables in (("sample-addsent2opt", 1), ("sample-p-shuffle", 0)):
        run = make_run(tmp_path / train, ["sample"], train=[train])
        assert len(altered_training_under_attack(load_study([str(run)])).tables) == n_tables
