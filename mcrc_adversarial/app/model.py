"""A model to ask about one question at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mcrc_adversarial.app.trial import Ask
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.experiment import ready_scorer
from mcrc_adversarial.experiment.again import scorer_again
from mcrc_adversarial.training.recipe import parse_arguments

_RECORD = "run.json"


def load_ask(checkpoint: str, kind: str) -> Ask:
    """What asks the model of a run, or any checkpoint.

    Args:
        checkpoint: a folder that train.py wrote, or a checkpoint (folder, Hub, bundled:minilm).
        kind: of a checkpoint: multiple-choice, matching or causal; a run knows its own.

    Raises:
        McrcError: it cannot be loaded.
        ParameterError: it is the run of a baseline, whose scores are no log-odds.
    """
    run = Path(checkpoint) / _RECORD
    if run.is_file():
        record = json.loads(run.read_text(encoding="utf-8"))
        if record["arguments"]["model"]["model_kind"] == "baseline":
            msg = (
                f"{checkpoint!r} is the run of a baseline, which has no probabilities; name a model"
            )
            raise ParameterError(msg)
        score = scorer_again(run.parent, record, "sample")
    else:
        flags = ["--do_predict", "--model_kind", kind, "--model_name_or_path", checkpoint]
        flags += ["--evaluate", "sample", "--output_dir", "unused"]
        score = ready_scorer(parse_arguments(flags))

    def ask(row: Mapping[str, Any]) -> Sequence[float]:
        return score("page", [row]).logits[0]

    return ask
