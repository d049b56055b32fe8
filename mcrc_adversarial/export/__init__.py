"""Building configs into a folder that plain `datasets.load_dataset(folder, config)` reads.

One Parquet file for each config and split, a dataset card that lists the configs, and a manifest
that says what each file was made from. The bytes depend on the inputs and on the versions of the
libraries, not on the number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.export.building import Progress, build, cluster_module
from mcrc_adversarial.export.folder import inspect, locked
from mcrc_adversarial.export.manifest import FileRecord, in_order
from mcrc_adversarial.export.planning import Settings, attack_parameters, forget_sources, plan
from mcrc_adversarial.parallel import check_num_proc

__all__ = ["ENGINES", "Progress", "Settings", "attack_parameters", "export"]

# What does the work.
ENGINES = ("processes", "ray")


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
    forget_sources()
    try:
        jobs = plan(configs, settings or Settings())
        # Read before anything is written, so that bad input leaves no trace.
        for job in jobs:
            if not any(job.made(record) for record in recorded):
                job.check_candidates()
        with ExitStack() as stack:
            if engine == "ray":
                # Before the folder is touched: there may be no cluster.
                stack.enter_context(cluster_module().connected())
            folder = stack.enter_context(locked(Path(output)))
            build(folder, jobs, num_proc if engine == "processes" else None, progress)
    finally:
        forget_sources()
    return in_order(record for record in folder.records if any(job.made(record) for job in jobs))


def _check_engine(engine: str, num_proc: int) -> None:
    if engine not in ENGINES:
        msg = f"engine is {engine!r}; allowed are {', '.join(ENGINES)}"
        raise ParameterError(msg)
    if engine == "ray" and num_proc > 1:
        msg = "num_proc is for the engine 'processes'; a Ray cluster has as many as its machines"
        raise ParameterError(msg)
