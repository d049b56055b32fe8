"""How the files of a build are shared among processes. The bytes do not depend on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from mcrc_adversarial.example import Example
from mcrc_adversarial.export import parquet
from mcrc_adversarial.export.planning import Job

# Measured: making a row and writing it, without the attack.
_ROW_SECONDS = 1e-5
_TRIED = 32
# What a row group may be made in; shorter parts are some more work.
_PARTS = (2, 10)
_PART_SECONDS = 5
# More files side by side have little more to share, and all are lost if the build is stopped.
_BATCH = 4


class Part(NamedTuple):
    """One of the parts that a file is made in.

    Attributes:
        number: from 0.
        n_parts: how many there are.
        in_row_group: how many make a row group.
    """

    number: int
    n_parts: int
    in_row_group: int


class Task(NamedTuple):
    """Files to write side by side, or a part of each."""

    jobs: Sequence[Job]
    files: Sequence[Path]
    part: Part | None = None

    def paths(self) -> list[Path]:
        """Where the files, or their parts, are written."""
        if self.part is None:
            return list(self.files)
        ending = f".{self.part.number}{parquet.PART_SUFFIX}"
        return [file.with_name(f"{file.name}{ending}") for file in self.files]

    def examples(self) -> Sequence[Example]:
        """The questions of its part."""
        examples = self.jobs[0].examples()
        if self.part is None:
            return examples
        rows = parquet.ROW_GROUP // self.part.in_row_group
        return examples[self.part.number * rows :][:rows]


def balanced(tasks: Iterable[Task], num_proc: int) -> list[Task]:
    """Cut the tasks that would outlast the others; long ones first, so that none is left over."""
    lengths = [(sum(map(_seconds, task.jobs)), task) for task in tasks]
    share = sum(seconds for seconds, _ in lengths) / num_proc
    found: list[tuple[float, Task]] = []
    for seconds, task in lengths:
        parts = _parts(len(task.jobs[0].examples()), seconds)
        if seconds > share and len(parts) > 1:
            found += [(seconds / len(parts), task._replace(part=part)) for part in parts]
        else:
            found.append((seconds, task))
    found.sort(key=lambda one: one[0], reverse=True)
    return [task for _, task in found]


def _parts(n_rows: int, seconds: float) -> list[Part]:
    """The parts of a file: short enough that no process is left alone with one at the end."""
    whole_group = seconds * parquet.ROW_GROUP / n_rows
    in_row_group = next((n for n in _PARTS if whole_group / n < _PART_SECONDS), _PARTS[-1])
    n_parts = -(-n_rows * in_row_group // parquet.ROW_GROUP)
    return [Part(number, n_parts, in_row_group) for number in range(n_parts)]


def batches(jobs: Iterable[Job], num_proc: int | None) -> list[list[Job]]:
    """Jobs on the same examples, to be done side by side; enough batches for all processes.

    A cluster shares the examples out, so there all of a split are done together.
    """
    by_split: dict[tuple[str, str], list[Job]] = {}
    for job in jobs:
        by_split.setdefault((job.config.corpus, job.split), []).append(job)
    found = []
    for together in by_split.values():
        size = len(together) if num_proc is None else min(_BATCH, -(-len(together) // num_proc))
        found += [together[start : start + size] for start in range(0, len(together), size)]
    return found


def _seconds(job: Job) -> float:
    """About how long a job takes: some of its rows are tried. The files do not depend on it."""
    examples, attack_run = job.examples(), job.attack_run()
    if attack_run is None:
        return len(examples) * _ROW_SECONDS
    tried = examples[:: len(examples) // _TRIED + 1]
    start = perf_counter()
    attack_run.apply(tried)
    return len(examples) * (_ROW_SECONDS + (perf_counter() - start) / len(tried))
