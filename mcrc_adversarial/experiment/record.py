"""The folder of a run: everything that is needed to redo its tables, or to resume it.

    run.json                   arguments, versions, git revision, seeds, data fingerprints, state
    predictions/<config>.jsonl id, label, prediction, logits, truncated
    metrics.json               the metric's figures of every config
    README.md                  model card with the table
    config.json, *.safetensors, tokenizer*   the model, where one was trained
    checkpoint-N/              to resume from. Its model is safetensors; the optimiser's state,
                               scheduler and random state (optimizer.pt, scheduler.pt,
                               rng_state.pth, or DeepSpeed's global_step*/) are torch files, read
                               back by Trainer from this folder alone

Files appear whole or not at all.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from mcrc_adversarial._version import __version__
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.experiment.overwriting import put_back, remove_replaced, set_aside
from mcrc_adversarial.experiment.resuming import (
    argument_record,
    check_data,
    check_equal,
    check_resumable,
    warn_of_changes,
)
from mcrc_adversarial.experiment.trainer import trainer_of
from mcrc_adversarial.predictions import FOLDER as PREDICTIONS
from mcrc_adversarial.training.data import make_plan
from mcrc_adversarial.training.recipe import Arguments
from mcrc_adversarial.training.trained import RECORD, SCHEMA_VERSION, read_record

METRICS = "metrics.json"
CARD = "README.md"
_PACKAGES = (
    "accelerate",
    "datasets",
    "deepspeed",
    "numpy",
    "safetensors",
    "sentencex",
    "tokenizers",
    "torch",
    "transformers",
)


def as_json(content: Mapping[str, Any]) -> str:
    """The text of a JSON file, keys sorted."""
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    return f"{text}\n"


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON, keys sorted, that appears whole or not at all.

    Raises:
        OutputError: it cannot be written.
    """
    write_text(path, as_json(content))


def versions() -> dict[str, str | None]:
    """Versions of everything that the numbers may depend on; None where not installed."""
    found: dict[str, str | None] = {
        "mcrc-adversarial": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
    }
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = None
    return found


def git_revision(file: Path = Path(__file__)) -> str | None:
    """Commit of the checkout that `file` belongs to, `+changes` behind it; None outside of one."""
    if shutil.which("git") is None or not _git(file, "ls-files", "--error-unmatch", file.name):
        return None
    changes = "+changes" if _git(file, "status", "--porcelain", "--untracked-files=no") else ""
    return f"{_git(file, 'rev-parse', 'HEAD')}{changes}"


def _git(file: Path, *arguments: str) -> str:
    command = ["git", "-C", str(file.parent), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    return done.stdout.strip() if done.returncode == 0 else ""


def new_record(arguments: Arguments) -> dict[str, Any]:
    """What is known of a run when it begins."""
    run = arguments.run
    trainer = None
    if not run.do_train:
        trainer = trainer_of(arguments.model.model_name_or_path, Path(str(run.output_dir)))
    return {
        "schema_version": SCHEMA_VERSION,
        "state": "unfinished",
        "recipe": arguments.recipe,
        "notes": list(arguments.notes),
        "arguments": argument_record(arguments),
        # What `CORPUS:*` stood for: a later version may have more attacks.
        "evaluates": list(map(str, make_plan(arguments.data).evaluate)),
        "trainer": trainer,
        "versions": versions(),
        "git_revision": git_revision(),
        "n_processes": run.world_size,
        "seeds": {
            "training": run.seed,
            "batches": run.seed if run.data_seed is None else run.data_seed,
            "attack": arguments.data.attack_seed,
            "sample": arguments.data.sample_seed,
        },
    }


class RunFolder:
    """The folder of one run.

    Args:
        path: where it is, or will be.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._replaced: str | None = None

    def read(self) -> dict[str, Any] | None:
        """The record of the run in the folder; None where there is none.

        Raises:
            OutputError: there is something that is no record of a run.
        """
        return read_record(self.path / RECORD)

    def begin(self, arguments: Arguments) -> bool:
        """Make the folder this run's own; True where a killed run with equal settings goes on.

        What an earlier start predicted is removed: it may have scored other configs or rows.

        Raises:
            OutputError: the folder holds a finished run, one with other settings, or anything
                else, and may not be overwritten.
        """
        before = self.read()
        if before is None:
            self._refuse_strangers()
        else:
            self._replaced = before.get("replaced")
            if arguments.run.overwrite_run:
                self._replaced = set_aside(self.path, self._replaced)
                before = None
            else:
                check_resumable(self.path, before, arguments)
                self._remove_results()
        with self.old_run_kept():
            self._make()
            write_json(self.path / RECORD, self._new_record(arguments, before))
        return before is not None

    def is_finished(self, arguments: Arguments) -> bool:
        """Whether it holds a finished run with equal settings, which is not to be done again.

        Raises:
            OutputError: it holds a finished run with other settings.
        """
        before = self.read()
        if before is None or before["state"] != "finished" or arguments.run.overwrite_run:
            return False
        check_equal(self.path, before, arguments)
        return True

    def _new_record(self, arguments: Arguments, before: Mapping[str, Any] | None) -> dict[str, Any]:
        found = {**new_record(arguments), "replaced": self._replaced}
        if before is not None:
            found["training_data"] = before.get("training_data")
            warn_of_changes(before, found)
        return found

    def _remove_results(self) -> None:
        try:
            if (self.path / PREDICTIONS).exists():
                shutil.rmtree(self.path / PREDICTIONS)
            for name in (METRICS, CARD):
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            msg = f"{str(self.path)!r}: old predictions cannot be deleted ({error.strerror})"
            raise OutputError(msg) from error

    def note_training_data(self, found: Mapping[str, Any]) -> None:
        """Record what is trained on, before it is; a run that goes on must find it unchanged.

        Args:
            found: `<config>/<split>` -> rows and digest.

        Raises:
            OutputError: the run began with other rows.
        """
        content = self.read()
        assert content is not None
        check_data(self.path, content.get("training_data"), found)
        self.add(training_data=found)

    @contextmanager
    def old_run_kept(self) -> Iterator[None]:
        """Put a run that was to be overwritten back where what is done inside fails."""
        try:
            yield
        except BaseException:
            if self._replaced is not None:
                put_back(self.path, self._replaced)
                self._replaced = None
            raise

    def _make(self) -> None:
        try:
            # A link to a folder that was moved aside points to nothing.
            self.path.resolve().mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{str(self.path)!r} cannot be made ({error.strerror}); give another --output_dir"
            raise OutputError(msg) from error

    def _refuse_strangers(self) -> None:
        found = sorted(entry.name for entry in self.path.iterdir()) if self.path.is_dir() else []
        if found or self.path.is_file():
            what = f"holds {found[0]!r}" if found else "is a file"
            msg = f"{str(self.path)!r} {what}, which no run wrote; give a new folder"
            raise OutputError(msg)

    def add(self, **facts: Any) -> None:
        """Put facts into the record."""
        content = self.read()
        assert content is not None
        write_json(self.path / RECORD, {**content, **facts})

    def finish(self) -> None:
        """Mark the run as finished: from now on it is never overwritten silently."""
        self.add(state="finished", replaced=None)
        if self._replaced is not None:
            remove_replaced(self.path, self._replaced)
