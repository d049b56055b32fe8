"""Making the files of a build: by processes of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import reduce
from itertools import chain
from operator import add
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeAlias

from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.example import Example
from mcrc_adversarial.export.folder import Folder, one_line
from mcrc_adversarial.export.joined import Joined
from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.export.parquet import AttackRun, Block, Written, make, write
from mcrc_adversarial.export.planning import Job
from mcrc_adversarial.export.sharing import Part, Task, balanced, batches
from mcrc_adversarial.parallel import run

# Called with (rows done, rows in all).
Progress = Callable[[int, int], None]


class _Built(NamedTuple):
    """What a process has written of a file."""

    job: Job
    path: Path
    part: Part | None
    written: Written


# What makes blocks of rows: this process, or a cluster.
_Make: TypeAlias = Callable[
    [Corpus, Sequence[Example], Sequence[AttackRun | None]], Iterable[Sequence[Block]]
]


def build(folder: Folder, jobs: Sequence[Job], num_proc: int | None, progress: Progress) -> None:
    """Build what is not there; on a cluster if `num_proc` is None."""
    todo = [job for job in jobs if not any(job.made(record) for record in folder.records)]
    folder.begin((str(job.config), job.split) for job in todo)
    tasks = [
        Task(batch, [folder.unfinished(str(job.config), job.split) for job in batch])
        for batch in batches(todo, num_proc)
    ]
    if num_proc is not None and num_proc > 1:
        tasks = balanced(tasks, num_proc)
    done, total = 0, sum(len(job.examples()) for job in todo)
    progress(done, total)
    with ExitStack() as stack:
        results = stack.enter_context(closing(_results(tasks, num_proc)))
        arrived: dict[Path, _Arrived] = {}
        for built in results:
            path = folder.unfinished(str(built.job.config), built.job.split)
            if path not in arrived:
                arrived[path] = stack.enter_context(closing(_Arrived(path, built.part)))
            if (record := arrived[path].add(built)) is not None:
                folder.add(record)
            done += built.written.rows
            progress(done, total)
    folder.finish()


def _results(tasks: Sequence[Task], num_proc: int | None) -> Generator[_Built, None, None]:
    if num_proc is not None:
        with closing(run(_build_files, tasks, num_proc)) as built:
            yield from chain.from_iterable(built)
        return
    for task in tasks:
        yield from _build_files(task, cluster_module().made_on_cluster)


def cluster_module() -> ModuleType:
    """The module that works on a Ray cluster."""
    # Only here: Ray is an extra.
    from mcrc_adversarial.export import cluster

    return cluster


def _build_files(task: Task, made: _Make = make) -> list[_Built]:
    paths = task.paths()
    with one_line(paths[0].parent.parent):
        corpus = corpora.get(task.jobs[0].config.corpus)
        files = {path: job.attack_run() for job, path in zip(task.jobs, paths, strict=True)}
        written = write(corpus, files, made(corpus, task.examples(), list(files.values())))
        return [
            _Built(job, path, task.part, written[path])
            for job, path in zip(task.jobs, paths, strict=True)
        ]


class _Arrived:
    """What has been written of a file; its parts are joined while others are still made."""

    def __init__(self, path: Path, part: Part | None) -> None:
        self._path = path
        self._joined = part and Joined(path, part.n_parts, part.in_row_group)
        self._written: list[Written] = []

    def add(self, built: _Built) -> FileRecord | None:
        """Take a part; return the record of the file once it is whole."""
        if self._joined is None or built.part is None:
            return _record(built.job, self._path, built.written)
        self._written.append(built.written)
        with one_line(self._path.parent.parent):
            if not self._joined.add(built.part.number, built.path):
                return None
        whole = reduce(add, self._written)
        # Columns of a row group take less than those of its parts.
        whole = replace(whole, arrow_bytes=self._joined.arrow_bytes)
        return _record(built.job, self._path, whole)

    def close(self) -> None:
        """Close the file."""
        if self._joined is not None:
            self._joined.close()


def _record(job: Job, path: Path, written: Written) -> FileRecord:
    return FileRecord(
        config=str(job.config),
        split=job.split,
        rows=written.rows,
        n_bytes=path.stat().st_size,
        arrow_bytes=written.arrow_bytes,
        sha256=file_digest(path),
        inputs=job.inputs,
        statistics=written.statistics,
    )
