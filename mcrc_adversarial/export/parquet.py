"""Writing configs of one split side by side, each as one Parquet file, many rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Features

from mcrc_adversarial.attacks import Attack, Attacked, Change, apply_all, is_attacked
from mcrc_adversarial.corpora import Corpus
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import ATTACK_FEATURES, attack_columns, features
from mcrc_adversarial.statistics import Statistics, summarise

# Measured on RACE: with fewer rows files grow by 6 %, with more they hardly shrink.
ROW_GROUP = 10_000
# Level 6 takes twice as long for files that are 6 % smaller.
_ZSTD_LEVEL = 3
# Far above the texts of a row group: each passage is stored once for all its questions.
_DICTIONARY_BYTES = 1 << 28
# Of a file that holds one row group, to be joined with others.
PART_SUFFIX = ".arrow"
# Few enough that all that is made of them stays in the processor's own memory: half of it, and
# twice as many, take as long.
_FEW = 500
_FIELDS = frozenset(field.name for field in fields(Example)) - {"facts"}


@dataclass(frozen=True, slots=True)
class AttackRun:
    """An attack with everything that it is run with.

    Attributes:
        attack: the attack.
        seed: checked.
        parameters: all of them, resolved.
    """

    attack: Attack
    seed: int
    parameters: Mapping[str, Any]

    def apply(self, examples: Sequence[Example]) -> list[Attacked]:
        """Attack each example."""
        return list(apply_all(self.attack, examples, self.seed, self.parameters))


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds: number of rows, their size as Arrow columns, what the attack did."""

    rows: int
    arrow_bytes: int
    statistics: Statistics

    def __add__(self, other: Written) -> Written:
        return Written(
            self.rows + other.rows,
            self.arrow_bytes + other.arrow_bytes,
            self.statistics + other.statistics,
        )


def write(
    corpus: Corpus, examples: Sequence[Example], files: Mapping[Path, AttackRun | None]
) -> dict[Path, Written]:
    """Write `examples`, once attacked by each run, as they are where it is None.

    Files are Parquet (zstd), or, where their suffix is that of parts, Arrow for `join`.
    A few rows go through all attacks before the next few: what one attack has cut into words is
    still at hand for the others, and columns that no attack touches are made once. The schemas are
    those of `rows.features`, with the metadata by which `datasets` knows them.
    """
    schema = features(corpus).arrow_schema
    with ExitStack() as stack:
        made = {
            path: stack.enter_context(
                _File(path, features(corpus, run.attack if run else None), run)
            )
            for path, run in files.items()
        }
        for group in _cut(examples, ROW_GROUP):
            for few in _cut(group, _FEW):
                originals = _Originals(schema, few)
                for file in made.values():
                    file.add(originals)
            for file in made.values():
                file.end_row_group()
    return {path: file.written for path, file in made.items()}


def _cut(examples: Sequence[Example], length: int) -> Iterator[Sequence[Example]]:
    for start in range(0, len(examples), length):
        yield examples[start : start + length]


class _Originals:
    """Some rows before any attack, as columns that are made when first asked for."""

    def __init__(self, schema: pa.Schema, examples: Sequence[Example]) -> None:
        self.schema = schema
        self.examples = examples
        self._columns: dict[str, pa.Array] = {}

    def column(self, name: str) -> pa.Array:
        """A column as it is in the original's config."""
        if name not in self._columns:
            self._columns[name] = _array(self.schema, name, self._cells(name))
        return self._columns[name]

    def _cells(self, name: str) -> list[Any]:
        if name in ATTACK_FEATURES:
            return [attack_columns(self.examples[0], None)[name]] * len(self.examples)
        if name in _FIELDS:
            return list(map(attrgetter(name), self.examples))
        return [example.facts[name] for example in self.examples]


