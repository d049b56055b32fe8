"""Which questions each model got right: by the corpus's own columns, or by runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcrc_adversarial.analysis import Run, Study
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example


def of_columns(examples: Iterable[Example]) -> dict[str, dict[str, bool]]:
    """Question id -> model -> whether it got it right, as the corpus's own columns tell.

    Raises:
        DataError: one name stands for two models.
    """
    found = {}
    for example in examples:
        facts: Mapping[str, Any] = example.facts
        names = facts.get("models") or ()
        if len(set(names)) < len(names):
            twice = next(name for n, name in enumerate(names) if name in names[:n])
            msg = f"question {example.id!r}: model {twice!r} has answered twice; one name a model"
            raise DataError(msg)
        found[example.id] = dict(zip(names, facts.get("models_right") or (), strict=True))
    return found


def of_runs(study: Study, config: str, examples: Sequence[Example]) -> dict[str, dict[str, bool]]:
    """Question id -> run -> whether it got it right.

    Raises:
        DataError: a run did not answer the config, or answered other rows.
    """
    labels = {example.id: example.label for example in examples}
    found: dict[str, dict[str, bool]] = {example.id: {} for example in examples}
    for name, run in named_runs(study):
        if config not in run.answers:
            msg = f"run {str(run.path)!r} has no predictions on {config}; score it there first"
            raise DataError(msg)
        for question_id, label, right in right_answers(run, config):
            if labels.get(question_id) != label:
                msg = (
                    f"run {str(run.path)!r} answers {question_id!r} with label {label}, which is no"
                    f" question of {config} here; it was scored on other rows"
                )
                raise DataError(msg)
            found[question_id][name] = right
    return found


def right_answers(run: Run, config: str) -> list[tuple[str, int, bool]]:
    """Id, label and whether it was right, of each row of a config."""
    answers = run.answers[config]
    rows = zip(answers.ids, answers.labels, answers.predictions, strict=True)
    return [(row_id, label, label == prediction) for row_id, label, prediction in rows]


def named_runs(study: Study) -> list[tuple[str, Run]]:
    """Each run, under the name of its model and what else tells it from the others."""
    named = []
    for system in study.systems:
        for run in system.runs:
            parts = [system.name]
            if len(system.runs) > 1:
                parts.append(f"seed {run.training_seed}")
            if len(system.conditions()) > 1:
                parts.append(run.condition)
            named.append((", ".join(parts), run))
    names = [name for name, _ in named]
    # Runs that differ in the attacks' seed alone have their folders' names.
    return [(f"{name} ({run.name})" if names.count(name) > 1 else name, run) for name, run in named]
