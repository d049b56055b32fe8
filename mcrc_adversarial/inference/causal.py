"""Score options by the likelihood that a causal language model gives them.

What precedes the options of a question goes through the model once; the options then follow it,
from a copy of its keys and values. Questions of like length go together: prefixes are padded on
the left, so that each ends where its options begin, and options on the right.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache

from mcrc_adversarial.answers import ConfigPredictions, Progress, from_scores
from mcrc_adversarial.encoding.batching import token_budget_batches
from mcrc_adversarial.inference.causal_prompts import METHODS, IntArray, Prompt, PromptEncoder, Row
from mcrc_adversarial.inference.scorer import autocast, placed

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["METHODS", "CausalScorer", "score_causal"]


def score_causal(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    configs: Mapping[str, Iterable[Row]],
    *,
    method: str,
    max_length: int,
    token_budget: int,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
    progress: Progress | None = None,
) -> dict[str, ConfigPredictions]:
    """Score the rows of each config, in the order of `configs`.

    The logits of the result are log-likelihoods, divided as `method` says.

    Args:
        model: any `AutoModelForCausalLM` that takes a cache of keys and values.
        tokenizer: the model's; a fast one.
        configs: name -> rows with the fields `id`, `passage`, `question`, `options`, `label`,
            `inserted`.
        method: "sum" (of the log-likelihoods of the option's tokens), "per-token",
            "per-character" (of the option), "letter" (of A, B, ... after a list of options), "race"
            or "race-per-character" ("sum" and "per-character" under the prompt of
            lm-evaluation-harness's task `race`, whose names for them are acc and acc_norm).
        max_length: tokens of prompt and answer at most.
        token_budget: tokens of a batch at most: options times length, padding counted.
        device: where to run; the model is moved there. Where it is, if None.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.
        progress: called with config, options done and options to do after each batch.

    Raises:
        ParameterError: an unknown method, a row that does not fit, a type that the device lacks.
        ScoringError: a likelihood is not finite, or a config holds an id twice.
    """
    encoder = PromptEncoder(tokenizer, method=method, max_length=max_length)
    scorer = CausalScorer(model, encoder, token_budget=token_budget, device=device, dtype=dtype)
    return {name: scorer.score(name, rows, progress=progress) for name, rows in configs.items()}


class _Work(NamedTuple):
    """A prompt and those of its options that have no likelihood yet."""

    prompt: Prompt
    options: list[int]

    @property
    def length(self) -> int:
        """Tokens of the longest of these options, with the prefix."""
        longest = max(len(self.prompt.rests[option]) for option in self.options)
        return len(self.prompt.prefix) + longest


class CausalScorer:
    """Scores config after config and remembers the likelihood of all that it has seen.

    The model's weights must stay as they are.

    Args:
        model: any `AutoModelForCausalLM` that takes a cache of keys and values.
        encoder: for the model's tokeniser.
        token_budget: tokens of a batch at most: options times length, padding counted.
        device: where to run; the model is moved there. Where it is, if None.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.

    Raises:
        ParameterError: the device lacks `dtype`.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        encoder: PromptEncoder,
        *,
        token_budget: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.token_budget = token_budget
        self.device = placed(model, device)
        self.dtype = dtype
        autocast(self.device, dtype)
        self._likelihoods: dict[bytes, float] = {}
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    def score(
        self, name: str, rows: Iterable[Row], *, progress: Progress | None = None
    ) -> ConfigPredictions:
        """Score the rows of one config; see `score_causal`."""
        answered: list[Row] = []
        truncated: list[bool] = []
        keys: list[list[bytes]] = []
        divisors: list[tuple[int, ...]] = []
        new: dict[bytes, None] = {}
        work: list[_Work] = []
        for row in rows:
            prompt = self.encoder.encode(row)
            answered.append({"id": row["id"], "label": row["label"]})
            truncated.append(prompt.truncated)
            divisors.append(prompt.divisors)
            keys.append([prompt.key(option) for option in range(len(prompt.rests))])
            options = []
            for option, key in enumerate(keys[-1]):
                if key not in self._likelihoods and key not in new:
                    new[key] = None
                    options.append(option)
            if options:
                work.append(_Work(prompt, options))
        self._likelihoods.update(zip(new, self._run(name, work, progress), strict=True))
        scores = [
            [self._likelihoods[key] / divisor for key, divisor in zip(*of_row, strict=True)]
            for of_row in zip(keys, divisors, strict=True)
        ]
        return from_scores(answered, scores, truncated)

    def _run(self, name: str, work: list[_Work], progress: Progress | None) -> list[float]:
        """The log-likelihood of each option of `work`, in order."""
        counts = [len(item.options) for item in work]
        lengths = [item.length for item in work]
        batches = token_budget_batches(lengths, self.token_budget, counts=counts)
        found: dict[int, Tensor] = {}
        was_training = self.model.training
        self.model.train(mode=False)
        done = 0
        with torch.inference_mode(), autocast(self.device, self.dtype):
            for batch in batches:
                likelihoods = self._forward([work[item] for item in batch])
                n_options = [counts[item] for item in batch]
                found.update(zip(batch, torch.split(likelihoods, n_options), strict=True))
                done += sum(n_options)
                if progress is not None:
                    progress(name, done, sum(counts))
        self.model.train(was_training)
        in_order = [found[item] for item in range(len(work))]
        # One transfer at the end: asking for numbers in between would make a GPU wait.
        return torch.cat(in_order).tolist() if in_order else []

    def _forward(self, work: list[_Work]) -> Tensor:
        """Log-likelihood of each option, one item after another; shape (n_options,)."""
        pairs = [(number, option) for number, item in enumerate(work) for option in item.options]
        prefixes, mask = self._padded([item.prompt.prefix for item in work], left=True)
        rests, rest_mask = self._padded(
            [work[number].prompt.rests[option] for number, option in pairs], left=False
        )
        owner = torch.tensor([number for number, _ in pairs], device=self.device)
        n_scored = torch.tensor(
            [work[number].prompt.n_scored[option] for number, option in pairs], device=self.device
        )
        n_behind = rests.shape[1] - 1
        cache = DynamicCache(config=self.model.config) if n_behind else None
        places = (mask.cumsum(1) - 1).clamp(min=0)
        logits = self._logits(prefixes, mask, places, cache, last=True)
        likelihoods = _chosen(logits[owner], rests[:, :1])
        if cache is not None:
            cache.batch_select_indices(owner)
            places = mask.sum(1)[owner].unsqueeze(1) + torch.arange(n_behind, device=self.device)
            both = torch.cat((mask[owner], rest_mask[:, :-1]), dim=1)
            logits = self._logits(rests[:, :-1], both, places, cache, last=False)
            likelihoods = torch.cat((likelihoods, _chosen(logits, rests[:, 1:])), dim=1)
        return _sum_of_last(likelihoods, rest_mask.sum(1), n_scored)

    def _logits(
        self,
        ids: Tensor,
        mask: Tensor,
        positions: Tensor,
        cache: DynamicCache | None,
        *,
        last: bool,
    ) -> Tensor:
        """Logits of the next token, shape (n, length, vocabulary); of the last place if `last`."""
        inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        # Models without learned or rotary positions (ALiBi) read them off the mask.
        if "position_ids" in self._takes:
            inputs["position_ids"] = positions
        if last and "logits_to_keep" in self._takes:
            inputs["logits_to_keep"] = 1
        # transformers renamed the argument within version 5.
        inputs["cache" if "cache" in self._takes else "past_key_values"] = cache
        logits: Tensor = self.model(**inputs, use_cache=cache is not None).logits
        return logits[:, -1:] if last else logits

    def _padded(self, sequences: Sequence[IntArray], *, left: bool) -> tuple[Tensor, Tensor]:
        """Sequences as one tensor (n, length), and a mask that is 1 where there is a token."""
        length = max(map(len, sequences))
        ids = np.zeros((len(sequences), length), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            first = length - len(sequence) if left else 0
            ids[row, first : first + len(sequence)] = sequence
            mask[row, first : first + len(sequence)] = 1
        return torch.from_numpy(ids).to(self.device), torch.from_numpy(mask).to(self.device)


def _chosen(logits: Tensor, ids: Tensor) -> Tensor:
    """Log-probability of each token, shape (n, length), under logits (n, length, vocabulary)."""
    logits = logits.float()
    return logits.gather(2, ids.unsqueeze(2)).squeeze(2) - logits.logsumexp(2)


def _sum_of_last(values: Tensor, lengths: Tensor, n_last: Tensor) -> Tensor:
    """Sum of the last `n_last` of the first `lengths` values of each row; shape (n,)."""
    place = torch.arange(values.shape[1], device=values.device)
    ends = lengths.unsqueeze(1)
    counts = (place < ends) & (place >= ends - n_last.unsqueeze(1))
    return torch.where(counts, values, 0).sum(1)
