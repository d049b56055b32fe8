"""The settings that a run's answers depend on, read back from its record."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mcrc_adversarial.errors import OutputError

SCHEMA_VERSION = 1
RECORD = "run.json"
# What the answers depend on besides the model's own settings, which are all taken. The size of a
# batch moves the last digits of logits in bfloat16.
_DATA = ("max_length", "fill_blank")
_RUN = ("evaluate_token_budget",)
_CHECKPOINT = re.compile(r"checkpoint-\d+")


def read_record(file: Path) -> dict[str, Any] | None:
    """The record of a run; None where there is no such file.

    Raises:
        OutputError: the file is no record of a run.
    """
    if not file.is_file():
        return None
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["schema_version"] == SCHEMA_VERSION:
            assert isinstance(content, dict)
            return content
    except (ValueError, KeyError, TypeError) as error:
        msg = f"{file}: this is no record of a run; give another folder"
        raise OutputError(msg) from error
    msg = f"{file}: schema version {content['schema_version']!r} is not {SCHEMA_VERSION}"
    raise OutputError(msg)


def answer_settings(record: Mapping[str, Any]) -> dict[str, str]:
    """Name -> value of the settings that the run's model answered with, but for its name."""
    arguments = record["arguments"]
    found = {
        **arguments["model"],
        **{name: arguments["data"][name] for name in _DATA},
        **{name: arguments["run"][name] for name in _RUN},
    }
    del found["model_name_or_path"]
    return {name: str(value) for name, value in found.items() if value is not None}


def trained_with(model: str) -> dict[str, str]:
    """`answer_settings` of the run that trained a model; nothing where no run of ours did.

    Args:
        model: the run's folder, one of its checkpoints, or any other name of a model.

    Raises:
        OutputError: the folder's run.json is no record of a run.
    """
    folder = Path(model)
    if _CHECKPOINT.fullmatch(folder.name) and not (folder / RECORD).exists():
        folder = folder.parent
    record = read_record(folder / RECORD)
    if record is None or not record["arguments"]["run"]["do_train"]:
        return {}
    return answer_settings(record)


def as_trained(parsed: Callable[[Sequence[str]], dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """Ask a model as the run that trained it did, but for what the user's own flags say.

    Args:
        parsed: flags to put in front of the user's -> name and value of all settings.

    Returns:
        The settings, and a line that says which of them come from the run; empty where none does.
    """
    given = parsed([])
    if given["do_train"]:
        return given, ""
    settings = trained_with(given["model_name_or_path"])
    found = parsed([word for name, value in settings.items() for word in (f"--{name}", value)])
    taken = [f"{name} {value}" for name, value in found.items() if value != given[name]]
    note = f"asked as it was trained, where no flag says otherwise: {', '.join(taken)}"
    return found, note if taken else ""
