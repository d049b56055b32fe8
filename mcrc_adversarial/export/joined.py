"""One file of parts that several processes make, joined while others are still made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mcrc_adversarial.export import parquet
from mcrc_adversarial.export.parquet import cut


class Joined:
    """One file made of what `parquet.write` wrote as Arrow files, as they become ready.

    The bytes are those that `parquet.write` gives for all rows at once.

    Args:
        path: where to write.
        n_parts: number of parts, at least 1.
        in_row_group: how many make a row group; the last one has those that are left.

    Attributes:
        arrow_bytes: size of what has been written, as Arrow columns.
    """

    def __init__(self, path: Path, n_parts: int, in_row_group: int) -> None:
        self._path = path
        self._left = list(cut(range(n_parts), in_row_group))
        self._waiting: dict[int, Path] = {}
        self._writer: pq.ParquetWriter | None = None
        self.arrow_bytes = 0

    def add(self, number: int, part: Path) -> bool:
        """Take a part, write those whose turn it is, remove them; return whether all are there."""
        self._waiting[number] = part
        while self._left and all(one in self._waiting for one in self._left[0]):
            self._append([self._waiting.pop(one) for one in self._left.pop(0)])
        if not self._left:
            self.close()
        return not self._left

    def close(self) -> None:
        """End the file, whole or not."""
        if self._writer is not None:
            self._writer.close()

    def _append(self, parts: Sequence[Path]) -> None:
        """Write a row group."""
        with ExitStack() as stack:
            sources = [stack.enter_context(pa.memory_map(str(part))) for part in parts]
            readers = [stack.enter_context(pa.ipc.open_file(source)) for source in sources]
            table = pa.concat_tables([reader.read_all() for reader in readers]).combine_chunks()
            if self._writer is None:
                self._writer = parquet.parquet_writer(self._path, table.schema)
            self._writer.write_table(table, row_group_size=parquet.ROW_GROUP)
            self.arrow_bytes += table.nbytes
            del table
        for part in parts:
            part.unlink()
