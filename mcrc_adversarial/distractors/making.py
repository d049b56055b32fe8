"""Asking a model for candidates: part by part, with the lineage that the file begins with.

Equal settings, checkpoint, versions and device give equal bytes, in one go or several, by one
process or many. Other batches (`token_budget`) or another device change the last digits of what a
model computes, and with them now and then the order of two candidates of nearly equal score.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from transformers import set_seed

from mcrc_adversarial.candidates import FORMAT, SPANS, TASKS
from mcrc_adversarial.candidates.parts import PART_QUESTIONS, Parts, Shard
from mcrc_adversarial.digests import joint_digest
from mcrc_adversarial.distractors.generation import N_BEAMS, DistractorGenerator
from mcrc_adversarial.distractors.questions import Asked, CandidateModel, Report
from mcrc_adversarial.distractors.spans import LONGEST, N_BEST, SpanExtractor
from mcrc_adversarial.distractors.windows import check_fast, check_length
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.inference.scorer import autocast, placed
from mcrc_adversarial.training.arguments import ModelArguments
from mcrc_adversarial.training.models import Loaded, load_model, resolve_name

_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
_DEVICES = ("cpu", "cuda", "mps")
# Tokens of a batch: a question that is generated for goes through the decoder 50 times.
_BUDGETS = {"span-extraction": 16384, "distractor-generation": 2048}
_VERSIONS = ("mcrc-adversarial", "tokenizers", "torch", "transformers")
_MODEL_FILES = (
    "*.safetensors", "config.json", "generation_config.json", "tokenizer*", "vocab*", "merges.txt",
    "special_tokens_map.json", "added_tokens.json", "*.model",
)  # fmt: skip


@dataclass(frozen=True)
class PassSettings:
    """How a model is asked for candidates.

    Attributes:
        task: "span-extraction" or "distractor-generation".
        model: a folder, a name on the Hub, or bundled:minilm.
        revision: of a name on the Hub: branch, tag or commit; None for its main branch.
        dtype: "float32", "bfloat16" or "float16".
        device: "cpu", "mps", "cuda", or "cuda:1" and so on; "auto" for a GPU where there is one,
            else the CPU.
        seed: recorded; nothing is drawn.
        max_length: tokens that the model reads at once.
        stride: tokens that neighbouring windows of a passage share (spans alone).
        token_budget: tokens of a batch at most; 0: the task's own.
    """

    task: str
    model: str
    revision: str | None = None
    dtype: str = "float32"
    device: str = "auto"
    seed: int = 0
    max_length: int = 512
    stride: int = 128
    token_budget: int = 0

    def __post_init__(self) -> None:
        """Check.

        Raises:
            ParameterError: a value is not allowed.
        """
        if self.task not in TASKS:
            msg = f"task is {self.task!r}; it must be one of {', '.join(TASKS)}"
            raise ParameterError(msg)
        if self.dtype not in _DTYPES:
            msg = f"dtype is {self.dtype!r}; it must be one of {', '.join(_DTYPES)}"
            raise ParameterError(msg)
        if self.seed < 0 or (self.token_budget and self.token_budget < self.max_length):
            msg = (
                f"seed is {self.seed}, token_budget {self.token_budget}; a seed of at least 0 and"
                f" a budget of at least max_length ({self.max_length}) are needed"
            )
            raise ParameterError(msg)

    @property
    def budget(self) -> int:
        """Tokens of a batch at most."""
        return self.token_budget or max(_BUDGETS[self.task], self.max_length)


@dataclass(frozen=True)
class Ready:
    """A model that is ready to be asked, and what the lineage says of it."""

    model: CandidateModel
    facts: dict[str, Any]


def ready(settings: PassSettings) -> Ready:
    """Load the model.

    Raises:
        ParameterError: it cannot be loaded, has no trained head, or cannot do what is asked.
    """
    asked_for = ModelArguments(model_name_or_path=settings.model, model_revision=settings.revision)
    asked_for.task = settings.task  # type: ignore[assignment]
    place = _device(settings.device)
    loaded = load_model(asked_for, to_train=False)
    check_fast(loaded.tokenizer)
    check_length(settings.max_length, loaded.model.config)
    device = placed(loaded.model, place)
    autocast(device, _DTYPES[settings.dtype])
    return Ready(_model(settings, loaded), _facts(settings, loaded, device))


def _device(name: str) -> str:
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        place = torch.device(name)
        # Others, such as meta, may hold tensors and yet compute nothing.
        if place.type not in _DEVICES:
            msg = f"device is {name!r}; it must be auto, or one of {', '.join(_DEVICES)}"
            raise ParameterError(msg)
        # What torch cannot use fails here, before a model is moved.
        torch.empty(0, device=place)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0].removesuffix(".")
        msg = f"device is {name!r}, which cannot be used here ({reason}); take auto or cpu"
        raise ParameterError(msg) from error
    return name


def _model(settings: PassSettings, loaded: Loaded) -> CandidateModel:
    common: dict[str, Any] = {
        "dtype": _DTYPES[settings.dtype],
        "max_length": settings.max_length,
        "token_budget": settings.budget,
    }
    if settings.task == SPANS.name:
        common["stride"] = settings.stride
        return SpanExtractor(loaded.model, loaded.tokenizer, **common)
    return DistractorGenerator(loaded.model, loaded.tokenizer, **common)


def _facts(settings: PassSettings, loaded: Loaded, device: torch.device) -> dict[str, Any]:
    is_cuda, folder = device.type == "cuda", Path(settings.model)
    return {
        "task": settings.task,
        "model": folder.resolve().name if folder.is_dir() else settings.model,
        "revision": _revision(settings.model, loaded),
        "dtype": settings.dtype,
        "device": torch.cuda.get_device_name(device) if is_cuda else device.type,
        "seed": settings.seed,
        "max_length": settings.max_length,
        "token_budget": settings.budget,
        **(
            {"stride": settings.stride, "n_best": N_BEST, "longest_span": LONGEST}
            if settings.task == SPANS.name
            else {"beams": N_BEAMS}
        ),
        "versions": {
            "python": platform.python_version(),
            **{package: importlib.metadata.version(package) for package in _VERSIONS},
        },
    }


def _revision(name: str, loaded: Loaded) -> str:
    """The commit on the Hub, or the digest of a folder's weights, config and tokeniser."""
    folder = Path(resolve_name(name))
    if folder.is_dir():
        files = {path for pattern in _MODEL_FILES for path in folder.glob(pattern)}
        return joint_digest(folder, files)
    return str(getattr(loaded.model.config, "_commit_hash", None))


