"""Writing models and checkpoints: whatever fails is one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from safetensors import SafetensorError

from mcrc_adversarial.errors import OutputError

# How torch.save begins to say that a file could not be written; it has no class for it.
_TORCH_WRITER = ("inline_container", "PytorchStreamWriter", "unexpected pos")


@contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Turn what safetensors, torch and the system say of a full or broken disk into one line.

    Args:
        folder: that is written to.

    Raises:
        OutputError: it could not be.
    """
    try:
        yield
    except (OSError, SafetensorError, RuntimeError) as error:
        is_of_torch = any(words in str(error) for words in _TORCH_WRITER)
        if isinstance(error, OutputError) or (type(error) is RuntimeError and not is_of_torch):
            raise
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        msg = (
            f"{folder}: the model cannot be written ({reason}); make space, then the same command"
            " goes on from the last checkpoint"
        )
        raise OutputError(msg) from error
