"""What can be had without reading: the most frequent label, a guess, the longest option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mcrc_adversarial.errors import ParameterError, ScoringError
from mcrc_adversarial.example import LETTERS, MAX_OPTIONS, MIN_OPTIONS
from mcrc_adversarial.scoring.formulas import rows_right
from mcrc_adversarial.scoring.inputs import Indices, as_indices, as_option_counts, check_length

Unit = Literal["characters", "words"]
Ties = Literal["first", "last", "expected"]

_LENGTHS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
}


@dataclass(frozen=True)
class Baseline:
    """A score that needs no model.

    Attributes:
        name: what was done, with the choices that the number depends on, ready to print.
        accuracy: from 0 to 1.
        n: number of rows.
    """

    name: str
    accuracy: float
    n: int


def majority_class(references: Indices, training_labels: Indices | None = None) -> Baseline:
    """Always the most frequent label; of equally frequent ones the first letter.

    Args:
        references: index of the right option of each row to score, shape (n,).
        training_labels: labels to count instead, as an honest classifier would have to.

    Raises:
        ScoringError: there are no rows or no labels, or an item is no option index.

    >>> majority_class([2, 2, 0, 1])
    Baseline(name='majority class (C, of the scored rows)', accuracy=0.5, n=4)
    """
    counted = references if training_labels is None else training_labels
    labels = as_indices(counted, "references" if training_labels is None else "training_labels")
    if not len(labels):
        msg = "there are no labels to count"
        raise ScoringError(msg)
    label = int(np.argmax(np.bincount(labels)))
    answers = as_indices(references, "references")
    right = rows_right(np.full(len(answers), label), answers)
    source = "the scored rows" if training_labels is None else "the training rows"
    name = f"majority class ({LETTERS[label]}, of {source})"
    return Baseline(name, float(np.mean(right)), len(right))


def random_guess(n_options: Indices) -> Baseline:
    """Expected accuracy of one uniform guess a row: the mean of 1 / number of options.

    Args:
        n_options: number of options of each row, 2 to 26, shape (n,).

    Raises:
        ScoringError: there are no rows, a number is out of range, or one number stands for all.

    >>> random_guess([2, 4])
    Baseline(name='random guess (expected)', accuracy=0.375, n=2)
    """
    counts = as_option_counts(n_options)
    if not len(counts):
        msg = "n_options is empty; there is nothing to guess"
        raise ScoringError(msg)
    return Baseline("random guess (expected)", float(np.mean(1 / counts)), len(counts))


def longest_option(
    options: Sequence[Sequence[str]],
    references: Indices,
    *,
    unit: Unit | Callable[[str], int],
    ties: Ties,
) -> Baseline:
    """Always the longest option.

    Paper A (Si et al. 2019, table 3) prints this baseline without its unit and tie rule. Ties are
    common (half the rows of MCTest and DREAM by words), so both have to be said here.

    Args:
        options: the options of each row, 2 to 26.
        references: index of the right option of each row, shape (n,).
        unit: "characters", "words" (parted by white space), or a function from text to length.
        ties: among equally long options take the "first" or the "last", or count the "expected"
            share of a draw among them.

    Raises:
        ScoringError: there are no rows, the lengths differ, a row is no list of 2 to 26 texts, or a
            reference is no option.
        ParameterError: an unknown unit or tie rule.

    >>> longest_option([["a", "bb"], ["cc", "dd"]], [1, 1], unit="characters", ties="expected")
    Baseline(name='longest option (characters, ties expected)', accuracy=0.75, n=2)
    """
    length = _length(unit)
    if ties not in get_args(Ties):
        msg = f"ties is {ties!r}; allowed are {', '.join(get_args(Ties))}"
        raise ParameterError(msg)
    shares = [
        _share([length(text) for text in texts], answer, ties)
        for texts, answer in _rows(options, references)
    ]
    unit_name = unit if isinstance(unit, str) else getattr(unit, "__name__", repr(unit))
    name = f"longest option ({unit_name}, ties {ties})"
    return Baseline(name, float(np.mean(shares)), len(shares))


def _rows(options: Sequence[Sequence[str]], references: Indices) -> list[tuple[Sequence[str], int]]:
    answers = as_indices(references, "references")
    check_length("options", len(options), len(answers), "references")
    if not len(answers):
        msg = "options and references are empty; there is nothing to score"
        raise ScoringError(msg)
    rows = list(zip(options, answers.tolist(), strict=True))
    for row, (texts, answer) in enumerate(rows):
        _check_texts(texts, row)
        if answer >= len(texts):
            msg = f"references[{row}] is {answer}, but row {row} has {len(texts)} options"
            raise ScoringError(msg)
    return rows


def _check_texts(texts: object, row: int) -> None:
    """Raise unless the options of a row are a list of 2 to 26 texts."""
    need = f"a list of {MIN_OPTIONS} to {MAX_OPTIONS} texts is needed"
    if isinstance(texts, str) or not isinstance(texts, Sequence | np.ndarray):
        msg = f"options[{row}] is {type(texts).__name__}; {need}"
        raise ScoringError(msg)
    if not MIN_OPTIONS <= len(texts) <= MAX_OPTIONS:
        msg = f"options[{row}] has {len(texts)} options; {need}"
        raise ScoringError(msg)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            msg = f"options[{row}][{number}] is {type(text).__name__}; {need}"
            raise ScoringError(msg)


def _length(unit: Unit | Callable[[str], int]) -> Callable[[str], int]:
    if callable(unit):
        return unit
    if unit not in _LENGTHS:
        msg = f"unit is {unit!r}; allowed are {', '.join(_LENGTHS)}, or a function of the text"
        raise ParameterError(msg)
    return _LENGTHS[unit]


def _share(lengths: Sequence[int], answer: int, ties: Ties) -> float:
    """Chance that the answer is the option taken."""
    longest = [index for index, length in enumerate(lengths) if length == max(lengths)]
    if ties == "expected":
        return (answer in longest) / len(longest)
    return float(answer == (longest[0] if ties == "first" else longest[-1]))
