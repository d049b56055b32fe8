"""What all our trainers have in common: quiet terminals, checkpoints that are whole and stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import nn
from transformers import PreTrainedModel, PrinterCallback, ProgressCallback, Trainer

from mcrc_adversarial.training.arguments import RunArguments
from mcrc_adversarial.training.log import LineLog
from mcrc_adversarial.training.saving import saving

# Written into a checkpoint when everything else in it is.
COMPLETE = "complete"
# Pickled by transformers beside every checkpoint and never read by us.
_PICKLED_ARGUMENTS = "training_args.bin"


class RunTrainer(Trainer):
    """Trainer that logs lines to stderr, and marks checkpoints as complete."""

    args: RunArguments
    model: PreTrainedModel

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # They print to stdout, which is for the results.
        self.remove_callback(PrinterCallback)
        self.remove_callback(ProgressCallback)
        self.add_callback(LineLog)

    def _save_checkpoint(self, model: nn.Module, trial: Any) -> None:
        folder = Path(str(self.args.output_dir)) / f"checkpoint-{self.state.global_step}"
        with saving(folder):
            super()._save_checkpoint(model, trial)
            self.accelerator.wait_for_everyone()
            if self.args.should_save:
                (folder / COMPLETE).touch()

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        folder = Path(str(self.args.output_dir) if output_dir is None else output_dir)
        with saving(folder):
            super()._save(output_dir, state_dict)
        (folder / _PICKLED_ARGUMENTS).unlink(missing_ok=True)

    # With push_to_hub Trainer would push while it trains, checkpoints and a card of its own. A run
    # is pushed by `experiment`, at its end.
    def init_hf_repo(self, token: str | None = None, private: bool | None = None) -> None:
        """Nothing: the repository is there already."""

    def push_to_hub(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        """Nothing: the run is pushed when it is whole."""

    def _push_from_checkpoint(self, checkpoint_folder: str) -> None:
        """Nothing: checkpoints are for resuming here."""
