"""`train.py --task span-extraction` and `--task distractor-generation`: a run of each.

Both go through transformers' Trainer with the arguments, checkpoints and record of every other run.
The checkpoint is selected on validation questions that were made as the training questions were;
`accuracy` is the share of windows whose start and end are both right, or the share of the
distractors' tokens that are predicted right from those before.
"""

from __future__ import annotations

import logging
import math
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from torch import Tensor
from transformers import (
    DataCollatorForSeq2Seq,
    DataCollatorWithPadding,
    EvalPrediction,
    set_seed,
)

from mcrc_adversarial.candidates import SPANS
from mcrc_adversarial.distractors.task_data import PairEncoder, SpanEncoder, encoded
from mcrc_adversarial.distractors.windows import check_fast, check_length
from mcrc_adversarial.experiment.record import METRICS, RunFolder, write_json
from mcrc_adversarial.training import train
from mcrc_adversarial.training.data import RunData, make_plan
from mcrc_adversarial.training.models import Loaded, load_model, random_model
from mcrc_adversarial.training.processes import main_process_first
from mcrc_adversarial.training.recipe import Arguments
from mcrc_adversarial.training.run_trainer import RunTrainer

_LOG = logging.getLogger(__name__)
_MULTIPLE = 8
_IGNORED = -100
_DRY_ROWS = 2


def run_task(arguments: Arguments) -> dict[str, float]:
    """Train, save the model, and write the record; loss and accuracy on the validation rows.

    Raises:
        McrcError: whatever is wrong with names, data, model or folder.
    """
    settings = arguments.run
    folder = RunFolder(str(settings.output_dir))
    is_main = settings.process_index == 0
    plan, data = make_plan(arguments.data), RunData(arguments.data)
    with main_process_first(settings):
        data.check_own_files(plan.used(settings))
        if is_main and folder.begin(arguments):
            _LOG.info("%s: going on with the run that was interrupted", folder.path)
    set_seed(settings.seed)
    loaded = load_model(arguments.model, to_train=True)
    encoder = make_encoder(arguments, loaded)
    with main_process_first(settings):
        items = encoded(data.training(plan.train), encoder)
        validation = encoded(data.validation(plan.validation), encoder)
    trainer = build_trainer(arguments, loaded, items, validation)
    output = train(trainer)
    trainer.save_model()
    found = trainer.evaluate()
    metrics = {name: float(found[f"eval_{name}"]) for name in ("accuracy", "loss")}
    if is_main:
        write_json(folder.path / METRICS, {"task": arguments.model.task, "validation": metrics})
        folder.add(
            data=data.fingerprints,
            training={
                "items": len(items),
                "steps": output.global_step,
                "loss": output.training_loss if math.isfinite(output.training_loss) else None,
                "best_checkpoint": trainer.state.best_model_checkpoint,
                "validation": metrics,
                "log": trainer.state.log_history,
            },
        )
        folder.finish()
    return metrics


def dry_run_task(arguments: Arguments) -> list[str]:
    """Resolve everything, build a few rows, take one step; what was found, a line each.

    Raises:
        McrcError: whatever is wrong with names, data or model.
    """
    small = replace(arguments.data, train_limit=_DRY_ROWS, validation_limit=_DRY_ROWS)
    plan, data = make_plan(arguments.data), RunData(small, dry=True)
    data.check_own_files(plan.used(arguments.run))
    set_seed(arguments.run.seed)
    rows, validation = data.training(plan.train), data.validation(plan.validation)
    loaded = random_model(arguments.model, _texts([rows, validation]))
    encoder = make_encoder(arguments, loaded)
    items, checked = encoded(rows, encoder), encoded(validation, encoder)
    with tempfile.TemporaryDirectory() as folder:
        run = replace(
            arguments.run,
            output_dir=folder,
            max_steps=1,
            per_device_train_batch_size=1,
            gradient_accumulation_steps=1,
            eval_strategy="no",
            save_strategy="no",
            load_best_model_at_end=False,
            logging_steps=1,
            disable_tqdm=True,
        )
        trainer = build_trainer(replace(arguments, run=run), loaded, items.select([0]), checked)
        loss = trainer.train().training_loss
    return [
        f"task: {arguments.model.task}",
        *loaded.notes,
        f"parameters: {loaded.model.num_parameters():,}",
        f"{len(rows)} training rows gave {len(items)} items",
        f"one step: loss {loss:.3f}",
        *(f"LEFT OUT: {one}" for one in dict.fromkeys(data.missing)),
        "dry run passed",
    ]


def _texts(parts: Iterable[Dataset]) -> Iterable[str]:
    for rows in parts:
        for row in rows:
            yield from (row["passage"], row["question"], *row["options"])


def make_encoder(arguments: Arguments, loaded: Loaded) -> SpanEncoder | PairEncoder:
    """The encoder of the task's rows.

    Raises:
        ParameterError: the tokeniser gives no offsets, or the model has too few positions.
    """
    data = arguments.data
    check_fast(loaded.tokenizer)
    check_length(data.max_length, loaded.model.config)
    if arguments.model.task == SPANS.name:
        # Places are counted from the first token; padding in front would move what they mean.
        loaded.tokenizer.padding_side = "right"
        return SpanEncoder(loaded.tokenizer, data.max_length, data.stride, data.sample_seed)
    return PairEncoder(loaded.tokenizer, data.max_length)


def build_trainer(
    arguments: Arguments, loaded: Loaded, items: Dataset, validation: Dataset
) -> RunTrainer:
    """The trainer of a run."""
    is_spans = arguments.model.task == SPANS.name
    collator: Any = (
        DataCollatorWithPadding(loaded.tokenizer, pad_to_multiple_of=_MULTIPLE)
        if is_spans
        else DataCollatorForSeq2Seq(
            loaded.tokenizer, model=loaded.model, pad_to_multiple_of=_MULTIPLE
        )
    )
    return RunTrainer(
        model=loaded.model,
        args=arguments.run,
        train_dataset=items,
        eval_dataset=validation,
        data_collator=collator,
        processing_class=loaded.tokenizer,
        compute_metrics=span_accuracy if is_spans else token_accuracy,
        preprocess_logits_for_metrics=_best_places if is_spans else _best_tokens,
    )


def _best_places(logits: tuple[Tensor, ...], _: Any) -> Tensor:
    return torch.stack([one.argmax(-1) for one in logits[:2]], dim=-1)


def _best_tokens(logits: Any, _: Any) -> Tensor:
    first: Tensor = logits[0] if isinstance(logits, tuple) else logits
    return first.argmax(-1)


def span_accuracy(found: EvalPrediction) -> dict[str, float]:
    """Share of windows whose start and end are both right."""
    expected = np.stack([np.asarray(one) for one in found.label_ids], axis=-1)
    right = (np.asarray(found.predictions) == expected).all(axis=-1)
    return {"accuracy": float(right.mean())}


def token_accuracy(found: EvalPrediction) -> dict[str, float]:
    """Share of the targets' tokens that are right, given those before."""
    labels, predictions = np.asarray(found.label_ids), np.asarray(found.predictions)
    counts = labels != _IGNORED
    return {"accuracy": float((predictions == labels)[counts].mean())}
