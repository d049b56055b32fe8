"""What a terminal sees of training: one line on stderr per log, nothing on stdout."""

from __future__ import annotations

import logging
import sys
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

_LOG = logging.getLogger(__name__)
# Name in Trainer's log -> name and form here.
_SHOWN = {
    "loss": ("loss", ".3f"),
    "learning_rate": ("learning rate", ".2g"),
    "train_tokens_per_second": ("tokens/s", ".0f"),
    "eval_loss": ("validation loss", ".3f"),
    "eval_accuracy": ("validation accuracy", ".3f"),
    "train_runtime": ("seconds", ".0f"),
}


class LineLog(TrainerCallback):
    """Writes what Trainer logs as lines such as `step 50/225: loss 1.312, tokens/s 3988`."""

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Write one line, on the main process."""
        found = {
            name: format(float((logs or {})[key]), form)
            for key, (name, form) in _SHOWN.items()
            if key in (logs or {})
        }
        if state.is_world_process_zero and found:
            shown = ", ".join(f"{name} {value}" for name, value in found.items())
            _LOG.info("step %d/%d: %s", state.global_step, state.max_steps, shown)


class ScoringBar:
    """A bar on stderr for each config while it is scored; to be called with what is done."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, name: str, done: int, to_do: int) -> None:
        """Show `done` of `to_do` inputs of the config `name`."""
        if self._bar is None:
            self._bar = tqdm(total=to_do, desc=name, unit=" inputs", leave=False)
        self._bar.update(done - self._bar.n)
        if done >= to_do:
            self._bar.close()
            self._bar = None


def scoring_progress(*, is_main: bool) -> ScoringBar | None:
    """A bar where somebody sees it: on the main process, if stderr is a terminal."""
    return ScoringBar() if is_main and sys.stderr.isatty() else None
