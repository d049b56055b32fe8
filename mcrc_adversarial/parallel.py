"""Doing many tasks in several processes that end when this one ends."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import TypeVar

from mcrc_adversarial.collecting import collect_seldom
from mcrc_adversarial.errors import ParameterError, WorkerError

Task = TypeVar("Task")
Result = TypeVar("Result")


def check_num_proc(value: object) -> int:
    """Return `value` if it is an int of at least 1.

    Raises:
        ParameterError: it is anything else.
    """
    if type(value) is not int or value < 1:
        msg = f"num_proc is {value!r}; it must be a number of processes, an integer of at least 1"
        raise ParameterError(msg)
    return value


def run(
    function: Callable[[Task], Result], tasks: Sequence[Task], num_proc: int
) -> Generator[Result, None, None]:
    """The results of `function(task)`, in the order in which they become ready.

    On Linux the processes are forked, and so share what this one has read. They start the tasks in
    the order given. When this process is killed, or the iterator is closed before its end, they
    end at once.

    Args:
        function: at the top level of a module.
        tasks: arguments for `function`.
        num_proc: at least 1; with 1, or one task, all is done in this process.

    Raises:
        WorkerError: a process ended before its task did.
    """
    if num_proc == 1 or len(tasks) < 2:
        yield from map(function, tasks)
        return
    reader, writer = _context().Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        max_workers=min(num_proc, len(tasks)),
        mp_context=_context(),
        initializer=_start_worker,
        initargs=(reader, writer),
    )
    try:
        yield from _results(_submit(pool, function, tasks))
    finally:
        # The workers wait for this end to close: see `_end_with`.
        writer.close()
        reader.close()
        pool.shutdown(wait=True, cancel_futures=True)


def _context() -> multiprocessing.context.BaseContext:
    # Elsewhere than on Linux, system libraries do not survive a fork.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _submit(
    pool: ProcessPoolExecutor, function: Callable[[Task], Result], tasks: Sequence[Task]
) -> list[Future[Result]]:
    # Frozen objects are not visited by the collector, whose marks would copy the shared pages.
    gc.freeze()
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork beside other threads, which might hold a lock. Those of
            # Arrow, the only ones this package starts, are made anew in the child.
            warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
            return [pool.submit(function, task) for task in tasks]
    finally:
        gc.unfreeze()


def _results(futures: Sequence[Future[Result]]) -> Iterator[Result]:
    for done, future in enumerate(as_completed(futures)):
        try:
            yield future.result()
        except BrokenProcessPool as error:
            msg = (
                f"a worker process was killed, perhaps for want of memory, after {done} of"
                f" {len(futures)} tasks; files that are whole are kept: run the same again to go"
                " on, with fewer processes (num_proc, --num-proc) if memory is short"
            )
            raise WorkerError(msg) from error


def _start_worker(reader: Connection, writer: Connection) -> None:
    # Ctrl-C reaches every process of a terminal; the first one decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    writer.close()
    threading.Thread(target=_end_with, args=(reader,), daemon=True).start()


def _end_with(reader: Connection) -> None:
    """End this process when the one that started it closes its pipe, or is gone."""
    try:
        reader.recv_bytes()
    except EOFError:
        os._exit(1)
