"""Checks of settings against files, rules and models, before anything is trained or deleted."""

from __future__ import annotations

from pathlib import Path

from torch import nn

from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.inference.baselines import BASELINES
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.training.arguments import DataArguments, ModelArguments

# What transformers calls the tables of models that learn a vector for each position.
_POSITION_TABLES = ("position_embeddings", "wpe", "embed_positions")


def check_baseline(model: ModelArguments) -> None:
    """Raise where a baseline is asked for that does not exist.

    Raises:
        UnknownNameError: the message names those that do.
    """
    name = model.model_name_or_path
    if model.model_kind == "baseline" and name not in BASELINES:
        raise UnknownNameError(unknown_name("baseline", name, tuple(BASELINES)))


def check_overwriting(model: ModelArguments, data: DataArguments, folder: Path) -> None:
    """Refuse to overwrite what the run is to be made from.

    Args:
        model: that is loaded.
        data: that are read.
        folder: to be overwritten.

    Raises:
        ParameterError: something that is read lies in it.
    """
    files = [item.rpartition("=")[2] for item in data.data_files]
    for name in (model.model_name_or_path, data.data_dir, *files):
        if name and Path(name).exists() and Path(name).resolve().is_relative_to(folder.resolve()):
            msg = (
                f"{name!r} lies in the --output_dir {str(folder)!r}, which --overwrite_run would"
                " delete; give another --output_dir"
            )
            raise ParameterError(msg)


def check_positions(model: nn.Module, max_length: int) -> None:
    """Raise where the model has a table of positions that `max_length` exceeds.

    Args:
        model: of any family. Those that compute positions, or know distances alone, have no table.
        max_length: tokens of a sequence at most.

    Raises:
        ParameterError: it does; the message says how many tokens the model can read.
    """
    for name, module in model.named_modules():
        if name.rpartition(".")[2] in _POSITION_TABLES and isinstance(module, nn.Embedding):
            n_positions = module.num_embeddings - _reserved(module)
            if max_length > n_positions:
                msg = (
                    f"max_length is {max_length}, but the model has positions for {n_positions}"
                    f" tokens; give --max_length {n_positions} or less"
                )
                raise ParameterError(msg)


def _reserved(table: nn.Embedding) -> int:
    """Rows that no token's position comes to: RoBERTa counts from behind padding's, OPT from 2."""
    behind_padding = 0 if table.padding_idx is None else table.padding_idx + 1
    offset = getattr(table, "offset", 0)
    return max(behind_padding, int(offset) if isinstance(offset, int) else 0)
