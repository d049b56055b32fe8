"""Building configs into a folder that plain `datasets.load_dataset(folder, config)` reads.

One Parquet file for each config and split, a dataset card that lists the configs, and a manifest
that says what each file was made from. The bytes depend on the inputs and on the versions of the
libraries, not on the number of processes.
"""

# Longer than 300 lines: planning, sharing and joining are one thing seen from three sides.

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import chain
from operator import add
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.builder import ROWS_VERSION, attack_fingerprint, candidates_of
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import Corpus, Source, corpora, find_source, read_split
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export import parquet
from mcrc_adversarial.export.folder import Folder, inspect, locked, one_line
from mcrc_adversarial.export.joined import Joined
from mcrc_adversarial.export.manifest import FileRecord, in_order
from mcrc_adversarial.export.parquet import AttackRun, Block, Written, make, write
from mcrc_adversarial.parallel import check_num_proc, run
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed


@dataclass(frozen=True, slots=True)
class Settings:
    """How to build.

    Attributes:
        splits: which ones; those of each corpus that are found where it is None.
        seed: of the attacks.
        parameters: of the attacks, by name; each attack gets those that it has.
        data_dir: where the raw files are; see `corpora.find_source`.
        verify: whether a corpus must be the published one; see `corpora.read_split`.
    """

    splits: tuple[str, ...] | None = None
    seed: int = DEFAULT_SEED
    parameters: Mapping[str, object] = field(default_factory=dict)
    data_dir: Path | None = None
    verify: bool = True


# What does the work.
ENGINES = ("processes", "ray")
# Measured: making a row and writing it, without the attack.
_ROW_SECONDS = 1e-5
_TRIED = 32
# More files side by side have little more to share, and all are lost if the build is stopped.
_BATCH = 4

# Called with (rows done, rows in all).
Progress = Callable[[int, int], None]


def export(
    configs: Iterable[ConfigName],
    output: str | Path,
    settings: Settings | None = None,
    *,
    num_proc: int = 1,
    engine: str = "processes",
    progress: Progress = lambda done, total: None,
) -> list[FileRecord]:
    """Build `configs` into the folder `output`, beside what an earlier export left there.

    Files that are there already, made from the same inputs, are kept. It may be killed at any
    moment: the next call removes what is unfinished and goes on.

    Args:
        configs: what to build.
        output: a folder of its own; made if missing.
        settings: the defaults unless given.
        num_proc: number of processes, at least 1.
        engine: "processes" of this machine, or "ray" for a cluster, which has a number of its own.
        progress: is told how many rows are built; rows of files that were kept do not count.

    Returns:
        The files of `configs`, in the order of config names and splits.

    Raises:
        UnknownNameError: a split that a corpus does not have.
        ParameterError: a seed, parameter, engine or number of processes that is not allowed.
        OutputError: `output` holds anything else, or cannot be written.
        WorkerError: a worker process was killed, or there is no cluster.
    """
    _check_engine(engine, check_num_proc(num_proc))
    recorded = inspect(Path(output))
    _source.cache_clear()
    try:
        jobs = _plan(configs, settings or Settings())
        # Read before anything is written, so that bad input leaves no trace.
        for job in jobs:
            if not any(job.made(record) for record in recorded):
                job.check_candidates()
        with ExitStack() as stack:
            if engine == "ray":
                # Before the folder is touched: there may be no cluster.
                stack.enter_context(_cluster().connected())
            folder = stack.enter_context(locked(Path(output)))
            _build(folder, jobs, num_proc if engine == "processes" else None, progress)
    finally:
        _source.cache_clear()
    return in_order(record for record in folder.records if any(job.made(record) for job in jobs))


def _check_engine(engine: str, num_proc: int) -> None:
    if engine not in ENGINES:
        msg = f"engine is {engine!r}; allowed are {', '.join(ENGINES)}"
        raise ParameterError(msg)
    if engine == "ray" and num_proc > 1:
        msg = "num_proc is for the engine 'processes'; a Ray cluster has as many as its machines"
        raise ParameterError(msg)


def attack_parameters(
    names: Iterable[str], given: Mapping[str, object]
) -> dict[str, dict[str, Any]]:
    """Resolved parameters of each attack in `names`: of those given, each gets what it has.

    Raises:
        ParameterError: none of the attacks has one of the parameters, or a value is not allowed.
    """
    known = {name: {parameter.name for parameter in attacks.get(name).parameters} for name in names}
    for parameter in given:
        if not any(parameter in has for has in known.values()):
            takes = ", ".join(sorted(set().union(*known.values()))) or "none besides the seed"
            msg = f"no attack to build has a parameter {parameter!r}; they take: {takes}"
            if owners := [
                one.name for one in attacks if parameter in {has.name for has in one.parameters}
            ]:
                msg += (
                    f"; it is one of {', '.join(owners)}: name the attack (`all` may leave it out)"
                )
            raise ParameterError(msg)
    return {
        name: attacks.get(name).resolve({key: given[key] for key in given if key in has})
        for name, has in known.items()
    }


