"""Which run trained the model that another run scores.

It goes into the scoring run's own record, so that the training condition and seed are known
wherever that folder is moved to, and wherever a report is written from.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mcrc_adversarial.training.trained import RECORD, read_record

_CHECKPOINT = "checkpoint-"


def trainer_of(model: str, scoring: Path) -> dict[str, Any] | None:
    """What the record of a scoring run says of the run that trained its model.

    Args:
        model: name or path of the model that is scored.
        scoring: folder of the run that scores it.

    Returns:
        `arguments` of the training run, its `folder` as seen from `scoring`, and the `checkpoint`
        where it is not the last one; None where no run trained the model.

    Raises:
        OutputError: the model's folder has a run.json that is no record of a run.
    """
    folder = Path(model)
    parent = folder.parent if folder.name.startswith(_CHECKPOINT) else folder
    record = read_record(parent / RECORD)
    if record is None or not record["arguments"]["run"]["do_train"]:
        return None
    return {
        "arguments": record["arguments"],
        "folder": os.path.relpath(folder, scoring),
        "checkpoint": folder.name if folder != parent else None,
    }
