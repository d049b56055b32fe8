"""What the `evaluate` module takes besides predictions and references, and which keys it gives."""

from __future__ import annotations

from dataclasses import dataclass

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.inputs import Flags, Indices, Keys, check_paired
from mcrc_adversarial.scoring.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_N_RESAMPLES,
    check_resampling,
)
from mcrc_adversarial.scoring.summary import report

_BARE_KEYS = ("accuracy", "percentage_performance_drop")


@dataclass(frozen=True, kw_only=True)
class MetricArguments:
    """The keyword arguments of `report`, kept until all rows are there.

    Raises:
        ParameterError: `n_resamples`, `confidence_level` or `seed` is out of range.
    """

    clean_accuracy: float | None = None
    clean_predictions: Indices | None = None
    passage_ids: Keys | None = None
    attacked: Flags | None = None
    n_options: int | Indices | None = None
    n_resamples: int = DEFAULT_N_RESAMPLES
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    seed: int = 0

    def __post_init__(self) -> None:
        check_resampling(self.confidence_level, self.n_resamples, self.seed)

    def check(self, n_rows: int) -> None:
        """Check the arguments against the number of rows, before these are given away.

        Raises:
            ScoringError: there are no rows, or as in `check_paired`.
        """
        if n_rows == 0:
            msg = "there are no rows to score; give predictions and references, or add rows first"
            raise ScoringError(msg)
        check_paired(
            n_rows,
            clean_accuracy=self.clean_accuracy,
            clean_predictions=self.clean_predictions,
            passage_ids=self.passage_ids,
            attacked=self.attacked,
            n_options=self.n_options,
        )

    def figures(self, predictions: Indices, references: Indices) -> dict[str, float | int]:
        """The metric's result: accuracy and drop alone, or all figures where rows are described.

        `n_options` only checks, so it adds no figure, not even where given one a row.

        Raises:
            ScoringError: as in `report`.

        >>> MetricArguments(clean_accuracy=0.8).figures([0, 1], [0, 0])
        {'accuracy': 0.5, 'percentage_performance_drop': 37.5}
        """
        figures = report(
            predictions,
            references,
            clean_accuracy=self.clean_accuracy,
            clean_predictions=self.clean_predictions,
            passage_ids=self.passage_ids,
            attacked=self.attacked,
            n_options=self.n_options,
            n_resamples=self.n_resamples,
            confidence_level=self.confidence_level,
            seed=self.seed,
        ).as_dict()
        if self.clean_predictions is None and self.passage_ids is None and self.attacked is None:
            return {name: figures[name] for name in _BARE_KEYS if name in figures}
        return figures
