"""Score files of anyone's predictions on one config, beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.predictions.asked import check_asked
from mcrc_adversarial.predictions.files import AlignedPredictions, align, read_predictions
from mcrc_adversarial.predictions.harness_logs import TEXTS
from mcrc_adversarial.scoring import Report, holm_adjusted, report
from mcrc_adversarial.tables import Table

_HEADINGS = (
    "predictions",
    "n",
    "missing",
    "accuracy % [95 % interval]",
    "drop % [95 % interval]",
    "p (McNemar, Holm)",
    "rows attacked",
    "drop % on these [95 % interval]",
)
_NOTHING = "-"


@dataclass(frozen=True)
class FileScore:
    """The figures of one file.

    Attributes:
        path: of the file.
        n_missing: rows of the config that it, or the clean file, has no prediction for.
        report: all figures.
        holm_p_value: McNemar's p-value adjusted over all files, None without clean predictions.
    """

    path: Path
    n_missing: int
    report: Report
    holm_p_value: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The figures under the metric's names, with the file's."""
        adjusted = {} if self.holm_p_value is None else {"holm_p_value": self.holm_p_value}
        return {
            "predictions": str(self.path),
            "n_missing": self.n_missing,
            **self.report.as_dict(),
            **adjusted,
        }


@dataclass(frozen=True)
class _Rows:
    """What scoring needs of a config's rows."""

    ids: list[str]
    labels: list[int]
    n_options: list[int]
    passage_ids: list[str]
    attacked: list[bool]

    def read(
        self,
        path: Path,
        in_order: bool,
        allow_partial: bool,
        asked_of: Callable[[], Dataset] | None,
    ) -> AlignedPredictions:
        """`asked_of`: the rows that the model must have been asked, if they are known."""
        found = read_predictions(path, in_order=in_order)
        aligned = align(found, self.ids, self.labels, self.n_options, allow_partial)
        if asked_of is not None and any(found.asked):
            rows = asked_of()
            check_asked(found, list(rows["id"]), {name: list(rows[name]) for name in TEXTS})
        return aligned


def score_files(
    rows: Dataset,
    files: Sequence[Path],
    *,
    clean: Path | None = None,
    original: Callable[[], Dataset] | None = None,
    in_order: bool = False,
    allow_partial: bool = False,
    cluster: str = "passage_id",
    seed: int = 0,
) -> list[FileScore]:
    """Score each file on the rows of one split of one config.

    Args:
        rows: of the config, as `load_dataset` gives them.
        files: predictions on these rows.
        clean: predictions of the same model on the original rows, which have the same ids.
        original: gives the original rows, for the texts that a log of `clean` must show; such a
            log is taken as it is if None.
        in_order: the files have no ids and stand in row order.
        allow_partial: rows without a prediction are left out and counted.
        cluster: the column whose equal values mark rows that the intervals draw together.
        seed: of the resampling.

    Raises:
        ScoringError: a file cannot be read, does not fit the rows, or is the log of other rows.
    """
    needed = _Rows(
        list(rows["id"]),
        list(rows["label"]),
        [len(options) for options in rows["options"]],
        list(rows[cluster]),
        list(rows["attacked"]),
    )
    how = (in_order, allow_partial)
    reference = None if clean is None else needed.read(clean, *how, original)
    scores = [
        _score(path, needed, needed.read(path, *how, lambda: rows), reference, seed)
        for path in files
    ]
    return _with_holm(scores)


def _score(
    path: Path,
    rows: _Rows,
    found: AlignedPredictions,
    clean: AlignedPredictions | None,
    seed: int,
) -> FileScore:
    chosen = found.rows if clean is None else np.intersect1d(found.rows, clean.rows)
    if not len(chosen):
        msg = f"{path}: it has no row in common with the clean predictions"
        raise ScoringError(msg)
    mine = np.searchsorted(found.rows, chosen)
    on_clean = None if clean is None else clean.predictions[np.searchsorted(clean.rows, chosen)]
    scores = report(
        found.predictions[mine],
        found.references[mine],
        clean_predictions=on_clean,
        passage_ids=[rows.passage_ids[row] for row in chosen],
        attacked=[rows.attacked[row] for row in chosen] if any(rows.attacked) else None,
        n_options=[rows.n_options[row] for row in chosen],
        seed=seed,
    )
    return FileScore(path, len(rows.ids) - len(chosen), scores)


def _with_holm(scores: list[FileScore]) -> list[FileScore]:
    p_values = {
        str(number): score.report.rows.mcnemar_p_value
        for number, score in enumerate(scores)
        if score.report.rows.mcnemar_p_value is not None
    }
    adjusted = holm_adjusted(p_values) if p_values else {}
    return [
        replace(score, holm_p_value=adjusted.get(str(number)))
        for number, score in enumerate(scores)
    ]


def scores_table(scores: Sequence[FileScore]) -> Table:
    """One line a file; accuracy and drop in percent."""
    rows = []
    for score in scores:
        figures = score.report.as_dict()
        p_value = score.holm_p_value
        rows.append(
            (
                str(score.path),
                str(figures["n"]),
                str(score.n_missing),
                _with_interval(figures, "accuracy", 100),
                _with_interval(figures, "percentage_performance_drop", 1),
                _NOTHING if p_value is None else f"{p_value:.2g}",
                str(figures.get("attacked_n", _NOTHING)),
                _with_interval(figures, "attacked_percentage_performance_drop", 1),
            )
        )
    return Table(_HEADINGS, tuple(rows), frozenset(_HEADINGS[1:]))


def _with_interval(figures: dict[str, float | int], name: str, factor: int) -> str:
    if name not in figures:
        return _NOTHING
    ends = [figures.get(f"{name}_ci_{end}") for end in ("low", "high")]
    shown = ", ".join(f"{factor * end:.1f}" for end in ends if end is not None)
    return f"{factor * figures[name]:.1f}" + (f" [{shown}]" if shown else "")
