from __future__ import annotations

import json
import math

import numpy as np
import pytest

from mcrc_adversarial.errors import ParameterError, ScoringError
from mcrc_adversarial.scoring import (
    MetricArguments,
    accuracy_interval,
    drop_interval,
    report,
    scores_by_group,
)

# Six rows on three passages; clean right 4, right 3, broken 2, mended 1.
REFERENCES = [0, 1, 2, 3, 0, 1]
CLEAN = [0, 1, 2, 3, 1, 2]
PREDICTIONS = [0, 1, 3, 2, 0, 3]
PASSAGES = ["p1", "p1", "p2", "p2", "p3", "p3"]
ATTACKED = [False, True, True, True, True, False]

PAIRED_KEYS = [
    "accuracy",
    "percentage_performance_drop",
    "clean_accuracy",
    "accuracy_ci_low",
    "accuracy_ci_high",
    "percentage_performance_drop_ci_low",
    "percentage_performance_drop_ci_high",
    "mcnemar_p_value",
    "right_to_wrong_rate",
    "wrong_to_right_rate",
    "n",
]


def _paired(**more):
    return report(PREDICTIONS, REFERENCES, clean_predictions=CLEAN, n_resamples=200, **more)


def test_report_of_paired_rows_has_the_figures_counted_by_hand():
    scores = _paired().rows
    assert scores.n == 6
    assert scores.accuracy == 3 / 6
    assert scores.clean_accuracy == 4 / 6
    assert scores.percentage_performance_drop == pytest.approx(25)
    assert scores.right_to_wrong_rate == 2 / 6
    assert scores.wrong_to_right_rate == 1 / 6
    # two-sided binomial of 1 among 3: 2 * (1 + 3) / 8, at most 1
    assert scores.mcnemar_p_value == 1.0
    assert scores.n_passages is None


def test_report_names_its_figures_as_the_metric_does():
    figures = _paired().as_dict()
    assert list(figures) == PAIRED_KEYS
    assert all(type(value) in (float, int) for value in figures.values())
    assert json.loads(json.dumps(figures)) == figures


def test_report_repeats_the_names_for_attacked_rows():
    figures = _paired(attacked=ATTACKED).as_dict()
    attacked = {key for key in figures if key.startswith("attacked_")}
    assert attacked == {f"attacked_{key}" for key in PAIRED_KEYS}


def test_report_on_attacked_rows_is_a_report_on_those_rows_alone():
    rows = [row for row, flag in enumerate(ATTACKED) if flag]
    alone = report(
        [PREDICTIONS[row] for row in rows],
        [REFERENCES[row] for row in rows],
        clean_predictions=[CLEAN[row] for row in rows],
        passage_ids=[PASSAGES[row] for row in rows],
        n_resamples=200,
    )
    both = _paired(attacked=ATTACKED, passage_ids=PASSAGES)
    assert both.attacked == alone.rows
    assert both.n_attacked == 4


def test_report_without_an_attacked_row_says_so_and_no_more():
    whole = _paired(attacked=[False] * 6)
    assert whole.attacked is None
    figures = whole.as_dict()
    assert figures["attacked_n"] == 0
    assert [key for key in figures if key.startswith("attacked_")] == ["attacked_n"]


def test_report_leaves_out_the_drop_of_attacked_rows_that_were_all_wrong_before():
    figures = _paired(attacked=[False, False, False, False, True, True]).as_dict()
    assert figures["attacked_clean_accuracy"] == 0.0
    assert figures["attacked_accuracy"] == 0.5
    assert not [key for key in figures if key.startswith("attacked_percentage")]


def test_report_leaves_out_intervals_of_attacked_rows_on_one_passage():
    figures = _paired(attacked=[True, True] + [False] * 4, passage_ids=PASSAGES).as_dict()
    assert not [key for key in figures if key.startswith("attacked_") and "_ci_" in key]
    assert figures["attacked_n"] == 2


def test_report_clusters_by_passage():
    right = np.array(PREDICTIONS) == REFERENCES
    clean = np.array(CLEAN) == REFERENCES
    passages = np.array([0, 0, 1, 1, 2, 2])
    scores = _paired(passage_ids=PASSAGES, seed=9).rows
    assert scores.n_passages == 3
    assert scores.accuracy_interval == accuracy_interval(right, passages)
    assert scores.drop_interval == drop_interval(clean, right, passages, n_resamples=200, seed=9)
    assert scores.accuracy_interval != _paired().rows.accuracy_interval


def test_report_takes_a_clean_accuracy_alone():
    whole = report(PREDICTIONS, REFERENCES, clean_accuracy=0.4, attacked=ATTACKED)
    assert whole.rows.percentage_performance_drop == pytest.approx(-25)
    # The clean accuracy is that of all rows, so the attacked ones have no drop.
    assert whole.attacked.percentage_performance_drop is None
    assert whole.rows.drop_interval is None


def test_report_takes_both_clean_scores_where_they_agree():
    assert _paired(clean_accuracy=0.667).rows.clean_accuracy == 4 / 6
    with pytest.raises(ScoringError, match=r"clean_accuracy is 0.7, but .* right on 0.6667"):
        _paired(clean_accuracy=0.7)


