"""How far models get with a part of the input at test time: Q+A, P+A, A alone (paper C).

The runs' answers on the configs of `p-remove` (Q+A), `q-remove` (P+A) and `pq-remove` (A), or the
columns that the corpus brings. Runs that were trained on partial input have their own accuracy on
the full one as the clean figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Study,
    Value,
)
from mcrc_adversarial.difficulty.model_answers import named_runs, right_answers
from mcrc_adversarial.difficulty.questions import Question, Questions
from mcrc_adversarial.scoring import holm_adjusted, scores_by_group

SETTINGS = {"p-remove": "Q+A", "q-remove": "P+A", "pq-remove": "A"}
_PERCENT = 100


def _rows(scored: Sequence[tuple[_Part, Any]]) -> list[tuple[Value, ...]]:
    p_values = {
        str(number): found.mcnemar_p_value
        for number, (_, found) in enumerate(scored)
        if found.mcnemar_p_value is not None
    }
    adjusted = holm_adjusted(p_values) if p_values else {}
    rows: list[tuple[Value, ...]] = []
    for number, (one, found) in enumerate(scored):
        interval = found.accuracy_interval or ()
        drop = found.percentage_performance_drop
        rows.append(
            (
                one.model,
                one.setting,
                found.n,
                found.clean_accuracy,
                Estimate(found.accuracy, *interval),
                None if drop is None else Estimate(drop, *(found.drop_interval or ())),
                found.mcnemar_p_value,
                adjusted.get(str(number)),
            )
        )
    return rows


class _Part:
    """One model under one setting: right or not, with the full and with the partial input."""

    def __init__(
        self, model: str, setting: str, full: Mapping[str, bool], part: Mapping[str, bool]
    ) -> None:
        self.model = model
        self.setting = setting
        self.full = full
        self.part = part


def partial_inputs(questions: Questions, study: Study | None) -> Finding:
    """A line a model and setting, and a figure of the accuracies."""
    parts = list(_of_runs(questions, study) if study else _of_columns(questions))
    if not parts:
        names = ", ".join(f"{questions.config}-{name}" for name in SETTINGS)
        return Finding(missing=(f"Partial inputs: no run has predictions on {names}.",))
    chosen = questions.valid
    scored = [(one, found) for one in parts if (found := _scores(one, chosen)) is not None]
    rows = _rows(scored)
    table = ResultTable(
        "partial-inputs",
        f"{questions.config}: accuracy with a part of the input at test time,"
        f" {questions.which} (%)",
        (
            Column("model", "model"),
            Column("setting", "input"),
            Column("n", "questions", "count"),
            Column("full", "P+Q+A", "fraction"),
            Column("part", "part", "fraction"),
            Column("drop", "drop, % of P+Q+A", "percent"),
            Column("p_value", "p (McNemar)", "p"),
            Column("p_value_holm", "p, Holm", "p"),
        ),
        tuple(rows),
        (
            "P: passage, Q: question, A: options. 95 % intervals, clustered by passage; none where"
            " the questions stand on too few passages. Only the input of the test is altered.",
        ),
    )
    return Finding((table,), _chart(questions, scored) if scored else (), tuple(_no_drop(scored)))


def _no_drop(scored: Sequence[tuple[_Part, Any]]) -> Iterator[str]:
    for one, found in scored:
        if found.clean_accuracy == 0:
            yield (
                f"Partial inputs: {one.model} has none of {found.n} questions right with the full"
                f" input, so no drop under {one.setting}."
            )


def _of_runs(questions: Questions, study: Study) -> Iterator[_Part]:
    for name, run in named_runs(study):
        for attack, setting in SETTINGS.items():
            config = f"{questions.config}-{attack}"
            if config in run.answers:
                full, part = (
                    {row_id: right for row_id, _, right in right_answers(run, one)}
                    for one in (questions.config, config)
                )
                yield _Part(name, setting, full, part)


def _of_columns(questions: Questions) -> Iterator[_Part]:
    """Names `A: model`; the full input's answers where a model has the same name."""
    parts: dict[tuple[str, str], dict[str, bool]] = {}
    full: dict[str, dict[str, bool]] = {}
    for one in questions.items:
        facts: Mapping[str, Any] = one.example.facts
        names = facts.get("partial_models") or ()
        for name, right in zip(names, facts.get("partial_models_right") or (), strict=True):
            setting, _, model = name.rpartition(": ")
            parts.setdefault((model, setting), {})[one.example.id] = right
        for model, right in one.right.items():
            full.setdefault(model, {})[one.example.id] = right
    for (model, setting), found in parts.items():
        yield _Part(model, setting, full.get(model, {}), found)


def _scores(one: _Part, chosen: Sequence[Question]) -> Any:
    """Accuracy and drop on the questions that were answered both ways; without a drop on part."""
    kept = [q for q in chosen if q.example.id in one.part]
    paired = [q for q in kept if q.example.id in one.full]
    kept = paired or kept
    if not kept:
        return None
    part = np.array([one.part[q.example.id] for q in kept], dtype=np.int64)
    clean = np.array([one.full[q.example.id] for q in kept], dtype=np.int64) if paired else None
    # As a group: a model that has none right with the full input has no drop, which is no error.
    return scores_by_group(
        part,
        np.ones(len(kept), dtype=np.int64),
        [one.setting] * len(kept),
        clean_predictions=clean,
        passage_ids=[q.example.passage_id for q in kept],
    )[one.setting]


def _chart(questions: Questions, scored: Sequence[tuple[_Part, Any]]) -> tuple[Chart, ...]:
    settings = list(dict.fromkeys(one.setting for one, _ in scored))
    models = list(dict.fromkeys(one.model for one, _ in scored))
    series = []
    for setting in settings:
        points = []
        for one, found in scored:
            if one.setting == setting:
                low, high = (
                    None if end is None else _PERCENT * end
                    for end in found.accuracy_interval or (None, None)
                )
                place, label = models.index(one.model), f"{one.model} (n {found.n})"
                points.append(Point(place, _PERCENT * found.accuracy, low, high, found.n, label))
        series.append(Series(setting, tuple(points)))
    guess = sum(1 / len(q.example.options) for q in questions.items) / len(questions.items)
    return (
        Chart(
            name="partial-inputs",
            title=f"Accuracy with a part of the input at test time, {questions.config}",
            kind="bars",
            x_label="model",
            y_label="accuracy, %",
            series=tuple(series),
            reference={"random guess": _PERCENT * guess},
            ticks={},
            notes=(
                "Lines: 95 % intervals, clustered by passage; none where the questions stand on too"
                " few passages.",
            ),
        ),
    )
