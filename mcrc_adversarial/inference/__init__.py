"""Run a multiple-choice model on the rows of many configs: one sequence an option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor, nn

from mcrc_adversarial.answers import ConfigPredictions, Progress
from mcrc_adversarial.encoding import EncodedQuestion, Encoder, Row
from mcrc_adversarial.encoding.batching import collate_sequences
from mcrc_adversarial.inference.scorer import OptionScorer, report

__all__ = ["ConfigPredictions", "Progress", "Scorer", "score_rows"]

_Sequence: TypeAlias = tuple[EncodedQuestion, int]


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


class Scorer(OptionScorer[EncodedQuestion]):
    """`OptionScorer` for any `AutoModelForMultipleChoice` and an `Encoder`."""

    def _run(self, name: str, sequences: list[_Sequence], progress: Progress | None) -> list[float]:
        """The logit of each sequence, in order."""
        lengths = [question.length(option) for question, option in sequences]

        def forward(batch: list[int]) -> Tensor:
            return self._forward([sequences[index] for index in batch])

        logits: list[float] = self._outputs(
            lengths, forward, partial(report, progress, name)
        ).tolist()
        return logits

    def _forward(self, sequences: list[_Sequence]) -> Tensor:
        """One logit a sequence in float32, shape (n_sequences,)."""
        batch = collate_sequences(sequences, self.pad_id)
        on_device = {
            name: values.to(self.device, non_blocking=True) for name, values in batch.items()
        }
        logits: Tensor = self.model(**on_device).logits
        return logits.reshape(-1).float()
