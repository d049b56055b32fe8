"""Settings of transformers' TrainingArguments that would be ignored, or break what a run promises.

The fine-tuning here draws its own batches, has its own loss and scores with its own code, so these
do nothing; a value other than the default is refused, as an unknown setting is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from transformers import TrainingArguments

from mcrc_adversarial.errors import ParameterError

_SCORING = "scoring has batches of --evaluate_token_budget tokens"
_OWN_METRICS = "accuracy and loss are all that validation gives"
_BATCHES = "batches hold questions of like length, each once an epoch"
_PRECISION = "--dtype decides for training and scoring alike"
_ONE_WAY = "several processes are shared by DDP (torchrun) or --deepspeed"

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "accelerator_config": "it is set here",
        "auto_find_batch_size": "give a smaller --per_device_train_batch_size",
        "batch_eval_metrics": _OWN_METRICS,
        "bf16_full_eval": _PRECISION,
        "dataloader_drop_last": _BATCHES,
        "dataloader_in_order": "a run has to see its batches in order to be repeatable",
        "dataloader_multiprocessing_context": "workers start as Python's default says",
        "disable_tqdm": "bars are shown on a terminal only",
        "eval_accumulation_steps": _SCORING,
        "eval_do_concat_batches": _OWN_METRICS,
        "eval_use_gather_object": _OWN_METRICS,
        "fp16_full_eval": _PRECISION,
        "fsdp": _ONE_WAY,
        "fsdp_config": _ONE_WAY,
        "ignore_data_skip": "a run that goes on sees the batches that it has not seen",
        "include_for_metrics": _OWN_METRICS,
        "label_names": "the label is the index of the right option",
        "label_smoothing_factor": "the loss is plain cross entropy",
        "length_column_name": _BATCHES,
        "parallelism_config": _ONE_WAY,
        "per_device_eval_batch_size": _SCORING,
        "prediction_loss_only": _OWN_METRICS,
        "remove_unused_columns": "rows are encoded before training",
        "resume_from_checkpoint": (
            "the same command goes on from the last checkpoint in --output_dir; to start from"
            " another model, give --model_name_or_path"
        ),
        "save_only_model": "a checkpoint is there to go on from; take --save_strategy no instead",
        "train_sampling_strategy": _BATCHES,
        "use_cache": "models that are trained here have no cache",
    }
)
# The tasks that train makers of distractors have transformers' own batches and losses.
HEEDED_BY_TASKS = frozenset(
    {
        "dataloader_drop_last",
        "eval_accumulation_steps",
        "label_smoothing_factor",
        "length_column_name",
        "per_device_eval_batch_size",
        "train_sampling_strategy",
    }
)


def check_inherited(found: Mapping[str, Any]) -> None:
    """Raise where a setting is given that would be ignored.

    Args:
        found: name -> value of all settings, before transformers completes them.

    Raises:
        ParameterError: one is given; the message says what decides in its place.
    """
    is_task = found["task"] != "answering"
    for field in dataclasses.fields(TrainingArguments):
        if is_task and field.name in HEEDED_BY_TASKS:
            continue
        if field.name in REFUSED and found[field.name] != _default(field):
            msg = f"{field.name} has no effect here: {REFUSED[field.name]}; leave it out"
            raise ParameterError(msg)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
