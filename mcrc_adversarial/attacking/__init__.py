"""Attacking people's own datasets in one call, in memory, from the cache or as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar, cast

from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    IterableDataset,
    IterableDatasetDict,
)

from mcrc_adversarial.attacking.records import RecordAttack, check_new_columns
from mcrc_adversarial.corpora.custom import (
    ColumnMap,
    Columns,
    Identities,
    Place,
    Record,
    renumbered,
    resolve_columns,
    to_example,
)
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.parallel import check_num_proc
from mcrc_adversarial.rows import ATTACK_FEATURES
from mcrc_adversarial.seeding import DEFAULT_SEED

_BATCH = 1000

AnyDataset = TypeVar("AnyDataset")


def attack(
    dataset: AnyDataset,
    name: str,
    *,
    seed: int = DEFAULT_SEED,
    columns: Columns | None = None,
    num_proc: int | None = None,
    **parameters: object,
) -> AnyDataset:
    """Attack a dataset of your own.

    All rows are checked before the first is written; those of a stream as they come. The same
    questions with the same ids give the same rows as `load_dataset("mcrc_adversarial", ...)`.

    Args:
        dataset: a `Dataset`, `DatasetDict`, `IterableDataset` or `IterableDatasetDict`.
        name: of the attack ("addsent2opt-shuffle").
        seed: an int of at least 0.
        columns: our names (passage, question, options, label, id, passage_id) -> yours; several
            columns for options where each holds one. Of passage, question, options and label, each
            that is left out has our name or RACE's on the Hub (article, question, options, answer).
            Without it, all four have our names, or all RACE's.
        num_proc: number of processes; not for streams.
        **parameters: of the attack ("shuffle_degree").

    Returns:
        The same kind, with the same rows in the same order, the altered texts in your own columns,
        and the columns `attacked`, `reason`, `shuffle_degree` and `inserted` at the end, from some
        attacks `lineage` too. An
        original of the loading script, which has these columns already, gets them anew.

    Raises:
        DataError: a column or row breaks a rule; one line that names it.
        ParameterError: the seed, num_proc or a parameter is not allowed.
        UnknownNameError: there is no such attack.
    """
    run = RecordAttack.checked(name, seed, parameters)
    processes = None if num_proc is None else check_num_proc(num_proc)
    if not isinstance(dataset, (DatasetDict, IterableDatasetDict)):
        return cast("AnyDataset", _prepare(dataset, run, columns, "the dataset", processes)())
    prepared = {
        split: _prepare(one, run, columns, f"split {split!r}", processes)
        for split, one in dataset.items()
    }
    return cast("AnyDataset", type(dataset)({split: go() for split, go in prepared.items()}))


def _prepare(
    dataset: object,
    run: RecordAttack,
    columns: Columns | None,
    source: str,
    num_proc: int | None,
) -> Callable[[], Any]:
    """Check the dataset; what is returned attacks it."""
    if isinstance(dataset, IterableDataset):
        if num_proc is not None:
            msg = f"{source} is a stream, which is attacked as it is read; leave num_proc out"
            raise ParameterError(msg)
        stream = _stream_without_marks(dataset, source)
        available = _stream_columns(stream, source)
        check_new_columns(available, run.features, source)
        found = _resolve(available, stream.features, columns, source)
        return partial(_attack_stream, stream, _Stream(run, found, source))
    if isinstance(dataset, Dataset):
        unmarked = _without_marks(dataset)
        check_new_columns(unmarked.column_names, run.features, source)
        found = _resolve(unmarked.column_names, unmarked.features, columns, source)
        repeats = _check_rows(unmarked, found, source)
        return partial(_attack_table, unmarked, _Table(run, found, repeats), num_proc)
    msg = (
        f"{source} is a {type(dataset).__name__}; it must be a Dataset, DatasetDict,"
        " IterableDataset or IterableDatasetDict"
    )
    raise DataError(msg)


def _without_marks(dataset: Dataset) -> Dataset:
    """An original of the loading script without the columns that mark what an attack did."""
    if not _has_marks(dataset.features) or any(dataset.with_format(None)["attacked"]):
        return dataset
    return dataset.remove_columns(list(ATTACK_FEATURES))


def _stream_without_marks(dataset: IterableDataset, source: str) -> IterableDataset:
    """The same of a stream, whose rows are looked at as they come."""
    if not _has_marks(dataset.features):
        return dataset
    checked = dataset.map(
        partial(_check_marks, source),
        input_columns=["attacked"],
        batched=True,
        batch_size=_BATCH,
        features=dataset.features,
    )
    return checked.remove_columns(list(ATTACK_FEATURES))


def _check_marks(source: str, attacked: Sequence[bool]) -> dict[str, list[Any]]:
    if any(attacked):
        msg = f"{source}: a row was attacked before (column 'attacked'); attack the original"
        raise DataError(msg)
    return {}


def _has_marks(features: Features | None) -> bool:
    """Whether the columns that mark what an attack did are those of the loading script."""
    found = features or {}
    return all(found.get(name) == feature for name, feature in ATTACK_FEATURES.items())


def _resolve(
    available: Sequence[str], features: Features | None, columns: Columns | None, source: str
) -> ColumnMap:
    found = resolve_columns(available, columns, source)
    label = (features or {}).get(found.label)
    if isinstance(label, ClassLabel):
        _check_classes(label.names, found.label, source)
    return found


def _check_classes(names: Sequence[str], column: str, source: str) -> None:
    """Refuse classes such as A, C, D, of which number 1 is not option B."""
    if all(name.isascii() and name.isdecimal() for name in names):
        numbers = [int(name) - int(names[0]) for name in names]
    elif all(name.upper() in {*LETTERS} for name in names):
        numbers = [LETTERS.index(name.upper()) for name in names]
    else:
        return
    if numbers != list(range(len(names))):
        msg = (
            f"{source}: the classes of {column!r} are {', '.join(names)}, so that their numbers"
            " are not those of the options; give the names as texts"
        )
        raise DataError(msg)


def _stream_columns(dataset: IterableDataset, source: str) -> Sequence[str]:
    if dataset.features is not None:
        return list(dataset.features)
    for first in dataset.with_format(None).take(1):
        return list(first)
    msg = f"{source}: the stream holds no row, so that its columns cannot be known"
    raise DataError(msg)


def _records(columns: ColumnMap, values: Sequence[Sequence[Any]]) -> Iterator[Record]:
    for cells in zip(*values, strict=True):
        yield dict(zip(columns.names, cells, strict=True))


def _check_rows(dataset: Dataset, columns: ColumnMap, source: str) -> dict[int, int]:
    """Read every row once; return which repeat an earlier one, and how often it had come."""
    identities = Identities()
    number = 0
    plain = dataset.with_format(None).select_columns(list(columns.names))
    for batch in plain.iter(batch_size=_BATCH):
        for record in _records(columns, [batch[name] for name in columns.names]):
            place = Place(f"{source}, row", number)
            identities.admit(to_example(record, columns, place), columns, place)
            number += 1
    return {place.number: repeat for place, repeat in identities.repeats.items()}


@dataclass(frozen=True)
class _Table:
    """Attacks a batch of a checked `Dataset`."""

    run: RecordAttack
    columns: ColumnMap
    repeats: Mapping[int, int]

    def __call__(self, *values_and_indices: Any) -> dict[str, list[Any]]:
        *values, indices = values_and_indices
        altered = []
        for record, number in zip(_records(self.columns, values), indices, strict=True):
            example = to_example(record, self.columns, Place("row", number))
            example = renumbered(example, self.repeats.get(number, 1))
            altered.append({**record, **self.run.alter(record, example, self.columns)})
        return _columnwise(altered, self.run, self.columns)


@dataclass
class _Stream:
    """Attacks a batch of a stream, and checks it."""

    run: RecordAttack
    columns: ColumnMap
    source: str
    identities: Identities = field(default_factory=Identities)

    def __call__(self, *values_and_indices: Any) -> dict[str, list[Any]]:
        *values, indices = values_and_indices
        if indices[0] == 0:
            self.identities = Identities()
        altered = []
        for record, number in zip(_records(self.columns, values), indices, strict=True):
            place = Place(f"{self.source}, row", number)
            example = to_example(record, self.columns, place)
            example = self.identities.admit(example, self.columns, place)
            altered.append({**record, **self.run.alter(record, example, self.columns)})
        return _columnwise(altered, self.run, self.columns)


def _columnwise(
    records: Sequence[Record], run: RecordAttack, columns: ColumnMap
) -> dict[str, list[Any]]:
    names = (*run.touched(columns), *run.features)
    return {name: [record[name] for record in records] for name in names}


def _features(features: Features, run: RecordAttack) -> Features:
    return Features({**features, **run.features})


def _attack_table(dataset: Dataset, function: _Table, num_proc: int | None) -> Dataset:
    if len(dataset) == 0:
        # Dataset.map leaves a dataset without rows as it is, without the new columns.
        for name, feature in function.run.features.items():
            dataset = dataset.add_column(name, [], feature=feature)
        return dataset
    attacked = dataset.with_format(None).map(
        function,
        with_indices=True,
        input_columns=list(function.columns.names),
        batched=True,
        batch_size=_BATCH,
        num_proc=num_proc,
        features=_features(dataset.features, function.run),
        desc=function.run.name,
    )
    shown = dataset.format["columns"]
    return attacked.with_format(
        dataset.format["type"],
        None if len(shown) == len(dataset.column_names) else [*shown, *function.run.features],
        dataset.format["output_all_columns"],
        **dataset.format["format_kwargs"],
    )


def _attack_stream(dataset: IterableDataset, function: _Stream) -> IterableDataset:
    # There is no public way to ask a stream for its format.
    format_type = dataset._formatting and dataset._formatting.format_type
    attacked = dataset.with_format(None).map(
        function,
        with_indices=True,
        input_columns=list(function.columns.names),
        batched=True,
        batch_size=_BATCH,
        features=dataset.features and _features(dataset.features, function.run),
    )
    return attacked.with_format(format_type)
