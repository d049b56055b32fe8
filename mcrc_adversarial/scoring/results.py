"""What a report holds, and the names that its figures have everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcrc_adversarial.scoring.intervals import Interval


@dataclass(frozen=True)
class RowScores:
    """The figures of one set of rows; None where the inputs do not tell.

    Attributes:
        n: number of rows.
        n_passages: number of passages that the intervals are clustered by.
        accuracy: from 0 to 1.
        accuracy_interval: None where all rows stand on one passage.
        clean_accuracy: accuracy on the originals of the same rows, or as given.
        percentage_performance_drop: in percent of the clean accuracy; None also where no row is
            right on the original.
        drop_interval: in percent.
        mcnemar_p_value: exact, two-sided; rows count as independent.
        right_to_wrong_rate: share of all rows that were right and are wrong now.
        wrong_to_right_rate: share of all rows that were wrong and are right now.
    """

    n: int
    n_passages: int | None
    accuracy: float
    accuracy_interval: Interval | None
    clean_accuracy: float | None = None
    percentage_performance_drop: float | None = None
    drop_interval: Interval | None = None
    mcnemar_p_value: float | None = None
    right_to_wrong_rate: float | None = None
    wrong_to_right_rate: float | None = None

    def with_paired(self, part: RowScores) -> RowScores:
        """The accuracy of these rows, with the paired figures of a part of them."""
        return replace(
            part,
            n=self.n,
            n_passages=self.n_passages,
            accuracy=self.accuracy,
            accuracy_interval=self.accuracy_interval,
        )

    def as_dict(self) -> dict[str, float | int]:
        """The figures under the metric's names; what is None is left out."""
        named: dict[str, float | int | None] = {
            "accuracy": self.accuracy,
            "percentage_performance_drop": self.percentage_performance_drop,
            "clean_accuracy": self.clean_accuracy,
            **_ends("accuracy", self.accuracy_interval),
            **_ends("percentage_performance_drop", self.drop_interval),
            "mcnemar_p_value": self.mcnemar_p_value,
            "right_to_wrong_rate": self.right_to_wrong_rate,
            "wrong_to_right_rate": self.wrong_to_right_rate,
            "n": self.n,
        }
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True)
class Report:
    """Figures on all rows and, where the attacked rows are known, on those alone.

    Attributes:
        rows: on all rows.
        attacked: on the attacked rows; None where they are not known or there are none.
        n_attacked: number of attacked rows; None where they are not known.
        confidence_level: of every interval.
        n_resamples: behind the interval of the drop.
        seed: of the resampling.
    """

    rows: RowScores
    attacked: RowScores | None
    n_attacked: int | None
    confidence_level: float
    n_resamples: int
    seed: int

    def as_dict(self) -> dict[str, float | int]:
        """All figures, flat; those of the attacked rows under `attacked_`.

        With no attacked row there is `attacked_n` = 0 and no other key of that kind.
        """
        figures = self.rows.as_dict()
        if self.n_attacked is not None:
            figures["attacked_n"] = self.n_attacked
        if self.attacked is not None:
            for name, value in self.attacked.as_dict().items():
                figures[f"attacked_{name}"] = value
        return figures


def _ends(name: str, interval: Interval | None) -> dict[str, float]:
    if interval is None:
        return {}
    return {f"{name}_ci_low": interval.low, f"{name}_ci_high": interval.high}