def test_report_of_equal_predictions_has_no_drop_and_p_one():
    scores = report(PREDICTIONS, REFERENCES, clean_predictions=PREDICTIONS).rows
    assert scores.percentage_performance_drop == 0.0
    assert scores.mcnemar_p_value == 1.0
    assert scores.right_to_wrong_rate == scores.wrong_to_right_rate == 0.0
    assert scores.drop_interval.low < 0 < scores.drop_interval.high


@pytest.mark.parametrize("predictions", [REFERENCES, [9] * 6], ids=["all right", "all wrong"])
@pytest.mark.parametrize("passages", [None, PASSAGES])
def test_report_of_all_right_and_all_wrong_is_finite(predictions, passages):
    whole = report(
        predictions, REFERENCES, clean_predictions=CLEAN, passage_ids=passages, attacked=ATTACKED
    )
    assert all(math.isfinite(value) for value in whole.as_dict().values())
    assert whole.rows.accuracy_interval.low < whole.rows.accuracy_interval.high


@pytest.mark.parametrize(
    ("predictions", "references", "more", "message"),
    [
        ([], [], {}, "are empty"),
        ([0, 1], [0], {}, "references has 1 items, predictions 2"),
        ([0, 0.5], [0, 0], {}, r"predictions\[1\] is 0.5 \(float\)"),
        ([0, True], [0, 0], {}, r"predictions\[1\] is True \(bool\)"),
        ([0, None], [0, 0], {}, r"predictions\[1\] is None"),
        ([0, 1], [0, False], {}, r"references\[1\] is False"),
        ([0, 4], [0, 0], {"n_options": 4}, r"predictions\[1\] is 4 .* options, 0 to 3 \(A to D\)"),
        ([0, 2], [0, 0], {"n_options": [4, 2]}, r"predictions\[1\] is 2 .*row 1 has 2 options"),
        ([0, 1], [0, 3], {"n_options": 3}, r"references\[1\] is 3 .*row 1 has 3 options"),
        ([0, 1], [0, 1], {"clean_accuracy": 0}, "clean_accuracy is 0"),
        ([0, 1], [0, 1], {"clean_accuracy": 75.6}, "clean_accuracy is 75.6"),
        ([0, 1], [0, 1], {"clean_predictions": [0]}, "clean_predictions has 1 items"),
        ([0, 1], [0, 1], {"clean_predictions": [1, 0]}, "wrong on all 2 rows"),
        ([0, 1], [0, 1], {"passage_ids": ["a", None]}, r"passage_ids\[1\] is None"),
        ([0, 1], [0, 1], {"attacked": [1, 0]}, r"attacked\[0\] is 1 \(int\)"),
    ],
)  # fmt: skip
def test_report_refuses(predictions, references, more, message):
    with pytest.raises(ScoringError, match=message):
        report(predictions, references, **more)


def test_report_refuses_settings_out_of_range_even_where_they_are_not_used():
    with pytest.raises(ParameterError, match="seed is -1"):
        report([0], [0], seed=-1)


def test_scores_by_group_are_reports_on_the_groups():
    groups = ["high", "middle", "high", "middle", "high", "middle"]
    by_group = scores_by_group(
        PREDICTIONS, REFERENCES, groups, clean_predictions=CLEAN, n_resamples=200
    )
    assert list(by_group) == ["high", "middle"]
    for name, scores in by_group.items():
        rows = [row for row, group in enumerate(groups) if group == name]
        part = report(
            [PREDICTIONS[row] for row in rows],
            [REFERENCES[row] for row in rows],
            clean_predictions=[CLEAN[row] for row in rows],
            n_resamples=200,
        )
        assert scores == part.rows


def test_scores_by_group_leave_the_drop_open_where_nothing_was_right():
    groups = [1, 1, 1, 1, 2, 2]
    scores = scores_by_group(PREDICTIONS, REFERENCES, groups, clean_predictions=CLEAN)
    assert scores[2].percentage_performance_drop is None
    assert scores[2].drop_interval is None


def test_scores_by_group_want_a_group_for_each_row():
    with pytest.raises(ScoringError, match="groups has 1 items, predictions 2"):
        scores_by_group([0, 1], [0, 1], ["a"])
    with pytest.raises(ScoringError, match=r"groups\[1\] is None"):
        scores_by_group([0, 1], [0, 1], ["a", None])


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        ({}, ["accuracy"]),
        ({"n_options": 10}, ["accuracy"]),
        ({"clean_accuracy": 0.6}, ["accuracy", "percentage_performance_drop"]),
        ({"passage_ids": PASSAGES}, ["accuracy", "accuracy_ci_low", "accuracy_ci_high", "n"]),
        ({"clean_predictions": CLEAN}, PAIRED_KEYS),
    ],
)
def test_metric_arguments_give_no_key_that_was_not_asked_for(arguments, keys):
    assert list(MetricArguments(**arguments).figures(PREDICTIONS, REFERENCES)) == keys


def test_metric_arguments_are_checked_before_the_rows_are_there():
    MetricArguments(clean_predictions=CLEAN, passage_ids=PASSAGES).check(6)
    with pytest.raises(ScoringError, match="no rows to score"):
        MetricArguments().check(0)
    with pytest.raises(ScoringError, match="clean_predictions has 6 items, predictions 5"):
        MetricArguments(clean_predictions=CLEAN).check(5)
    with pytest.raises(ParameterError, match="n_resamples is 3"):
        MetricArguments(n_resamples=3)
