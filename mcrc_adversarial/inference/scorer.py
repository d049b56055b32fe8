"""Answering config after config with one model, whatever it makes of passage and option.

An attacked config repeats much of the original: the right option of an attack on distractors, and
every row that the attack could not change. So each distinct input goes through the model once, and
inputs of like length go together. Configs are read one after another, or a few small ones at once;
what stays in memory is one number an input.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import torch
from torch import Tensor, nn

from mcrc_adversarial.answers import ConfigPredictions, Progress, from_scores
from mcrc_adversarial.encoding import Row
from mcrc_adversarial.encoding.batching import token_budget_batches
from mcrc_adversarial.errors import ParameterError

# Called with the number of items done, and to do.
Report: TypeAlias = Callable[[int, int], None]
# Configs are sorted by length together until they have this many options: enough for batches
# nearly free of padding, and few enough that a config of 1,000 questions is not held back.
_OPTIONS_AT_ONCE = 4096


class OptionQuestion(Protocol):
    """A question in tokens, of any encoder."""

    @property
    def n_options(self) -> int:
        """Number of options."""

    @property
    def truncated(self) -> bool:
        """Whether any token was dropped."""

    def key(self, option: int) -> bytes:
        """Equal exactly where the model's input is equal."""


Question = TypeVar("Question", bound=OptionQuestion)
Question_co = TypeVar("Question_co", bound=OptionQuestion, covariant=True)


class OptionEncoder(Protocol[Question_co]):
    """What turns rows into questions in tokens."""

    pad_id: int

    def encode_pairs(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Question_co]]:
        """Encode rows in their order, and give each row back beside its tokens."""


class _Encoded(NamedTuple):
    """A config whose tokens are not needed any more.

    Attributes:
        name: of the config.
        rows: id and label of each row.
        keys: of each row's sequences.
        truncated: whether the row was truncated.
    """

    name: str
    rows: list[Row]
    keys: list[list[bytes]]
    truncated: list[bool]


def report(progress: Progress | None, name: str, done: int, to_do: int) -> None:
    """Call `progress`, if there is one."""
    if progress is not None:
        progress(name, done, to_do)


def placed(model: nn.Module, device: torch.device | str | None) -> torch.device:
    """Move `model` to `device`, unless None, and return where its first weight is."""
    if device is not None:
        model.to(torch.device(device))
    return next(model.parameters()).device


def autocast(device: torch.device, dtype: torch.dtype) -> AbstractContextManager[Any]:
    """Autocast to `dtype` on `device`; nothing at all for float32.

    Raises:
        ParameterError: another type, or one that the device does not compute with.
    """
    if dtype == torch.float32:
        return nullcontext()
    if dtype not in (torch.bfloat16, torch.float16):
        msg = f"dtype is {dtype}; float32, bfloat16 and float16 are allowed"
        raise ParameterError(msg)
    has_cuda = device.type == "cuda"
    if dtype == torch.float16 and not has_cuda:
        msg = f"dtype is float16, which needs a CUDA device, not {device.type}; take bfloat16"
        raise ParameterError(msg)
    if dtype == torch.bfloat16 and has_cuda and not torch.cuda.is_bf16_supported(False):
        msg = "dtype is bfloat16, which this CUDA device lacks; take float16 or float32"
        raise ParameterError(msg)
    return torch.autocast(device.type, dtype=dtype)


