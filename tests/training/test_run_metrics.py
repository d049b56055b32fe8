from __future__ import annotations

import io
import json

import pytest

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.experiment.metrics import ScoredConfig, score_run
from mcrc_adversarial.experiment.table import plain, print_table, results_table
from mcrc_adversarial.scoring import chance_test, report

N = 40


def scored(n_right: int, *, n: int = N, n_attacked: int = 0, n_options: int = 4) -> ScoredConfig:
    """The first `n_right` rows are right, the first `n_attacked` attacked, two rows a passage."""
    labels = [number % n_options for number in range(n)]
    logits = []
    for number, label in enumerate(labels):
        answer = label if number < n_right else (label + 1) % n_options
        logits.append([float(option == answer) for option in range(n_options)])
    ids = [f"test/{number}" for number in range(n)]
    found = ConfigPredictions(ids, labels, logits, [number == 3 for number in range(n)])
    passages = [f"p{number // 2}" for number in range(n)]
    return ScoredConfig(found, passages, [number < n_attacked for number in range(n)])


def test_score_run_pairs_each_attack_with_its_original() -> None:
    clean, attacked = scored(30), scored(12, n_attacked=20)

    found = score_run({"sample": clean, "sample-p-remove": attacked})

    expected = report(
        attacked.predictions.predictions,
        attacked.predictions.labels,
        clean_predictions=clean.predictions.predictions,
        passage_ids=clean.passage_ids,
        attacked=attacked.attacked,
        n_options=4,
    )
    assert found.reports["sample-p-remove"] == expected
    assert found.reports["sample-p-remove"].rows.percentage_performance_drop == pytest.approx(60)
    assert found.reports["sample"].rows.percentage_performance_drop is None


def test_metrics_json_has_the_keys_of_the_metric_by_config() -> None:
    metrics = score_run({"sample": scored(30), "sample-p-remove": scored(12, n_attacked=20)})

    content = json.loads(json.dumps(metrics.as_dict("test"), allow_nan=False))

    paired = {
        "accuracy",
        "accuracy_ci_high",
        "accuracy_ci_low",
        "clean_accuracy",
        "mcnemar_p_value",
        "n",
        "percentage_performance_drop",
        "percentage_performance_drop_ci_high",
        "percentage_performance_drop_ci_low",
        "right_to_wrong_rate",
        "wrong_to_right_rate",
    }
    assert set(content["configs"]["sample"]) == {
        "accuracy",
        "accuracy_ci_high",
        "accuracy_ci_low",
        "n",
    }
    assert set(content["configs"]["sample-p-remove"]) == paired | {
        f"attacked_{name}" for name in paired
    }
    assert content["split"] == "test"
    assert content["truncated"] == {"sample": 1, "sample-p-remove": 1}
    assert content["tied"] == {"sample": 0, "sample-p-remove": 0}
    assert content["chance"] is False
    assert content["chance_tests"]["sample"]["guessing"] == 0.25


@pytest.mark.parametrize(("n_right", "chance"), [(10, True), (14, True), (17, False), (0, True)])
def test_chance_is_told_by_a_one_sided_binomial_test(n_right: int, chance: bool) -> None:
    answers = scored(n_right).predictions

    found = chance_test(answers.predictions, answers.labels, answers.n_options)

    assert found.chance is chance
    assert score_run({"sample": scored(n_right)}).as_dict("test")["chance"] is chance


def test_model_that_is_always_wrong_has_no_drop() -> None:
    found = score_run({"sample": scored(0), "sample-p-remove": scored(5)})

    assert found.reports["sample-p-remove"].rows.percentage_performance_drop is None


def odd(n_truncated: int, n_tied: int) -> ScoredConfig:
    """40 rows, some of them shortened, in some the first two options equal and best."""
    answers = scored(N).predictions
    logits = [
        [1.0, 1.0, 0.0, 0.0] if number < n_tied else list(scores)
        for number, scores in enumerate(answers.logits)
    ]
    truncated = [number < n_truncated for number in range(N)]
    found = ConfigPredictions(answers.ids, answers.labels, logits, truncated)
    return ScoredConfig(found, [f"p{number}" for number in range(N)], [True] * N)


@pytest.mark.parametrize(
    ("n_truncated", "n_tied", "expected"),
    [
        (2, 2, []),
        (3, 0, ["sample: 3 of 40 rows were shortened to max_length"]),
        (0, 3, ["sample: 3 of 40 rows have several best options, of which the first"]),
        (40, 40, ["sample: 40 of 40 rows were shortened", "sample: 40 of 40 rows have several"]),
    ],
)
def test_many_shortened_or_tied_rows_are_remarked_upon(
    n_truncated: int, n_tied: int, expected: list[str]
) -> None:
    metrics = score_run({"sample": odd(n_truncated, n_tied)})

    assert metrics.as_dict("test")["tied"] == {"sample": n_tied}
    remarks = metrics.remarks()
    assert len(remarks) == len(expected)
    assert all(one.startswith(start) for one, start in zip(remarks, expected, strict=True))


def test_attack_without_its_original_is_refused() -> None:
    with pytest.raises(ScoringError, match=r"'sample-p-remove' was scored without its original"):
        score_run({"sample-p-remove": scored(3)})


def test_attack_on_other_rows_than_the_original_is_refused() -> None:
    with pytest.raises(ScoringError, match=r"'sample' and 'sample-p-remove' have other rows"):
        score_run({"sample": scored(30), "sample-p-remove": scored(3, n=20)})


def test_piped_table_is_plain_and_aligned() -> None:
    metrics = score_run({"sample": scored(30), "sample-p-remove": scored(12, n_attacked=20)})
    out = io.StringIO()

    print_table(results_table(metrics), out)

    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].split("  ")[0] == "config"
    assert lines[1].startswith("sample   ")
    assert " 75.0 [" in lines[1]
    assert " 60.0 [" in lines[2]
    assert lines[2].endswith(" 20")
    assert "\x1b" not in out.getvalue()


def test_terminal_table_keeps_the_intervals() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    table = results_table(score_run({"sample": scored(30)}))
    out = Terminal()

    print_table(table, out)

    interval = table.rows[0][2]
    assert "[" in interval
    assert interval in out.getvalue()
    assert interval in plain(table)
