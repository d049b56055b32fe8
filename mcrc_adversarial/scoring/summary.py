"""One report on one set of predictions: accuracy, and with clean predictions how far it fell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring.formulas import flip_rates, percentage_performance_drop
from mcrc_adversarial.scoring.inputs import (
    BoolArray,
    Flags,
    Indices,
    IntArray,
    Key,
    Keys,
    PairedInputs,
    as_keys,
    check_accuracies_agree,
    check_length,
    check_paired,
    check_rows,
    check_within_options,
    numbered,
)
from mcrc_adversarial.scoring.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_N_RESAMPLES,
    accuracy_interval,
    check_resampling,
    drop_interval,
)
from mcrc_adversarial.scoring.results import Report, RowScores
from mcrc_adversarial.scoring.significance import mcnemar_p_value


# Longer than other functions for the sake of ten arguments, each with its line.
def report(
    predictions: Indices,
    references: Indices,
    *,
    clean_accuracy: float | None = None,
    clean_predictions: Indices | None = None,
    passage_ids: Keys | None = None,
    attacked: Flags | None = None,
    n_options: int | Indices | None = None,
    n_resamples: int = DEFAULT_N_RESAMPLES,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    seed: int = 0,
) -> Report:
    """Score predictions on one set of rows; every per-row argument is in the rows' order.

    Args:
        predictions: index of the option that the model chose for each row, shape (n,).
        references: index of the right option of each row, shape (n,).
        clean_accuracy: accuracy on the original rows, in (0, 1], where only that is known.
        clean_predictions: indices that the model chose on the original of each row, shape (n,).
        passage_ids: the passage that each row stands on; the intervals are then clustered.
        attacked: whether the attack changed the row; adds the figures on those rows, whose drop
            is against the clean score of the same rows and so needs `clean_predictions`.
        n_options: number of options, one for all rows or one a row, to check indices by; without
            it they must lie in 0 to 25.
        n_resamples: bootstrap resamples behind the interval of the drop.
        confidence_level: of every interval.
        seed: of the resampling.

    Raises:
        ScoringError: empty input, unequal lengths, a wrong type, an index outside the options, a
            clean accuracy of 0 or outside (0, 1], or two clean accuracies that disagree.
        ParameterError: `n_resamples`, `confidence_level` or `seed` is out of range.

    >>> scores = report([0, 1, 1, 1], [0, 1, 2, 3], clean_predictions=[0, 1, 2, 0]).rows
    >>> scores.accuracy, scores.clean_accuracy, round(scores.percentage_performance_drop, 1)
    (0.5, 0.75, 33.3)
    """
    check_resampling(confidence_level, n_resamples, seed)
    predicted, answers = check_rows(predictions, references)
    paired = check_paired(
        len(predicted),
        clean_accuracy=clean_accuracy,
        clean_predictions=clean_predictions,
        passage_ids=passage_ids,
        attacked=attacked,
        n_options=n_options,
    )
    check_within_options(predicted, paired.n_options, "predictions")
    check_within_options(answers, paired.n_options, "references")
    scorer = _Scorer(predicted == answers, answers, paired, confidence_level, n_resamples, seed)
    return scorer.report()


def scores_by_group(
    predictions: Indices,
    references: Indices,
    groups: Keys,
    *,
    clean_predictions: Indices | None = None,
    passage_ids: Keys | None = None,
    n_resamples: int = DEFAULT_N_RESAMPLES,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    seed: int = 0,
) -> dict[Key, RowScores]:
    """The figures of `report` for the rows of each group, in order of first appearance.

    Args:
        predictions: index of the option that the model chose for each row, shape (n,).
        references: index of the right option of each row, shape (n,).
        groups: name of each row's group (level, question type, ...), shape (n,).
        clean_predictions: indices that the model chose on the original of each row, shape (n,).
        passage_ids: the passage that each row stands on.
        n_resamples: as in `report`.
        confidence_level: as in `report`.
        seed: as in `report`.

    Raises:
        McrcError: as in `report`; but a clean accuracy of 0 within a group leaves its drop None.

    >>> by_level = scores_by_group([0, 1, 1], [0, 1, 2], ["middle", "high", "high"])
    >>> {level: scores.accuracy for level, scores in by_level.items()}
    {'middle': 1.0, 'high': 0.5}
    """
    check_resampling(confidence_level, n_resamples, seed)
    predicted, answers = check_rows(predictions, references)
    names = as_keys(groups, "groups")
    check_length("groups", len(names), len(predicted))
    paired = check_paired(
        len(predicted), clean_predictions=clean_predictions, passage_ids=passage_ids
    )
    scorer = _Scorer(predicted == answers, answers, paired, confidence_level, n_resamples, seed)
    codes = numbered(names)
    return {name: scorer.on(codes == code) for code, name in enumerate(dict.fromkeys(names))}


@dataclass(frozen=True)
class _Scorer:
    """Scores any part of the rows in one way."""

    right: BoolArray
    answers: IntArray
    paired: PairedInputs
    confidence_level: float
    n_resamples: int
    seed: int

    def report(self) -> Report:
        """Scores on all rows and, where they are known, on the attacked ones."""
        attacked, n_attacked = None, None
        if self.paired.attacked is not None:
            n_attacked = int(np.sum(self.paired.attacked))
            attacked = self.on(self.paired.attacked) if n_attacked else None
        settings = (self.confidence_level, self.n_resamples, self.seed)
        return Report(self.on_all(), attacked, n_attacked, *settings)

    def on_all(self) -> RowScores:
        """Scores on all rows, for which a drop must be defined where it is asked for."""
        scores = self.on(np.ones(len(self.right), dtype=np.bool_))
        given = self.paired.clean_accuracy
        if self.paired.clean_predictions is None:
            if given is None:
                return scores
            drop = percentage_performance_drop(scores.accuracy, given)
            return RowScores(
                scores.n, scores.n_passages, scores.accuracy, scores.accuracy_interval, given, drop
            )
        if not scores.clean_accuracy:
            msg = (
                f"clean_predictions are wrong on all {scores.n} rows; a drop from a clean accuracy"
                " of 0 is not defined"
            )
            raise ScoringError(msg)
        if given is not None:
            check_accuracies_agree(given, scores.clean_accuracy)
        return scores

    def on(self, chosen: BoolArray) -> RowScores:
        """Scores on the chosen rows; shape (n,), at least one True."""
        right = self.right[chosen]
        passages = None
        if self.paired.passages is not None:
            passages = np.unique(self.paired.passages[chosen], return_inverse=True)[1]
        n_passages = None if passages is None else int(np.max(passages)) + 1
        accuracy = float(np.mean(right))
        interval = accuracy_interval(right, passages, self.confidence_level)
        if self.paired.clean_predictions is None:
            return RowScores(len(right), n_passages, accuracy, interval)
        clean_right = (self.paired.clean_predictions == self.answers)[chosen]
        clean_accuracy = float(np.mean(clean_right))
        flips = flip_rates(clean_right, right)
        return RowScores(
            n=len(right),
            n_passages=n_passages,
            accuracy=accuracy,
            accuracy_interval=interval,
            clean_accuracy=clean_accuracy,
            percentage_performance_drop=percentage_performance_drop(accuracy, clean_accuracy)
            if clean_accuracy
            else None,
            drop_interval=drop_interval(
                clean_right,
                right,
                passages,
                confidence_level=self.confidence_level,
                n_resamples=self.n_resamples,
                seed=self.seed,
            ),
            mcnemar_p_value=mcnemar_p_value(clean_right, right),
            right_to_wrong_rate=flips.right_to_wrong,
            wrong_to_right_rate=flips.wrong_to_right,
        )
