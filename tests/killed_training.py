"""`train.py` that dies before it writes its second checkpoint; for tests that resume."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import train
from mcrc_adversarial.training import MultipleChoiceTrainer

_SAVE = MultipleChoiceTrainer._save_checkpoint


def _die_at_the_second(self: MultipleChoiceTrainer, model: Any, trial: Any) -> None:
    if self.state.global_step > self.args.save_steps:
        os.kill(os.getpid(), signal.SIGKILL)
    _SAVE(self, model, trial)


if __name__ == "__main__":
    # Only here: pytest imports this file too, looking for doctests.
    MultipleChoiceTrainer._save_checkpoint = _die_at_the_second  # type: ignore[method-assign]
    sys.exit(train.main())
