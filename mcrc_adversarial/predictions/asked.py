"""Whether the model was asked the questions that its answers are to be scored on.

The same question has the same id in every config of its corpus, so ids alone do not tell a log of
another attack, seed or threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.predictions.files import PredictionFile
from mcrc_adversarial.predictions.harness_logs import Asked

_NAMED_AT_MOST = 3


def check_asked(
    predictions: PredictionFile, ids: Sequence[str], texts: Mapping[str, Sequence[Any]]
) -> None:
    """Raise where a log says that something else was asked than stands in a config's rows.

    Args:
        predictions: as read; a file that does not say what was asked passes.
        ids: of the config's rows.
        texts: passage, question and options of these rows, by the names of the columns.

    Raises:
        ScoringError: a text or a number of options differs; the message names the first rows.
    """
    numbers = {row_id: number for number, row_id in enumerate(ids)}
    pairs = zip(predictions.ids or (), predictions.asked, strict=False)
    others = [
        f"{row_id!r} in {', '.join(found)}"
        for row_id, asked in pairs
        if asked is not None
        and row_id in numbers
        and (found := list(_differing(asked, texts, numbers[row_id])))
    ]
    if others:
        more = ", ..." if len(others) > _NAMED_AT_MOST else ""
        msg = (
            f"{predictions.path}: {len(others)} of {len(predictions.predictions)} answers are to"
            f" questions that differ from the config's rows ({', '.join(others[:_NAMED_AT_MOST])}"
            f"{more}); give the config, seed and parameters that the log is of"
        )
        raise ScoringError(msg)


def _differing(asked: Asked, texts: Mapping[str, Sequence[Any]], row: int) -> Iterator[str]:
    """The names of what differs."""
    for name, logged in asked.texts.items():
        if logged != texts[name][row]:
            yield name
    n_options = len(texts["options"][row])
    if asked.n_options not in (None, n_options):
        yield f"number of options ({asked.n_options} instead of {n_options})"
