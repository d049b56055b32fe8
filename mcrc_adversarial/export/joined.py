"""One file of parts that several processes make, joined while others are still made."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mcrc_adversarial.export import parquet


class Joined:
    """One file made of row groups that `parquet.write` wrote as Arrow files, as they become ready.

    The bytes are those that `parquet.write` gives for all rows at once.

    Args:
        path: where to write.
        n_parts: number of row groups, at least 1.
    """

    def __init__(self, path: Path, n_parts: int) -> None:
        self._path = path
        self._left = list(range(n_parts))
        self._waiting: dict[int, Path] = {}
        self._writer: pq.ParquetWriter | None = None

    def add(self, number: int, part: Path) -> bool:
        """Take a part, write those whose turn it is, remove them; return whether all are there."""
        self._waiting[number] = part
        while self._left and self._left[0] in self._waiting:
            self._append(self._waiting.pop(self._left.pop(0)))
        if not self._left:
            self.close()
        return not self._left

    def close(self) -> None:
        """End the file, whole or not."""
        if self._writer is not None:
            self._writer.close()

    def _append(self, part: Path) -> None:
        with pa.memory_map(str(part)) as source, pa.ipc.open_file(source) as reader:
            table = reader.read_all()
            if self._writer is None:
                self._writer = parquet.parquet_writer(self._path, table.schema)
            self._writer.write_table(table, row_group_size=parquet.ROW_GROUP)
            del table
        part.unlink()
