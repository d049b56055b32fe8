"""What a model, or a baseline, answered on the rows of one config."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from mcrc_adversarial.errors import ScoringError

# Called with the config's name, and how many of its inputs are done, of how many.
Progress: TypeAlias = Callable[[str, int, int], object]


@dataclass(frozen=True)
class ConfigPredictions:
    """The answers to one config, in the order of its rows.

    Attributes:
        ids: of the rows, each once.
        labels: index of the right option of each row.
        logits: one number an option of each row, the greatest is the answer: a model's logit, a
            log-likelihood, or a baseline's score. All finite.
        truncated: whether any token of the row was dropped.

    Raises:
        ScoringError: a number is not finite, an id comes twice, a label is no option, or the lists
            differ in length.
    """

    ids: Sequence[str]
    labels: Sequence[int]
    logits: Sequence[Sequence[float]]
    truncated: Sequence[bool]

    def __post_init__(self) -> None:
        lengths = {len(self.ids), len(self.labels), len(self.logits), len(self.truncated)}
        if len(lengths) > 1:
            msg = f"ids, labels, logits and truncated have {sorted(lengths)} items, not as many"
            raise ScoringError(msg)
        if len(set(self.ids)) < len(self.ids):
            twice = next(row_id for row_id in self.ids if self.ids.count(row_id) > 1)
            msg = f"row {twice!r} was answered twice; ids must be unique in a config"
            raise ScoringError(msg)
        for row_id, label, scores in zip(self.ids, self.labels, self.logits, strict=True):
            if not all(map(math.isfinite, scores)):
                msg = (
                    f"row {row_id!r}: the options' scores are {list(scores)!r}; only finite numbers"
                    " can be ranked (did the model overflow in half precision?)"
                )
                raise ScoringError(msg)
            if not 0 <= label < len(scores):
                msg = f"row {row_id!r}: label {label!r} is none of its {len(scores)} options"
                raise ScoringError(msg)

    @cached_property
    def predictions(self) -> list[int]:
        """Index of the greatest score of each row, the first of equal ones."""
        return [max(range(len(scores)), key=scores.__getitem__) for scores in self.logits]

    @property
    def n_options(self) -> list[int]:
        """Number of options of each row."""
        return [len(scores) for scores in self.logits]

    @property
    def n_truncated(self) -> int:
        """Rows of which any token was dropped."""
        return sum(self.truncated)

    @property
    def n_tied(self) -> int:
        """Rows where several options have the greatest score, so that the order decides."""
        return sum(list(scores).count(max(scores)) > 1 for scores in self.logits)


def from_scores(
    rows: Sequence[Mapping[str, Any]],
    logits: Sequence[Sequence[float]],
    truncated: Sequence[bool],
) -> ConfigPredictions:
    """The answers to `rows`, with their ids and labels.

    Raises:
        ScoringError: as in `ConfigPredictions`.
    """
    ids = [row["id"] for row in rows]
    labels = [row["label"] for row in rows]
    return ConfigPredictions(ids, labels, logits, truncated)
