"""The model of a run, to ask it again."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from transformers.utils.logging import disable_progress_bar, set_verbosity_error

from mcrc_adversarial.experiment import ready_scorer
from mcrc_adversarial.experiment.scorers import RowScorer
from mcrc_adversarial.training.recipe import parse_arguments
from mcrc_adversarial.training.trained import answer_settings


def scorer_again(folder: Path, record: Mapping[str, Any], config: str) -> RowScorer:
    """A scorer with the run's model and settings, on this machine's device.

    Args:
        folder: of the run; it holds the model, if the run trained one.
        record: run.json.
        config: that will be asked about.

    Raises:
        McrcError: the model is not there, or cannot be loaded.
    """
    set_verbosity_error()  # type: ignore[no-untyped-call]
    if not sys.stderr.isatty():
        disable_progress_bar()  # type: ignore[no-untyped-call]
    return ready_scorer(parse_arguments(list(_flags(folder, record, config))))


def _flags(folder: Path, record: Mapping[str, Any], config: str) -> Iterator[str]:
    arguments = record["arguments"]
    model = arguments["model"]["model_name_or_path"]
    if arguments["run"]["do_train"]:
        model = str(folder)
    elif trainer := record.get("trainer"):
        # The path that was given may have been seen from another folder than the current one.
        beside = folder / trainer["folder"]
        model = str(beside) if beside.is_dir() else model
    yield from ("--do_predict", "--output_dir", str(folder), "--evaluate", config)
    yield from ("--model_name_or_path", model, "--seed", str(arguments["run"]["seed"]))
    for name, value in answer_settings(record).items():
        yield from (f"--{name}", value)
