"""A candidates file as it is made: part by part, by one process or several, through kills.

The questions are cut into parts of a fixed number, whoever makes them. A part is a file of its
own beside the output and appears whole or not at all; one that was damaged afterwards counts as
missing and is made again. The process that finds all parts there joins them. So the bytes depend
neither on the number of processes nor on where one was stopped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mcrc_adversarial.atomic import replacing, write_text
from mcrc_adversarial.candidates import parse_lineage, parse_questions
from mcrc_adversarial.errors import OutputError, ParameterError, ResourceError

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
        keys: of the questions, in order.
    """

    output: Path
    lineage: Mapping[str, Any]
    keys: Sequence[str]

    @property
    def folder(self) -> Path:
        """Where the parts lie until they are joined."""
        return self.output.with_name(f"{self.output.name}.parts")

    @property
    def count(self) -> int:
        """The number of parts."""
        return -(-len(self.keys) // PART_QUESTIONS)

    def begin(self) -> bool:
        """Make ready, or go on where an earlier process stopped; False where all is done.

        Raises:
            OutputError: what is there was made with other settings or damaged, or nothing can be
                written.
        """
        if self.output.is_file():
            with self.output.open(encoding="utf-8", errors="replace") as file:
                self._check(file.readline(), self.output)
            if not _holds(self.output, self.keys, behind=1):
                msg = f"{self.output} was cut or altered; remove it, and make it again"
                raise OutputError(msg)
            return False
        known = self.folder / _LINEAGE
        with suppress(FileNotFoundError):
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
        """Numbers, from 0, of the shard's parts that are not there yet, or not whole."""
        own = range(shard.number - 1, self.count, shard.of)
        return [number for number in own if not self._is_whole(number)]

    def _is_whole(self, number: int) -> bool:
        first = number * PART_QUESTIONS
        return _holds(self._part(number), self.keys[first : first + PART_QUESTIONS])

    def write(self, number: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write a part, whole; nothing where another process has joined all parts meanwhile.

        Raises:
            OutputError: it cannot be written.
        """
        try:
            write_text(self._part(number), "".join(map(_line, rows)))
        except OutputError:
            if not self.output.is_file():
                raise

    def join(self) -> bool:
        """Make the file of its parts if all are there; whether it is there now.

        Another process may do the same, and remove the parts, at any moment.

        Raises:
            OutputError: it cannot be written.
        """
        if not self.output.is_file():
            if self.missing(Shard()):
                return self.output.is_file()
            try:
                self._join()
            except OutputError:
                if not self.output.is_file():
                    raise
        with suppress(OSError):
            shutil.rmtree(self.folder)
        return True

    def _join(self) -> None:
        with replacing(self.output) as unfinished, unfinished.open("w", encoding="utf-8") as file:
            file.write(_line(self.lineage))
            for number in range(self.count):
                file.write(self._part(number).read_text(encoding="utf-8"))

    def _part(self, number: int) -> Path:
        return self.folder / f"part-{number:05}.jsonl"


def _holds(path: Path, keys: Sequence[str], *, behind: int = 0) -> bool:
    """Whether a file holds these questions behind its first lines, and nothing else."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[behind:]
        found = [key for key, _ in parse_questions(lines[:-1], str(path))]
    except (OSError, UnicodeDecodeError, ResourceError):
        return False
    return lines[-1:] == [""] and found == list(keys)


def _line(content: Mapping[str, Any]) -> str:
    # In ASCII, since some readers of lines also break them at U+2028 and its like.
    return f"{json.dumps(content, allow_nan=False)}\n"
