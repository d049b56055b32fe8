"""Whether a run that was killed may go on: equal settings, processes and training data."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.training.recipe import Arguments

_LOG = logging.getLogger(__name__)
_REMEDY = "give another --output_dir, or --overwrite_run"
# Settings that neither the weights nor the predictions depend on.
_FREE = {
    "data_dir",
    "dataloader_num_workers",
    "dataloader_persistent_workers",
    "dataloader_prefetch_factor",
    "disable_tqdm",
    "do_eval",
    "do_predict",
    "evaluate",
    "evaluate_limit",
    "evaluate_split",
    "evaluate_token_budget",
    "hub_model_id",
    "hub_private_repo",
    "local_rank",
    "log_level",
    "log_level_replica",
    "logging_first_step",
    "logging_steps",
    "output_dir",
    "overwrite_run",
    "push_to_hub",
    "report_to",
    "run_name",
}


def argument_record(arguments: Arguments) -> dict[str, Any]:
    """All settings, resolved, by group."""
    return {
        "model": asdict(arguments.model),
        "data": asdict(arguments.data),
        "run": arguments.run.to_dict(),  # type: ignore[no-untyped-call]
    }


def check_resumable(path: Path, before: Mapping[str, Any], arguments: Arguments) -> None:
    """Raise unless the run in `path` may go on with `arguments`.

    Args:
        path: of the run.
        before: its record.
        arguments: of the start that is to go on with it.

    Raises:
        OutputError: it is finished, or has other settings or another number of processes.
    """
    if before["state"] == "finished":
        msg = f"{str(path)!r} holds a finished run; {_REMEDY}"
        raise OutputError(msg)
    check_equal(path, before, arguments)
    n_before, n_now = before.get("n_processes"), arguments.run.world_size
    if arguments.run.do_train and n_before != n_now:
        # Each update would have other questions, and the epoch another number of updates.
        _refuse(path, f"{n_before} processes", f"there are {n_now}; start as many")


def check_equal(path: Path, before: Mapping[str, Any], arguments: Arguments) -> None:
    """Raise where a setting differs that weights or predictions depend on.

    Args:
        path: of the run.
        before: its record.
        arguments: of this start.

    Raises:
        OutputError: names the first setting that differs.
    """
    now = json.loads(json.dumps(argument_record(arguments)))
    for group, settings in now.items():
        for name, value in settings.items():
            was = before["arguments"].get(group, {}).get(name)
            if name not in _FREE and was != value:
                _refuse(path, f"{name} {was!r}", f"it is {value!r}", before["state"])


def _refuse(path: Path, was: str, now: str, state: str = "unfinished") -> None:
    article = "a" if state == "finished" else "an"
    msg = f"{str(path)!r} holds {article} {state} run with {was}, now {now}; {_REMEDY}"
    raise OutputError(msg)


def check_data(path: Path, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> None:
    """Raise where a run that goes on finds other rows than it began with.

    Args:
        path: of the run.
        before: `<config>/<split>` -> rows and digest at the first start; None if it did not get
            so far.
        now: the same of this start.

    Raises:
        OutputError: some rows differ; the message names the first split.
    """
    for name, one in (before or {}).items():
        found = now.get(name)
        if found != one:
            was = f"{one['rows']} rows of {name} (sha256 {one['sha256'][:12]})"
            is_now = f"they are {found['rows']} ({found['sha256'][:12]})" if found else "none"
            _refuse(path, was, is_now)


def warn_of_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Say, in one line, which versions have changed since the run began."""
    was = {**before["versions"], "git revision": before["git_revision"]}
    found = {**now["versions"], "git revision": now["git_revision"]}
    changed = [
        f"{name} {was.get(name)} -> {version}"
        for name, version in found.items()
        if was.get(name) != version
    ]
    if changed:
        _LOG.warning("going on with other versions than before: %s", ", ".join(changed))