def join(parts: Sequence[Path], path: Path) -> None:
    """Make one file of its row groups, written by `write` as Arrow files; they are removed.

    The bytes are those that `write` gives for all rows at once.
    """
    with ExitStack() as stack:
        writer = None
        for part in parts:
            with pa.memory_map(str(part)) as source, pa.ipc.open_file(source) as reader:
                table = reader.read_all()
                if writer is None:
                    writer = stack.enter_context(_parquet_writer(path, table.schema))
                writer.write_table(table, row_group_size=ROW_GROUP)
                del table
            part.unlink()


def _parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=_ZSTD_LEVEL,
        use_dictionary=_repeating(schema),
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
    )


class _File:
    """One file as it is written."""

    def __init__(self, path: Path, columns: Features, run: AttackRun | None) -> None:
        self._run = run
        self._schema = schema = columns.arrow_schema
        self._tables: list[pa.Table] = []
        self.written = Written(0, 0, Statistics())
        if path.suffix == PART_SUFFIX:
            self._writer = pa.ipc.new_file(str(path), schema)
        else:
            self._writer = _parquet_writer(path, schema)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, originals: _Originals) -> None:
        """Attack some rows; they are written at the end of their row group."""
        examples, altered = originals.examples, {}
        statistics = Statistics(rows=len(examples))
        if self._run is not None:
            attacked = self._run.apply(examples)
            statistics = summarise(self._run.attack, zip(examples, attacked, strict=True))
            altered = dict(_altered(self._run.attack, examples, attacked))
        columns = [
            _array(self._schema, name, altered[name]) if name in altered else originals.column(name)
            for name in self._schema.names
        ]
        self._tables.append(pa.Table.from_arrays(columns, schema=self._schema))
        before = self.written
        self.written = Written(
            before.rows + len(examples), before.arrow_bytes, before.statistics + statistics
        )

    def end_row_group(self) -> None:
        """Write the rows added since the last one."""
        table = pa.concat_tables(self._tables).combine_chunks()
        self._tables.clear()
        self._writer.write_table(table, ROW_GROUP)
        self.written = replace(self.written, arrow_bytes=self.written.arrow_bytes + table.nbytes)


def _altered(
    attack: Attack, examples: Sequence[Example], attacked: Sequence[Attacked]
) -> Iterator[tuple[str, list[Any]]]:
    """The cells that differ from the original's, as `rows.row` makes them one by one."""
    for name in attack.touches:
        yield name, list(map(attrgetter(name), attacked))
    yield "attacked", list(map(is_attacked, examples, attacked))
    yield "reason", [";".join(one.reasons) for one in attacked]
    yield "shuffle_degree", [one.shuffle_degree for one in attacked]
    yield "inserted", [one.inserted for one in attacked]
    if attack.has_lineage:
        yield "lineage", [one.changes or () for one in attacked]


def _array(schema: pa.Schema, name: str, cells: Sequence[Any]) -> pa.Array:
    """Cells as a column of the type that it has in the schema."""
    dtype = schema.field(name).type
    return _lineage(cells, dtype) if name == "lineage" else pa.array(cells, dtype)


def _lineage(cells: Sequence[Sequence[Change]], dtype: pa.ListType) -> pa.Array:
    """Lists of changes as a column, field by field: a third of the time of item by item."""
    parts = list(dtype.value_type)
    changes = [change for cell in cells for change in cell]
    values = [
        pa.array([change[place] for change in changes], one.type) for place, one in enumerate(parts)
    ]
    ends = pa.array([0, *accumulate(map(len, cells))], pa.int32())
    structs = pa.StructArray.from_arrays(values, fields=parts)
    return pa.ListArray.from_arrays(ends, structs, type=dtype)


def _repeating(schema: pa.Schema) -> list[str]:
    """The columns whose texts repeat: passages, codes and facts."""
    unique = {
        "id",
        "question",
        "options",
        "label",
        "shuffle_degree",
        "inserted",
        "attacked",
        "lineage",
    }
    return [name for name in schema.names if name not in unique]
