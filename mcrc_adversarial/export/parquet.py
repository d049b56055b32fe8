"""Writing configs of one split side by side, each as one Parquet file, many rows at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from itertools import accumulate, chain
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

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
# Of a file that holds a part of a row group, to be joined with others: see `Joined`.
PART_SUFFIX = ".arrow"
# Few enough that all that is made of them stays in the processor's own memory: half of it, and
# twice as many, take as long.
_FEW = 500
Item = TypeVar("Item")
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


class Block(NamedTuple):
    """Some rows of one file, attacked: their columns, and what the attack did."""

    table: pa.Table
    statistics: Statistics


def make(
    corpus: Corpus, examples: Sequence[Example], runs: Sequence[AttackRun | None]
) -> Iterator[list[Block]]:
    """Rows of `examples`, attacked by each run, as they are where it is None; a few at a time.

    A few rows go through all attacks before the next few: what one attack has cut into words is
    still at hand for the others, and columns that no attack touches are made once.
    """
    plain = features(corpus).arrow_schema
    schemas = [features(corpus, run.attack if run else None).arrow_schema for run in runs]
    for group in cut(examples, ROW_GROUP):
        for few in cut(group, _FEW):
            originals = _Originals(plain, few)
            yield [
                _block(originals, run, schema) for run, schema in zip(runs, schemas, strict=True)
            ]


def joined(blocks: Sequence[Sequence[Block]]) -> list[Block]:
    """Blocks that follow one another, of each run, as one."""
    return [
        Block(
            pa.concat_tables([block.table for block in of_run]).combine_chunks(),
            sum((block.statistics for block in of_run), Statistics()),
        )
        for of_run in zip(*blocks, strict=True)
    ]


def write(
    corpus: Corpus,
    files: Mapping[Path, AttackRun | None],
    blocks: Iterable[Sequence[Block]],
) -> dict[Path, Written]:
    """Write blocks of rows, a file each run: Parquet (zstd), or parts for `Joined`, by the suffix.

    The schemas are those of `rows.features`, with the metadata by which `datasets` knows them. The
    bytes do not depend on how long the blocks are, as long as one ends with each `ROW_GROUP`.

    Args:
        corpus: whose rows they are.
        files: where to write what each run made.
        blocks: in the rows' order; of each, the block of each run.
    """
    with ExitStack() as stack:
        made = {
            path: stack.enter_context(_File(path, features(corpus, run.attack if run else None)))
            for path, run in files.items()
        }
        for of_rows in blocks:
            for file, block in zip(made.values(), of_rows, strict=True):
                file.add(block)
        for file in made.values():
            file.end_row_group()
    return {path: file.written for path, file in made.items()}


def cut(items: Sequence[Item], length: int) -> Iterator[Sequence[Item]]:
    """Runs of `length` items; the last may be shorter."""
    for start in range(0, len(items), length):
        yield items[start : start + length]


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


def _block(originals: _Originals, run: AttackRun | None, schema: pa.Schema) -> Block:
    examples, altered = originals.examples, {}
    statistics = Statistics(rows=len(examples))
    if run is not None:
        attacked = run.apply(examples)
        statistics = summarise(run.attack, zip(examples, attacked, strict=True))
        altered = dict(_altered(run.attack, examples, attacked))
    columns = [
        _array(schema, name, altered[name]) if name in altered else originals.column(name)
        for name in schema.names
    ]
    return Block(pa.Table.from_arrays(columns, schema=schema), statistics)


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """What writes a file with our settings."""
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

    def __init__(self, path: Path, columns: Features) -> None:
        schema = columns.arrow_schema
        self._tables: list[pa.Table] = []
        self._waiting = 0
        self.written = Written(0, 0, Statistics())
        if path.suffix == PART_SUFFIX:
            self._writer = pa.ipc.new_file(str(path), schema)
        else:
            self._writer = parquet_writer(path, schema)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, block: Block) -> None:
        """Take some rows; they are written when there are enough for a row group."""
        self._tables.append(block.table)
        self._waiting += len(block.table)
        before = self.written
        self.written = Written(
            before.rows + len(block.table),
            before.arrow_bytes,
            before.statistics + block.statistics,
        )
        if self._waiting >= ROW_GROUP:
            self.end_row_group()

    def end_row_group(self) -> None:
        """Write the rows added since the last one."""
        if not self._tables:
            return
        table = pa.concat_tables(self._tables).combine_chunks()
        self._tables.clear()
        self._waiting = 0
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
    """Lists of changes as a column, field by field: a quarter of the time of item by item."""
    parts = list(dtype.value_type)
    columns = list(zip(*chain.from_iterable(cells), strict=True)) or [()] * len(parts)
    values = [pa.array(column, one.type) for column, one in zip(columns, parts, strict=True)]
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
