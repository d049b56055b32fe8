"""Run a multiple-choice model on the rows of many configs.

An attacked config repeats much of the original: the right option of an attack on distractors, and
every row that the attack could not change. So each distinct sequence goes through the model once,
and sequences of like length go together. Configs are read one after another, or a few small ones
at once; what stays in memory is one number a sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

from mcrc_adversarial.answers import ConfigPredictions, Progress, from_scores
from mcrc_adversarial.encoding import EncodedQuestion, Encoder, Row, sequence_key
from mcrc_adversarial.encoding.batching import collate_sequences, token_budget_batches
from mcrc_adversarial.errors import ParameterError

__all__ = ["ConfigPredictions", "Progress", "Scorer", "autocast", "placed", "score_rows"]

_Sequence: TypeAlias = tuple[EncodedQuestion, int]
# Configs are sorted by length together until they have this many sequences: enough for batches
# nearly free of padding, and few enough that a config of 1,000 questions is not held back.
_SEQUENCES_AT_ONCE = 4096


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


def score_rows(
    model: nn.Module,
    encoder: Encoder,
    configs: Mapping[str, Iterable[Row]],
    *,
    token_budget: int,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
    progress: Progress | None = None,
) -> dict[str, ConfigPredictions]:
    """Score the rows of each config, in the order of `configs`.

    Args:
        model: any `AutoModelForMultipleChoice`.
        encoder: for the model's tokeniser.
        configs: name -> rows with the fields of `Encoder.encode_many` and `label`.
        token_budget: tokens of a batch at most, padding counted; at least `max_length`.
        device: where to run; the model is moved there. Where it is, if None.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.
        progress: called with the names of the configs under way, sequences done and sequences to
            do after each batch.

    Raises:
        ParameterError: the device lacks `dtype`, or `token_budget` or the encoder's `max_length`
            is too small.
        ScoringError: a logit is not finite, or a config holds an id twice.
    """
    scorer = Scorer(model, encoder, token_budget=token_budget, device=device, dtype=dtype)
    return dict(scorer.score_each(configs.items(), progress=progress))


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


class Scorer:
    """Scores config after config and remembers the logit of every sequence it has seen.

    The model's weights must stay as they are: after training, make another one.

    Args:
        model: any `AutoModelForMultipleChoice`.
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
        encoder: Encoder,
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
            configs: name and rows, with the fields of `Encoder.encode_many` and `label`.
            progress: called with the names of the configs under way, sequences done and
                sequences to do after each batch.

        Raises:
            ParameterError: `token_budget` or the encoder's `max_length` is too small.
            ScoringError: a logit is not finite, or a config holds an id twice.
        """
        waiting: list[_Encoded] = []
        new: dict[bytes, _Sequence] = {}
        for name, rows in configs:
            waiting.append(self._encoded(name, rows, new))
            if len(new) >= _SEQUENCES_AT_ONCE:
                yield from self._answers(waiting, new, progress)
                waiting, new = [], {}
        yield from self._answers(waiting, new, progress)

    def _encoded(self, name: str, rows: Iterable[Row], new: dict[bytes, _Sequence]) -> _Encoded:
        """What is kept of a config's rows; adds to `new` the sequences that were never seen."""
        encoded = _Encoded(name, [], [], [])
        for row, question in self.encoder.encode_pairs(rows):
            keys = [sequence_key(question, option) for option in range(question.n_options)]
            encoded.rows.append({"id": row["id"], "label": row["label"]})
            encoded.keys.append(keys)
            encoded.truncated.append(question.truncated)
            for option, key in enumerate(keys):
                if key not in self._logits:
                    new.setdefault(key, (question, option))
        return encoded

    def _answers(
        self, waiting: list[_Encoded], new: dict[bytes, _Sequence], progress: Progress | None
    ) -> Iterator[tuple[str, ConfigPredictions]]:
        names = ", ".join(encoded.name for encoded in waiting)
        logits = self._run(names, list(new.values()), progress)
        self._logits.update(zip(new, logits, strict=True))
        for encoded in waiting:
            found = [[self._logits[key] for key in of_row] for of_row in encoded.keys]
            yield encoded.name, from_scores(encoded.rows, found, encoded.truncated)

    def _run(self, name: str, sequences: list[_Sequence], progress: Progress | None) -> list[float]:
        """The logit of each sequence, in order."""
        lengths = [question.length(option) for question, option in sequences]
        batches = self._own(token_budget_batches(lengths, self.token_budget))
        was_training = self.model.training
        self.model.eval()
        found: list[Tensor] = []
        done, to_do = 0, sum(map(len, batches))
        with torch.inference_mode(), autocast(self.device, self.dtype):
            for batch in batches:
                found.append(self._forward([sequences[index] for index in batch]))
                done += len(batch)
                if progress is not None:
                    progress(name, done, to_do)
        self.model.train(was_training)
        # One transfer at the end: asking for numbers in between would make a GPU wait.
        logits = torch.full((len(sequences),), -torch.inf, device=self.device)
        if found:
            logits[[index for batch in batches for index in batch]] = torch.cat(found)
        if self.distributed:
            torch.distributed.all_reduce(logits, torch.distributed.ReduceOp.MAX)
        return logits.tolist()

    def _own(self, batches: list[list[int]]) -> list[list[int]]:
        """The batches of this process; as many in each, since ZeRO-3 needs all for a forward."""
        if not self.distributed or not batches:
            return batches
        rank, n_processes = torch.distributed.get_rank(), torch.distributed.get_world_size()
        n_missing = -len(batches) % n_processes
        return (batches + batches[-1:] * n_missing)[rank::n_processes]

    def _forward(self, sequences: list[_Sequence]) -> Tensor:
        """One logit a sequence in float32, shape (n_sequences,)."""
        batch = collate_sequences(sequences, self.pad_id)
        on_device = {
            name: values.to(self.device, non_blocking=True) for name, values in batch.items()
        }
        logits: Tensor = self.model(**on_device).logits
        return logits.reshape(-1).float()
