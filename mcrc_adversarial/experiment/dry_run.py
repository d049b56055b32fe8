"""Try a run's settings in seconds: a few real rows, a random model of the real shape, one step."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from datasets import Dataset
from transformers import set_seed

from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.experiment import encoded, make_encoder
from mcrc_adversarial.experiment.scorers import (
    RowScorer,
    baseline_scorer,
    causal_scorer,
    model_scorer,
)
from mcrc_adversarial.training import TrainingData, build_trainer
from mcrc_adversarial.training.checks import check_positions
from mcrc_adversarial.training.data import RunData, make_plan
from mcrc_adversarial.training.models import Loaded, random_model
from mcrc_adversarial.training.recipe import Arguments

_ROWS = 4
_STEP_QUESTIONS = 1


@dataclass(frozen=True)
class DryRun:
    """What a dry run found, a line each; `str` joins them."""

    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def dry_run(arguments: Arguments) -> DryRun:
    """Resolve everything, build the data, and take one step and one look at every config.

    Raises:
        McrcError: whatever is wrong with names, data or model, as in the run itself; but a split
            that is not on this machine is left out and named.
    """
    settings = arguments.data
    small = replace(
        settings,
        train_limit=settings.train_limit or _ROWS,
        validation_limit=settings.validation_limit or _ROWS,
        evaluate_limit=settings.evaluate_limit or _ROWS,
    )
    plan, data = make_plan(arguments.data), RunData(small, dry=True)
    data.check_own_files(plan.used(arguments.run))
    set_seed(arguments.run.seed)
    lines = [f"train: {', '.join(map(str, plan.train)) or 'nothing'}"]
    lines.append(f"validation: {', '.join(map(str, plan.validation)) or 'nothing'}")
    train = data.training(plan.train) if arguments.run.do_train else None
    validation = data.validation(plan.validation).select(range(1)) if train is not None else None
    configs = {config: data.scored(config) for config in plan.evaluate}
    with tempfile.TemporaryDirectory() as folder:
        scorer, notes = _scorer(arguments, folder, train, validation, configs)
    lines += [*notes, _scored(scorer, configs, arguments.data.evaluate_split)]
    lines += [f"LEFT OUT: {one}" for one in dict.fromkeys(data.missing)]
    lines += [f"data {name}: {one['rows']} rows" for name, one in data.fingerprints.items()]
    return DryRun((*lines, "dry run passed"))


def _scorer(
    arguments: Arguments,
    folder: str,
    train: Dataset | None,
    validation: Dataset | None,
    configs: dict[ConfigName, Dataset | None],
) -> tuple[RowScorer, list[str]]:
    if arguments.model.model_kind == "baseline":
        return baseline_scorer(arguments), ["model: none"]
    rows = [part for part in (train, *configs.values()) if part is not None]
    loaded = random_model(arguments.model, _texts(rows))
    check_positions(loaded.model, arguments.data.max_length)
    notes = [*loaded.notes, f"parameters: {loaded.model.num_parameters():,}"]
    if arguments.model.model_kind == "causal":
        return causal_scorer(arguments, loaded), notes
    if train is not None and validation is not None:
        notes.append(_one_step(arguments, folder, loaded, train, validation))
    encoder = make_encoder(arguments, loaded)
    found = [rows for rows in configs.values() if rows is not None]
    shortened = [one.truncated for rows in found for one in encoder.encode_many(rows)]
    notes.append(f"encoded {len(shortened)} rows to score, {sum(shortened)} shortened")
    return model_scorer(arguments, loaded.model, encoder), notes


def _texts(parts: list[Dataset]) -> Iterator[str]:
    for rows in parts:
        for row in rows:
            yield from (row["passage"], row["question"], *row["options"])


def _one_step(
    arguments: Arguments, folder: str, loaded: Loaded, train: Dataset, validation: Dataset
) -> str:
    run = replace(
        arguments.run,
        output_dir=folder,
        max_steps=1,
        per_device_train_batch_size=_STEP_QUESTIONS,
        train_token_budget=0,
        gradient_accumulation_steps=1,
        logging_steps=1,
        disable_tqdm=True,
    )
    encoder = make_encoder(arguments, loaded)
    trainer = build_trainer(
        loaded.model, run, TrainingData(encoded(train, encoder), validation, encoder)
    )
    return f"one step: loss {trainer.train().training_loss:.3f}"


def _scored(scorer: RowScorer, configs: Mapping[ConfigName, Dataset | None], split: str) -> str:
    """Score one row of each original: a large model on a CPU has no time for more."""
    n_rows = 0
    for config, rows in configs.items():
        if rows is not None and config.attack is None:
            n_rows += len(scorer(str(config), rows.select(range(1))).ids)
    found = sum(rows is not None for rows in configs.values())
    return f"scored {n_rows} rows of the {split} split; {found} configs are there"