@dataclass(frozen=True, slots=True)
class _Job:
    """One file to build; small, so that it can be sent to another process."""

    config: ConfigName
    split: str
    settings: Settings
    parameters: Mapping[str, Any]
    inputs: Mapping[str, Any]

    def made(self, record: FileRecord) -> bool:
        """Whether this job is what the file was made by."""
        same_place = (record.config, record.split) == (str(self.config), self.split)
        return same_place and record.inputs == self.inputs

    def examples(self) -> list[Example]:
        source = _source(self.config.corpus, self.settings.data_dir)
        return read_split(source.corpus, source, self.split, verify=self.settings.verify)

    def check_candidates(self) -> None:
        """Read the examples; raise unless the attack finds all candidates that it needs."""
        examples, attack_run = self.examples(), self.attack_run()
        file = attack_run and candidates_of(attack_run.attack, attack_run.parameters)
        if file:
            file.check(examples)

    def attack_run(self) -> AttackRun | None:
        if self.config.attack is None:
            return None
        return AttackRun(attacks.get(self.config.attack), self.settings.seed, self.parameters)


class _Task(NamedTuple):
    """Files to write side by side, or one of the equal parts that each is cut into."""

    jobs: Sequence[_Job]
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
        examples = self.jobs[0].examples()
        if self.n_parts == 1:
            return examples
        start = self.part * parquet.ROW_GROUP
        return examples[start : start + parquet.ROW_GROUP]


class _Built(NamedTuple):
    """What a process has written of a file."""

    job: _Job
    path: Path
    part: int
    n_parts: int
    written: Written


# What makes blocks of rows: this process, or a cluster.
_Make: TypeAlias = Callable[
    [Corpus, Sequence[Example], Sequence[AttackRun | None]], Iterable[Sequence[Block]]
]


# Forked workers inherit what the first process found; others look once more.
@cache
def _source(corpus: str, data_dir: Path | None) -> Source:
    return find_source(corpora.get(corpus), data_dir)


# To know the splits, archives are unpacked; as with what `read_split` has read, once is enough.
_found_before: dict[tuple[str, int, str], tuple[str, ...]] = {}


def _plan(configs: Iterable[ConfigName], settings: Settings) -> list[_Job]:
    check_seed(settings.seed)
    names = list(dict.fromkeys(configs))
    parameters = attack_parameters(
        {name.attack: None for name in names if name.attack}, settings.parameters
    )
    return [job for name in names for job in _jobs(name, settings, parameters)]


def _jobs(
    name: ConfigName, settings: Settings, parameters: Mapping[str, Mapping[str, Any]]
) -> Iterator[_Job]:
    attack = None if name.attack is None else attacks.get(name.attack)
    resolved = dict(parameters[attack.name]) if attack else {}
    source = _source(name.corpus, settings.data_dir)
    inputs = {
        "rows_version": ROWS_VERSION,
        "corpus": name.corpus,
        "corpus_version": source.corpus.version,
        "raw_files": source.fingerprint,
        "verified": settings.verify,
        "attack": attack and attack_fingerprint(attack, settings.seed, resolved),
    }
    wanted = settings.splits
    file = attack and candidates_of(attack, resolved)
    if file and wanted is None:
        wanted = tuple(file.covered(_splits(source, None), str(name)))
    for split in _splits(source, wanted):
        yield _Job(name, split, settings, resolved, inputs)


def _splits(source: Source, wanted: Sequence[str] | None) -> Sequence[str]:
    key = (source.corpus.name, source.corpus.version, source.fingerprint)
    if key not in _found_before:
        _found_before[key] = source.splits()
    found = _found_before[key]
    for split in wanted or ():
        if split not in found:
            known = f"{unknown_name('split', split, found)} (corpus {source.corpus.name!r})"
            raise UnknownNameError(known)
    return [split for split in found if wanted is None or split in wanted]


