"""Which run trained the model that another run scores.

It goes into the scoring run's own record, so that the training condition and seed are known
wherever that folder is moved to, and wherever a report is written from.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from mcrc_adversarial.errors import DataError

_RECORD = "run.json"
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
        DataError: the model's folder has a run.json that is no record of a run.
    """
    folder = Path(model)
    parent = folder.parent if folder.name.startswith(_CHECKPOINT) else folder
    file = parent / _RECORD
    if not file.is_file():
        return None
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        has_trained = record["arguments"]["run"]["do_train"]
    except (ValueError, KeyError, TypeError) as error:
        msg = (
            f"{file}: this is no record of a run, so nobody can say what the model beside it was"
            " trained on; mend or remove it"
        )
        raise DataError(msg) from error
    if not has_trained:
        return None
    return {
        "arguments": record["arguments"],
        "folder": os.path.relpath(folder, scoring),
        "checkpoint": folder.name if folder != parent else None,
    }
