"""Time of the full paired, clustered report, beside scipy's bootstrap of the same drops."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import bootstrap

from mcrc_adversarial.scoring import Report, report

N_ROWS = 4934
N_PASSAGES = 1407
N_RESAMPLES = 10_000
ROUNDS = 5


class Rows:
    """As many rows and passages as the test split of RACE has, with made-up answers."""

    def __init__(self) -> None:
        rng = np.random.default_rng(20)
        self.passages = np.sort(np.append(np.arange(N_PASSAGES), self._more_rows(rng)))
        skill = rng.beta(3, 1.2, N_PASSAGES)[self.passages]
        self.references = rng.integers(0, 4, N_ROWS)
        clean_right = rng.random(N_ROWS) < skill
        right = clean_right & (rng.random(N_ROWS) < 0.7) | (rng.random(N_ROWS) < 0.1)
        self.clean_predictions = np.where(clean_right, self.references, (self.references + 1) % 4)
        self.predictions = np.where(right, self.references, (self.references + 2) % 4)
        self.attacked = rng.random(N_ROWS) < 0.97

    def _more_rows(self, rng: np.random.Generator) -> np.ndarray:
        places = np.repeat(np.arange(N_PASSAGES), 4)
        return rng.choice(places, N_ROWS - N_PASSAGES, replace=False)

    def report(self) -> Report:
        return report(
            self.predictions.tolist(),
            self.references.tolist(),
            clean_predictions=self.clean_predictions.tolist(),
            passage_ids=[f"high/{number}.txt" for number in self.passages],
            attacked=self.attacked.tolist(),
            n_options=4,
            n_resamples=N_RESAMPLES,
        )

    def scipy_drops(self) -> list[tuple[float, float]]:
        """Intervals of the drop on all rows and on the attacked ones."""
        clean = self.clean_predictions == self.references
        right = self.predictions == self.references
        return [
            _scipy_drop(clean[rows], right[rows], self.passages[rows])
            for rows in (np.ones(N_ROWS, dtype=bool), self.attacked)
        ]


def _scipy_drop(clean: np.ndarray, right: np.ndarray, passages: np.ndarray) -> tuple[float, float]:
    sums = [np.bincount(passages, weights=part) for part in (clean, right)]
    low, high = bootstrap(
        sums,
        lambda clean, right, axis: (1 - right.sum(axis) / clean.sum(axis)) * 100,
        paired=True,
        vectorized=True,
        n_resamples=N_RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(low), float(high)


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.benchmark
def test_report_is_twice_as_fast_as_scipy() -> None:
    rows = Rows()
    ours, scipys = _best(rows.report), _best(rows.scipy_drops)
    print(
        f"\nreport on {N_ROWS} rows, {N_PASSAGES} passages, {N_RESAMPLES} resamples:"
        f" {ours * 1000:.0f} ms (all figures, all rows and attacked rows);"
        f" scipy.stats.bootstrap, the two drop intervals alone: {scipys * 1000:.0f} ms;"
        f" ratio {scipys / ours:.1f}"
    )
    scores = rows.report()
    for interval, other in zip(
        (scores.rows.drop_interval, scores.attacked.drop_interval), rows.scipy_drops(), strict=True
    ):
        assert interval == pytest.approx(other, abs=0.15)
    assert ours < 0.5
    assert scipys / ours >= 2
