from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import evaluate
import numpy as np
import pytest

from mcrc_adversarial.errors import ParameterError, ScoringError, UnknownNameError
from mcrc_adversarial.scoring import report

REFERENCES = [0, 1, 2, 3, 0, 1]
CLEAN = [0, 1, 2, 3, 1, 2]
PREDICTIONS = [0, 1, 3, 2, 0, 3]
PASSAGES = ["p1", "p1", "p2", "p2", "p3", "p3"]
ATTACKED = [False, True, True, True, True, False]
LETTERS = "ABCD"


def _letters(indices):
    return [LETTERS[index] for index in indices]


def test_compute_gives_accuracy_alone(metric):
    result = metric.compute(predictions=[0, 1, 2, 3], references=[0, 1, 2, 0])
    assert result == {"accuracy": 0.75}
    assert type(result["accuracy"]) is float


def test_compute_gives_the_drop_from_a_clean_accuracy(metric):
    result = metric.compute(predictions=[0, 1], references=[0, 0], clean_accuracy=0.8)
    assert result == {"accuracy": 0.5, "percentage_performance_drop": 37.5}


def test_compute_gives_the_figures_of_the_report(metric):
    paired = {"clean_predictions": CLEAN, "passage_ids": PASSAGES, "attacked": ATTACKED}
    settings = {"n_options": 4, "n_resamples": 300, "confidence_level": 0.9, "seed": 5}
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, **paired, **settings)
    assert result == report(PREDICTIONS, REFERENCES, **paired, **settings).as_dict()
    assert {type(value) for value in result.values()} == {float, int}


def test_compute_takes_arrays(metric):
    result = metric.compute(
        predictions=np.array(PREDICTIONS),
        references=np.array(REFERENCES, dtype=np.int8),
        clean_predictions=np.array(CLEAN),
        attacked=np.array(ATTACKED),
        passage_ids=np.array(PASSAGES),
        n_options=np.full(6, 4),
    )
    assert result["attacked_n"] == 4


@pytest.mark.parametrize("name", ["predictions", "references"])
@pytest.mark.parametrize("item", [0.9, True, None, "A", "1", float("nan"), -1, 26])
def test_no_door_lets_anything_but_an_index_in(load, name, item):
    rows = {"predictions": [0, 1], "references": [0, 1], name: [0, item]}
    message = rf"{name}\[\d\] is {item!r} "
    with pytest.raises(ScoringError, match=message):
        load().compute(**rows)
    with pytest.raises(ScoringError, match=message):
        load().add_batch(**rows)
    with pytest.raises(ScoringError, match=message):
        load().add(**{"prediction": 0, "reference": 0, name[:-1]: item})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": [], "references": []}, "no rows to score"),
        ({}, "no rows to score"),
        ({"predictions": [0, 1], "references": [0]}, "references has 1 items, predictions 2"),
        ({"predictions": [0]}, "references is NoneType"),
        ({"predictions": [5], "references": [0], "n_options": 4}, r"predictions\[0\] is 5"),
        ({"predictions": [0], "references": [0], "clean_accuracy": 0}, "clean_accuracy is 0"),
        ({"predictions": [0], "references": [0], "clean_accuracy": True}, "clean_accuracy is True"),
        ({"predictions": [0], "references": [0], "clean_accuracy": 75}, "clean_accuracy is 75"),
        ({"predictions": [0], "references": [0], "clean_predictions": [0.9]}, "is 0.9"),
        ({"predictions": [0], "references": [0], "clean_predictions": [1]}, "wrong on all 1 rows"),
        ({"predictions": [0], "references": [0], "passage_ids": [None]}, "is None"),
        ({"predictions": [0], "references": [0], "attacked": [1]}, "is 1"),
    ],
)
def test_compute_refuses_what_cannot_be_scored(metric, arguments, message):
    with pytest.raises(ScoringError, match=message):
        metric.compute(**arguments)


def test_compute_refuses_settings_out_of_range(metric):
    with pytest.raises(ParameterError, match="n_resamples is 10"):
        metric.compute(predictions=[0], references=[0], n_resamples=10)


