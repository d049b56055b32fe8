"""A candidates file as it is made: part by part, by one process or several, through kills.

The questions are cut into parts of a fixed number, whoever makes them. A part is a file of its
own beside the output and appears whole or not at all; the process that finds all parts there joins
them. So the bytes depend neither on the number of processes nor on where one was stopped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mcrc_adversarial.atomic import replacing, write_text
from mcrc_adversarial.candidates import parse_lineage
from mcrc_adversarial.errors import OutputError, ParameterError

# Enough that questions of like length are found for a batch, few enough to lose in a kill.
PART_QUESTIONS = 128
_LINEAGE = "lineage.json"


class Shard(NamedTuple):
    """The part of the work that one process does: `number`, from 1, `of` how many."""

    number: int = 1
    of: int = 1


def parse_shard(text: str) -> Shard:
    """Read a shard.

    Raises:
        ParameterError: it is not of the form i/n with 1 <= i <= n.

    >>> parse_shard("2/4")
    Shard(number=2, of=4)
    """
    first, slash, second = text.partition("/")
    is_right = slash and first.isdecimal() and second.isdecimal()
    if not is_right or not 1 <= int(first) <= int(second):
        msg = f"shard is {text!r}; it must be i/n with i from 1 to n, as in 2/4"
        raise ParameterError(msg)
    return Shard(int(first), int(second))


@dataclass(frozen=True)
class Parts:
    """The parts of one candidates file.

    Attributes:
        output: the file.
        lineage: its first line.
    """

    output: Path
    lineage: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """Where the parts lie until they are joined."""
        return self.output.with_name(f"{self.output.name}.parts")

    @property
    def count(self) -> int:
        """The number of parts."""
        return -(-int(self.lineage["questions"]) // PART_QUESTIONS)

    def begin(self) -> bool:
        """Make ready, or go on where an earlier process stopped; False where all is done.

        Raises:
            OutputError: what is there was made with other settings, or nothing can be written.
        """
        if self.output.is_file():
            with self.output.open(encoding="utf-8") as file:
                self._check(file.readline(), self.output)
            return False
        known = self.folder / _LINEAGE
        if known.is_file():
            self._check(known.read_text(encoding="utf-8"), self.folder)
            return True
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{self.folder}: cannot be made ({error.strerror}); give another --output"
            raise OutputError(msg) from error
        write_text(known, _line(self.lineage))
        return True

    def _check(self, line: str, place: Path) -> None:
        there = parse_lineage(line, str(place))
        for name, value in self.lineage.items():
            if there.get(name) != value:
                msg = (
                    f"{place} was made with {name} {there.get(name)!r}, now it is {value!r}; give"
                    " another --output, or remove it"
                )
                raise OutputError(msg)

    def missing(self, shard: Shard) -> list[int]:
        """Numbers, from 0, of the shard's parts that are not there yet."""
        own = range(shard.number - 1, self.count, shard.of)
        return [number for number in own if not self._part(number).is_file()]

    def write(self, number: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write a part, whole.

        Raises:
            OutputError: it cannot be written.
        """
        write_text(self._part(number), "".join(map(_line, rows)))

    def join(self) -> bool:
        """Make the file of its parts if all are there; whether it is there now.

        Raises:
            OutputError: it cannot be written.
        """
        if self.output.is_file():
            return True
        if self.missing(Shard()):
            # Another process may have joined them, and be removing the parts right now.
            return self.output.is_file()
        with replacing(self.output) as unfinished, unfinished.open("w", encoding="utf-8") as file:
            file.write(_line(self.lineage))
            for number in range(self.count):
                file.write(self._part(number).read_text(encoding="utf-8"))
        with suppress(OSError):
            shutil.rmtree(self.folder)
        return True

    def _part(self, number: int) -> Path:
        return self.folder / f"part-{number:05}.jsonl"


def _line(content: Mapping[str, Any]) -> str:
    # In ASCII, since some readers of lines also break them at U+2028 and its like.
    return f"{json.dumps(content, allow_nan=False)}\n"
