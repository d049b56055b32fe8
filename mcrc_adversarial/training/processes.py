"""Process groups: what has to stand before transformers looks for devices."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from accelerate import PartialState  # type: ignore[import-untyped]


def start_deepspeed() -> dict[str, Any] | None:
    """Make ready for DeepSpeed where no launcher did, or where there is no accelerator.

    A run that was started as `python train.py --deepspeed ...` becomes a group of one process. On
    CPUs accelerate starts no group for DeepSpeed, so that is done here, over gloo.

    Returns:
        What `accelerator_config` has to hold; None where its default does.
    """
    if "LOCAL_RANK" not in os.environ:
        os.environ.update(
            RANK="0",
            LOCAL_RANK="0",
            WORLD_SIZE="1",
            LOCAL_WORLD_SIZE="1",
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT=str(_free_port()),
        )
    if torch.accelerator.is_available():
        return None
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    PartialState(backend="gloo")
    return {"use_configured_state": True}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def main_process_first(settings: Any) -> Iterator[None]:
    """The main process goes in alone; the others follow when it has come out.

    Args:
        settings: TrainingArguments.
    """
    with settings.main_process_first(local=False):
        yield