@pytest.mark.parametrize("in_memory", [False, True])
def test_rows_may_come_in_parts(load, in_memory):
    metric = load(keep_in_memory=in_memory)
    metric.add_batch(predictions=PREDICTIONS[:2], references=REFERENCES[:2])
    metric.add_batch(predictions=[], references=[])
    metric.add(prediction=PREDICTIONS[2], reference=REFERENCES[2])
    metric.add(predictions=PREDICTIONS[3], references=REFERENCES[3])
    result = metric.compute(
        predictions=PREDICTIONS[4:], references=REFERENCES[4:], clean_predictions=CLEAN
    )
    assert result == report(PREDICTIONS, REFERENCES, clean_predictions=CLEAN).as_dict()


def test_paired_arguments_follow_the_order_of_adding(metric):
    metric.add_batch(predictions=[1, 1], references=[1, 1])
    metric.add_batch(predictions=[2, 2], references=[0, 0])
    result = metric.compute(clean_predictions=[1, 1, 0, 2])
    assert result["right_to_wrong_rate"] == 0.25
    assert result["wrong_to_right_rate"] == 0.0


def test_rows_are_kept_after_a_mistake_in_the_other_arguments(metric):
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ScoringError, match="passage_ids has 2 items, predictions 6"):
        metric.compute(passage_ids=["a", "b"])
    with pytest.raises(ScoringError, match="clean_accuracy is 2"):
        metric.compute(clean_accuracy=2)
    assert metric.compute() == {"accuracy": 0.5}


def test_nothing_is_left_behind_where_scoring_fails(metric, tmp_path):
    with pytest.raises(ScoringError, match="wrong on all 2 rows"):
        metric.compute(predictions=[0, 1], references=[0, 1], clean_predictions=[1, 0])
    assert not list((tmp_path / "metrics").rglob("*.arrow"))
    assert metric.compute(predictions=[0], references=[0]) == {"accuracy": 1.0}
    assert not list((tmp_path / "metrics").rglob("*.arrow"))


def test_letters_are_scored_as_their_indices(load):
    result = load("letters").compute(
        predictions=_letters(PREDICTIONS),
        references=_letters(REFERENCES),
        clean_predictions=_letters(CLEAN),
        n_options=4,
    )
    assert result == report(PREDICTIONS, REFERENCES, clean_predictions=CLEAN).as_dict()


@pytest.mark.parametrize("item", [0, "a", "AB", "", None, True])
@pytest.mark.parametrize("name", ["predictions", "references", "clean_predictions"])
def test_letters_take_nothing_but_letters(load, name, item):
    rows = {name_: ["A"] for name_ in ("predictions", "references", "clean_predictions")}
    with pytest.raises(ScoringError, match=rf"{name}\[0\] is {item!r} .*one capital letter"):
        load("letters").compute(**{**rows, name: [item]})


def test_letters_may_come_in_parts(load):
    metric = load("letters")
    metric.add(prediction="A", reference="A")
    metric.add_batch(predictions=np.array(["B", "C"]), references=("B", "D"))
    assert metric.compute()["accuracy"] == pytest.approx(2 / 3)


def test_an_unknown_config_is_named(load):
    with pytest.raises(UnknownNameError, match="'letter'; did you mean letters"):
        load("letter")


def test_the_metric_combines_with_others(load):
    both = evaluate.combine({"one": load(), "two": load(experiment_id="two")})
    for prediction, reference in ((0, 0), (1, 2)):
        both.add(prediction, reference)
    assert both.compute() == {"one_accuracy": 0.5, "two_accuracy": 0.5}


def test_rows_of_several_processes_stand_in_the_order_of_processes(load):
    # Threads stand in for processes here; test_metric_module.py has real ones.
    def work(process):
        metric = load(process_id=process, num_process=2, experiment_id="threads")
        metric.add_batch(predictions=PREDICTIONS[process::2], references=REFERENCES[process::2])
        return metric.compute(**(paired if process == 0 else {}))

    order = [0, 2, 4, 1, 3, 5]
    paired = {
        "clean_predictions": [CLEAN[row] for row in order],
        "passage_ids": [PASSAGES[row] for row in order],
    }
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(work, (0, 1))
    assert second is None
    expected = report(PREDICTIONS, REFERENCES, clean_predictions=CLEAN, passage_ids=PASSAGES)
    assert first == pytest.approx(expected.as_dict())
