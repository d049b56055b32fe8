"""Settings of ours that are out of range, would be ignored, or do not go together."""

from __future__ import annotations

from pathlib import Path

from mcrc_adversarial.attack_settings import read_settings
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training.arguments import DataArguments, ModelArguments, RunArguments
from mcrc_adversarial.training.checks import check_baseline, check_overwriting
from mcrc_adversarial.training.ways import WAYS

_BEST_BY = ("accuracy", "loss")


def check_ranges(model: ModelArguments, data: DataArguments, run: RunArguments) -> None:
    """Raise unless the settings that are ours are in range and go together.

    Raises:
        ParameterError: one is not; the message names it.
    """
    _check_numbers(model, data, run)
    check_baseline(model)
    if run.overwrite_run and run.output_dir:
        check_overwriting(model, data, Path(run.output_dir))
    _check_hub(run)
    if model.task != "answering":
        _check_task(model, data, run)
    if run.do_train:
        _check_training(model, data, run)
    elif not data.evaluate and not data.train:
        msg = "no --evaluate is given, and no --train to take it from; name the configs to score"
        raise ParameterError(msg)


def _check_numbers(model: ModelArguments, data: DataArguments, run: RunArguments) -> None:
    numbers = {
        "attack_seed": data.attack_seed,
        "sample_seed": data.sample_seed,
        "seed": run.seed,
        "train_limit": data.train_limit,
        "validation_limit": data.validation_limit,
        "evaluate_limit": data.evaluate_limit,
        "train_token_budget": run.train_token_budget,
        "stride": data.stride,
    }
    for name, value in numbers.items():
        if value < 0:
            msg = f"{name} is {value}; it must be at least 0"
            raise ParameterError(msg)
    read_settings(data.attack_params, data.shuffle_degree)
    if run.evaluate_token_budget < data.max_length:
        msg = (
            f"evaluate_token_budget is {run.evaluate_token_budget}, less than one sequence of"
            f" max_length {data.max_length}; give more"
        )
        raise ParameterError(msg)
    if model.dropout is not None and not 0 <= model.dropout < 1:
        msg = f"dropout is {model.dropout}; it must lie from 0 up to, not including, 1"
        raise ParameterError(msg)


def _check_hub(run: RunArguments) -> None:
    # A token on the command line stands in the shell's history and in every list of processes.
    if run.hub_token is not None:
        msg = "hub_token is not taken; run `hf auth login`, or set HF_TOKEN"
        raise ParameterError(msg)
    unused = {
        "hub_strategy": run.hub_strategy != "every_save",
        "hub_always_push": run.hub_always_push,
        "hub_revision": run.hub_revision is not None,
    }
    for name, is_set in unused.items():
        if is_set:
            msg = f"{name} has no effect: a run is pushed once, whole, at its end; leave it out"
            raise ParameterError(msg)
    if run.push_to_hub and not (run.do_train and run.do_eval) and not run.dry_run:
        msg = "push_to_hub publishes a trained model with its scores; give --do_train --do_eval"
        raise ParameterError(msg)


def _check_task(model: ModelArguments, data: DataArguments, run: RunArguments) -> None:
    if not run.do_train or run.do_eval or run.do_predict or data.evaluate:
        msg = (
            f"task {model.task!r} is for training: give --do_train, without --do_eval, --do_predict"
            " and --evaluate; what its model finds is asked for by mcrc-adversarial candidates"
        )
        raise ParameterError(msg)
    if model.model_kind != "multiple-choice" or run.train_token_budget:
        msg = (
            f"task {model.task!r} takes neither --model_kind nor --train_token_budget; its batches"
            " are of --per_device_train_batch_size windows or distractors"
        )
        raise ParameterError(msg)


def _check_training(model: ModelArguments, data: DataArguments, run: RunArguments) -> None:
    if model.model_kind not in WAYS:
        msg = (
            f"model_kind {model.model_kind!r} cannot be trained, only {' and '.join(WAYS)};"
            " leave out --do_train"
        )
        raise ParameterError(msg)
    if not data.train:
        msg = "--do_train is given, but no --train; name the configs to train on"
        raise ParameterError(msg)
    if run.load_best_model_at_end and run.eval_strategy == "no":
        msg = "eval_strategy no leaves no best checkpoint; give --load_best_model_at_end False"
        raise ParameterError(msg)
    metric = str(run.metric_for_best_model).removeprefix("eval_")
    if metric not in _BEST_BY:
        msg = (
            f"metric_for_best_model is {metric!r}; {' or '.join(_BEST_BY)} can select a checkpoint"
        )
        raise ParameterError(msg)
