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
# More files side by side have little more to share, and all are lost if the build is stopped.
_BATCH = 4


class Task(NamedTuple):
    """Files to write side by side, or one of the equal parts that each is cut into."""

    jobs: Sequence[Job]
    files: Sequence[Path]
    part: int = 0
    n_parts: int = 1

    def paths(self) -> list[Path]:
        """Where the parts are written."""
        if self.n_parts == 1:
            return list(self.files)
        ending = f".{self.part}{parquet.PART_SUFFIX}"
        return [file.with_name(f"{file.name}{ending}") for file in self.files]

    def examples(self) -> Sequence[Example]:
        """The questions of its part."""
        examples = self.jobs[0].examples()
        if self.n_parts == 1:
            return examples
        return list(parquet.cut(examples, _part_rows()))[self.part]


def _part_rows() -> int:
    return parquet.ROW_GROUP // parquet.PARTS


def balanced(tasks: Iterable[Task], num_proc: int) -> list[Task]:
    """Cut the tasks that would outlast the others; long ones first, so that none is left over."""
    lengths = [(sum(map(_seconds, task.jobs)), task) for task in tasks]
    share = sum(seconds for seconds, _ in lengths) / num_proc
    found: list[tuple[float, Task]] = []
    for seconds, task in lengths:
        n_parts = len(list(parquet.cut(task.jobs[0].examples(), _part_rows())))
        if seconds > share and n_parts > 1:
            cut = (task._replace(part=part, n_parts=n_parts) for part in range(n_parts))
            found += [(seconds / n_parts, one) for one in cut]
        else:
            found.append((seconds, task))
    found.sort(key=lambda one: one[0], reverse=True)
    return [task for _, task in found]


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