class OptionScorer(ABC, Generic[Question]):
    """Scores config after config and remembers the logit of every sequence it has seen.

    The model's weights must stay as they are: after training, make another one.

    Args:
        model: of the kind that the subclass runs.
        encoder: for the model's tokeniser.
        token_budget: tokens of a batch at most, padding counted; at least `max_length`.
        device: where to run; the model is moved there. Where it is, if None.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.
        distributed: share the batches among the processes of the default process group, each of
            which must score the same configs; all get all logits.

    Raises:
        ParameterError: the device lacks `dtype`.
    """

    def __init__(
        self,
        model: nn.Module,
        encoder: OptionEncoder[Question],
        *,
        token_budget: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float32,
        distributed: bool = False,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.token_budget = token_budget
        self.device = placed(model, device)
        self.dtype = dtype
        self.pad_id: int = encoder.pad_id
        self.distributed = distributed
        autocast(self.device, dtype)
        self._logits: dict[bytes, float] = {}

    def score(
        self, name: str, rows: Iterable[Row], *, progress: Progress | None = None
    ) -> ConfigPredictions:
        """Score the rows of one config; see `score_each`, which is faster for small ones."""
        return dict(self.score_each([(name, rows)], progress=progress))[name]

    def score_each(
        self, configs: Iterable[tuple[str, Iterable[Row]]], *, progress: Progress | None = None
    ) -> Iterator[tuple[str, ConfigPredictions]]:
        """Score configs in their order, small ones together, giving each when it is done.

        Args:
            configs: name and rows, with the fields of the encoder's `encode_pairs` and `label`.
            progress: called with the names of the configs under way, sequences done and
                sequences to do after each batch.

        Raises:
            ParameterError: `token_budget` or the encoder's `max_length` is too small.
            ScoringError: a logit is not finite, or a config holds an id twice.
        """
        waiting: list[_Encoded] = []
        new: dict[bytes, tuple[Question, int]] = {}
        for name, rows in configs:
            waiting.append(self._encoded(name, rows, new))
            if len(new) >= _OPTIONS_AT_ONCE:
                yield from self._answers(waiting, new, progress)
                waiting, new = [], {}
        yield from self._answers(waiting, new, progress)

    def _encoded(
        self, name: str, rows: Iterable[Row], new: dict[bytes, tuple[Question, int]]
    ) -> _Encoded:
        """What is kept of a config's rows; adds to `new` the sequences that were never seen."""
        encoded = _Encoded(name, [], [], [])
        for row, question in self.encoder.encode_pairs(rows):
            keys = [question.key(option) for option in range(question.n_options)]
            encoded.rows.append({"id": row["id"], "label": row["label"]})
            encoded.keys.append(keys)
            encoded.truncated.append(question.truncated)
            for option, key in enumerate(keys):
                if key not in self._logits:
                    new.setdefault(key, (question, option))
        return encoded

    def _answers(
        self,
        waiting: list[_Encoded],
        new: dict[bytes, tuple[Question, int]],
        progress: Progress | None,
    ) -> Iterator[tuple[str, ConfigPredictions]]:
        names = ", ".join(encoded.name for encoded in waiting)
        logits = self._run(names, list(new.values()), progress)
        self._logits.update(zip(new, logits, strict=True))
        for encoded in waiting:
            found = [[self._logits[key] for key in of_row] for of_row in encoded.keys]
            yield encoded.name, from_scores(encoded.rows, found, encoded.truncated)

    @abstractmethod
    def _run(
        self, name: str, sequences: list[tuple[Question, int]], progress: Progress | None
    ) -> list[float]:
        """The logit of each option of some questions, in order."""

    def _outputs(
        self, lengths: list[int], forward: Callable[[list[int]], Tensor], report: Report
    ) -> Tensor:
        """What `forward` gives for batches of indices, put in order: (n_items, ...).

        Args:
            lengths: tokens of each item.
            forward: indices of a batch -> its outputs in float32, one row an item.
            report: called with items done and items to do after each batch.
        """
        batches = self._own(token_budget_batches(lengths, self.token_budget))
        was_training = self.model.training
        self.model.eval()
        found: list[Tensor] = []
        done, to_do = 0, sum(map(len, batches))
        with torch.inference_mode(), autocast(self.device, self.dtype):
            for batch in batches:
                found.append(forward(batch))
                done += len(batch)
                report(done, to_do)
        self.model.train(was_training)
        if not found:
            return torch.zeros(0)
        # One transfer at the end: asking for numbers in between would make a GPU wait.
        values = torch.cat(found)
        outputs = values.new_full((len(lengths), *values.shape[1:]), -torch.inf)
        outputs[[index for batch in batches for index in batch]] = values
        if self.distributed:
            torch.distributed.all_reduce(outputs, torch.distributed.ReduceOp.MAX)
        return outputs

    def _own(self, batches: list[list[int]]) -> list[list[int]]:
        """The batches of this process; as many in each, since ZeRO-3 needs all for a forward."""
        if not self.distributed or not batches:
            return batches
        rank, n_processes = torch.distributed.get_rank(), torch.distributed.get_world_size()
        n_missing = -len(batches) % n_processes
        return (batches + batches[-1:] * n_missing)[rank::n_processes]