def _build(folder: Folder, jobs: Sequence[_Job], num_proc: int | None, progress: Progress) -> None:
    """Build what is not there; on a cluster if `num_proc` is None."""
    todo = [job for job in jobs if not any(job.made(record) for record in folder.records)]
    folder.begin((str(job.config), job.split) for job in todo)
    tasks = [
        _Task(batch, [folder.unfinished(str(job.config), job.split) for job in batch])
        for batch in _batches(todo, num_proc)
    ]
    if num_proc is not None and num_proc > 1:
        tasks = _balanced(tasks, num_proc)
    done, total = 0, sum(len(job.examples()) for job in todo)
    progress(done, total)
    with ExitStack() as stack:
        results = stack.enter_context(closing(_results(tasks, num_proc)))
        arrived: dict[Path, _Arrived] = {}
        for built in results:
            path = folder.unfinished(str(built.job.config), built.job.split)
            if path not in arrived:
                arrived[path] = stack.enter_context(closing(_Arrived(path, built.n_parts)))
            if (record := arrived[path].add(built)) is not None:
                folder.add(record)
            done += built.written.rows
            progress(done, total)
    folder.finish()


def _results(tasks: Sequence[_Task], num_proc: int | None) -> Generator[_Built, None, None]:
    if num_proc is not None:
        with closing(run(_build_files, tasks, num_proc)) as built:
            yield from chain.from_iterable(built)
        return
    for task in tasks:
        yield from _build_files(task, _cluster().made_on_cluster)


def _cluster() -> ModuleType:
    # Only here: Ray is an extra.
    from mcrc_adversarial.export import cluster

    return cluster


def _balanced(tasks: Iterable[_Task], num_proc: int) -> list[_Task]:
    """Cut the tasks that would outlast the others; long ones first, so that none is left over."""
    lengths = [(sum(map(_seconds, task.jobs)), task) for task in tasks]
    share = sum(seconds for seconds, _ in lengths) / num_proc
    found: list[tuple[float, _Task]] = []
    for seconds, task in lengths:
        n_parts = len(range(0, len(task.jobs[0].examples()), parquet.ROW_GROUP))
        if seconds > share and n_parts > 1:
            cut = (task._replace(part=part, n_parts=n_parts) for part in range(n_parts))
            found += [(seconds / n_parts, one) for one in cut]
        else:
            found.append((seconds, task))
    found.sort(key=lambda one: one[0], reverse=True)
    return [task for _, task in found]


def _batches(jobs: Iterable[_Job], num_proc: int | None) -> list[list[_Job]]:
    """Jobs on the same examples, to be done side by side; enough batches for all processes.

    A cluster shares the examples out, so there all of a split are done together.
    """
    by_split: dict[tuple[str, str], list[_Job]] = {}
    for job in jobs:
        by_split.setdefault((job.config.corpus, job.split), []).append(job)
    found = []
    for together in by_split.values():
        size = len(together) if num_proc is None else min(_BATCH, -(-len(together) // num_proc))
        found += [together[start : start + size] for start in range(0, len(together), size)]
    return found


def _seconds(job: _Job) -> float:
    """About how long a job takes: some of its rows are tried. The files do not depend on it."""
    examples, attack_run = job.examples(), job.attack_run()
    if attack_run is None:
        return len(examples) * _ROW_SECONDS
    tried = examples[:: len(examples) // _TRIED + 1]
    start = perf_counter()
    attack_run.apply(tried)
    return len(examples) * (_ROW_SECONDS + (perf_counter() - start) / len(tried))


def _build_files(task: _Task, made: _Make = make) -> list[_Built]:
    paths = task.paths()
    with one_line(paths[0].parent.parent):
        corpus = corpora.get(task.jobs[0].config.corpus)
        files = {path: job.attack_run() for job, path in zip(task.jobs, paths, strict=True)}
        written = write(corpus, files, made(corpus, task.examples(), list(files.values())))
        return [
            _Built(job, path, task.part, task.n_parts, written[path])
            for job, path in zip(task.jobs, paths, strict=True)
        ]


class _Arrived:
    """What has been written of a file; its parts are joined while others are still made."""

    def __init__(self, path: Path, n_parts: int) -> None:
        self._path = path
        self._joined = Joined(path, n_parts) if n_parts > 1 else None
        self._written: list[Written] = []

    def add(self, built: _Built) -> FileRecord | None:
        """Take a part; return the record of the file once it is whole."""
        self._written.append(built.written)
        if self._joined is not None:
            with one_line(self._path.parent.parent):
                if not self._joined.add(built.part, built.path):
                    return None
        return _record(built.job, self._path, reduce(add, self._written))

    def close(self) -> None:
        """Close the file."""
        if self._joined is not None:
            self._joined.close()


def _record(job: _Job, path: Path, written: Written) -> FileRecord:
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
