"""What may be scored: indices, letters, flags and ids; anything else is an error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.example import LETTERS, MAX_OPTIONS, MIN_OPTIONS

IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = Iterable[int] | npt.NDArray[Any]
Flags: TypeAlias = Iterable[bool] | npt.NDArray[Any]
Key: TypeAlias = str | int
Keys: TypeAlias = Iterable[str] | Iterable[int] | npt.NDArray[Any]

_INDEX_OF = {letter: index for index, letter in enumerate(LETTERS)}
# A published clean accuracy is rounded; a paired one is not.
_ROUNDED = 0.001


@dataclass(frozen=True)
class PairedInputs:
    """What is known about the rows besides predictions and references; None where not given.

    Attributes:
        clean_accuracy: accuracy on the original rows, in (0, 1].
        clean_predictions: indices predicted on the original of each row, shape (n,).
        passages: number of each row's passage, from 0, shape (n,).
        attacked: whether the attack changed the row, shape (n,).
        n_options: number of options of each row, shape (n,).
    """

    clean_accuracy: float | None = None
    clean_predictions: IntArray | None = None
    passages: IntArray | None = None
    attacked: BoolArray | None = None
    n_options: IntArray | None = None


def _items(values: object, name: str) -> list[Any]:
    """The items of a list, array, tensor or column as Python objects."""
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        msg = f"{name} is {type(values).__name__}; it must be a list or array with one item a row"
        raise ScoringError(msg)
    as_list = getattr(values, "tolist", None)
    found = as_list() if callable(as_list) else list(values)
    if not isinstance(found, list):
        msg = f"{name} holds a single {type(found).__name__}; give a list with one item a row"
        raise ScoringError(msg)
    return found


def _refuse(name: str, position: int, item: object, need: str) -> ScoringError:
    shown = repr(item) if len(repr(item)) <= 40 else f"{repr(item)[:37]}..."
    return ScoringError(f"{name}[{position}] is {shown} ({type(item).__name__}); {need}")


def as_indices(values: Indices, name: str) -> IntArray:
    """Option indices, checked; shape (n,), which may be (0,).

    Raises:
        ScoringError: an item is not an integer (bools, floats and None are not), or no index of
            one of the at most 26 options.
    """
    items = _items(values, name)
    for position, item in enumerate(items):
        if type(item) is not int and not isinstance(item, np.integer):
            need = "an option index is needed (argmax of scores; letters go into config 'letters')"
            raise _refuse(name, position, item, need)
        if not 0 <= item < MAX_OPTIONS:
            need = f"an option index lies in 0 to {MAX_OPTIONS - 1}"
            raise _refuse(name, position, item, need)
    return np.array(items, dtype=np.int64)


def as_letters(values: Iterable[str], name: str) -> IntArray:
    """Indices of option letters: A is 0, Z is 25; shape (n,).

    Raises:
        ScoringError: an item is anything but one capital letter from A to Z.
    """
    items = _items(values, name)
    for position, item in enumerate(items):
        if not isinstance(item, str) or item not in _INDEX_OF:
            need = "one capital letter from A to Z is needed (indices go into the default config)"
            raise _refuse(name, position, item, need)
    return np.array([_INDEX_OF[item] for item in items], dtype=np.int64)


def as_flags(values: Flags, name: str) -> BoolArray:
    """Booleans, checked; shape (n,).

    Raises:
        ScoringError: an item is not True or False (0 and 1 are not).
    """
    items = _items(values, name)
    for position, item in enumerate(items):
        if not isinstance(item, bool | np.bool_):
            raise _refuse(name, position, item, "True or False is needed")
    return np.array(items, dtype=np.bool_)


def as_keys(values: Keys, name: str) -> list[Key]:
    """Ids or group names, checked: all text, or all whole numbers.

    Raises:
        ScoringError: an item is neither, or not of the first item's type.
    """
    items = [item.item() if isinstance(item, np.integer) else item for item in _items(values, name)]
    kind = str if items and isinstance(items[0], str) else int
    for position, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, kind):
            need = "text or whole numbers are needed, one kind throughout"
            raise _refuse(name, position, item, need)
    return items


def numbered(keys: list[Key]) -> IntArray:
    """Each key's number in order of first appearance, from 0; shape (n,)."""
    numbers: dict[Key, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def check_length(name: str, found: int, expected: int, of_what: str = "predictions") -> None:
    """Raise unless `name` has as many items as there are rows.

    Raises:
        ScoringError: the lengths differ.
    """
    if found != expected:
        msg = f"{name} has {found} items, {of_what} {expected}; they must describe the same rows"
        raise ScoringError(msg)


def check_within_options(indices: IntArray, n_options: IntArray | None, name: str) -> None:
    """Raise unless each index is one of its row's options; None checks nothing.

    Raises:
        ScoringError: an index is outside; the message names the first.
    """
    if n_options is None:
        return
    outside = np.flatnonzero(indices >= n_options)
    if len(outside):
        row = int(outside[0])
        index, count = int(indices[row]), int(n_options[row])
        need = f"row {row} has {count} options, 0 to {count - 1} (A to {LETTERS[count - 1]})"
        raise _refuse(name, row, index, need)


def check_number(value: object, name: str) -> float:
    """Return `value` as a float if it is a number; it need not be finite.

    Raises:
        ScoringError: it is a bool, text, None or anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"{name} is {value!r} ({type(value).__name__}); a number is needed"
        raise ScoringError(msg)
    return float(value)


def check_clean_accuracy(value: object) -> float:
    """Return `value` if it is a clean accuracy that something can drop from.

    Raises:
        ScoringError: it is no number, not finite, 0 or less, or above 1.
    """
    number = check_number(value, "clean_accuracy")
    if not math.isfinite(number) or not 0 < number <= 1:
        msg = f"clean_accuracy is {number!r}; a fraction above 0 and at most 1 is needed (0.756)"
        raise ScoringError(msg)
    return number


def check_accuracies_agree(given: float, found: float) -> None:
    """Raise unless a given clean accuracy is that of the paired predictions, but for rounding.

    Raises:
        ScoringError: the two differ by more than 0.001.
    """
    if abs(given - found) > _ROUNDED:
        msg = (
            f"clean_accuracy is {given!r}, but clean_predictions are right on {found:.4f} of the"
            " rows; give one of the two"
        )
        raise ScoringError(msg)


def as_option_counts(values: int | Indices, n_rows: int | None = None) -> IntArray:
    """Numbers of options, checked; shape (n,).

    Args:
        values: one number a row, or one for all `n_rows` rows.
        n_rows: how many are needed; None takes as many as there are, one a row.

    Raises:
        ScoringError: a number is not an integer from 2 to 26, there are too many or too few, or
            there is one for all rows and nobody says how many these are.
    """
    name = "n_options"
    one = isinstance(values, int | np.integer)
    if one and n_rows is None:
        msg = f"{name} is the single number {values!r}; give a list with one number a row"
        raise ScoringError(msg)
    counts = [values] * (n_rows or 0) if one else _items(values, name)
    if n_rows is not None:
        check_length(name, len(counts), n_rows)
    for position, count in enumerate(counts):
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or not MIN_OPTIONS <= count <= MAX_OPTIONS:
            need = f"{MIN_OPTIONS} to {MAX_OPTIONS} options are allowed"
            raise _refuse(name, position, count, need)
    return np.array(counts, dtype=np.int64)


def check_rows(predictions: Indices, references: Indices) -> tuple[IntArray, IntArray]:
    """Both as index arrays of one length above 0, each of shape (n,).

    Raises:
        ScoringError: there are no rows, the lengths differ, or an item is no option index.
    """
    predicted = as_indices(predictions, "predictions")
    answers = as_indices(references, "references")
    check_length("references", len(answers), len(predicted))
    if not len(answers):
        msg = "predictions and references are empty; there is nothing to score"
        raise ScoringError(msg)
    return predicted, answers


def check_paired(
    n_rows: int,
    *,
    clean_accuracy: float | None = None,
    clean_predictions: Indices | None = None,
    passage_ids: Keys | None = None,
    attacked: Flags | None = None,
    n_options: int | Indices | None = None,
) -> PairedInputs:
    """Check everything that describes `n_rows` rows; arguments as in `report`.

    Raises:
        ScoringError: a wrong type, length or range; the message names the argument and the item.
    """
    options = None if n_options is None else as_option_counts(n_options, n_rows)
    clean = passages = flags = None
    if clean_predictions is not None:
        clean = as_indices(clean_predictions, "clean_predictions")
        check_length("clean_predictions", len(clean), n_rows)
        check_within_options(clean, options, "clean_predictions")
    if passage_ids is not None:
        passages = numbered(as_keys(passage_ids, "passage_ids"))
        check_length("passage_ids", len(passages), n_rows)
    if attacked is not None:
        flags = as_flags(attacked, "attacked")
        check_length("attacked", len(flags), n_rows)
    accuracy = None if clean_accuracy is None else check_clean_accuracy(clean_accuracy)
    return PairedInputs(accuracy, clean, passages, flags, options)