def lineage(
    facts: dict[str, Any],
    questions: Sequence[Asked],
    *,
    corpus: str,
    splits: Sequence[str],
    limit: int,
) -> dict[str, Any]:
    """The first line of a candidates file.

    Args:
        facts: of the model.
        questions: that it is asked about.
        corpus: they are from.
        splits: they are from.
        limit: questions of each split at most; 0 for all.
    """
    keys = "".join(one.key for one in questions)
    return {
        "format": FORMAT,
        **facts,
        "corpus": corpus,
        "splits": list(splits),
        "limit": limit,
        "questions": len(questions),
        "questions_sha256": sha256(keys.encode()).hexdigest(),
    }


def make(
    model: CandidateModel,
    questions: Sequence[Asked],
    parts: Parts,
    *,
    seed: int,
    shard: Shard,
    progress: Report,
) -> bool:
    """Make the parts of a shard that are missing, then the file if all are there.

    Returns:
        Whether the file is there.

    Raises:
        ScoringError: the model gave what is no number.
        OutputError: a part cannot be written.
    """
    todo = {
        number: questions[number * PART_QUESTIONS : (number + 1) * PART_QUESTIONS]
        for number in parts.missing(shard)
    }
    done, total = 0, sum(map(len, todo.values()))
    progress(done, total)
    with deterministic(seed):
        for number, some in todo.items():

            def report(n: int, of: int, before: int = done, size: int = len(some)) -> None:
                progress(before + size * n // of, total)

            rows = zip(some, model.candidates(some, report), strict=True)
            parts.write(
                number, [{"key": one.key, "id": one.id, "candidates": made} for one, made in rows]
            )
            done += len(some)
    return parts.join()


@contextmanager
def deterministic(seed: int) -> Iterator[None]:
    """Within, torch takes the kernels that give the same twice, where it has such."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    before = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    set_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warned)
