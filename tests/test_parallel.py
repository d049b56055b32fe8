"""Tasks in several processes, and how these end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mcrc_adversarial.errors import DataError, WorkerError
from mcrc_adversarial.parallel import run

# Two workers that say who they are: one then waits for ever, the other for another task.
_WAITING = """
import os, signal
from mcrc_adversarial.parallel import run
def wait(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    if number == 1:
        signal.pause()
try:
    list(run(wait, [1, 2], 2))
except KeyboardInterrupt:
    os.write(1, b"interrupted\\n")
"""


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def fail_on_two(number: int) -> int:
    if number == 2:
        msg = "record 'two' is bad"
        raise DataError(msg)
    return number


def die_on_two(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("num_proc", [1, 2, 5])
def test_run_gives_every_result_once(num_proc: int) -> None:
    results = list(run(square, [1, 2, 3, 4], num_proc))

    assert sorted(result for result, _ in results) == [1, 4, 9, 16]
    assert (os.getpid() in {process for _, process in results}) is (num_proc == 1)


def test_run_does_nothing_for_no_tasks() -> None:
    assert list(run(square, [], 3)) == []


@pytest.mark.parametrize("num_proc", [1, 2])
def test_run_passes_an_error_on(num_proc: int) -> None:
    with pytest.raises(DataError, match="record 'two' is bad"):
        list(run(fail_on_two, [1, 2, 3], num_proc))


def test_run_says_that_a_process_was_killed() -> None:
    with pytest.raises(WorkerError, match=r"was killed.* of 3 tasks.*--num-proc"):
        list(run(die_on_two, [1, 2, 3], 2))


def test_run_can_be_left_before_its_end() -> None:
    with closing(run(square, list(range(50)), 2)) as results:
        next(results)


@pytest.mark.parametrize(
    ("number", "last_line"), [(signal.SIGINT, "interrupted\n"), (signal.SIGKILL, "")]
)
def test_run_leaves_no_process_behind(number: signal.Signals, last_line: str) -> None:
    root = Path(__file__).parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", _WAITING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        start_new_session=True,
    )
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]

    if number == signal.SIGINT:
        # Ctrl-C: a terminal sends it to all processes of the group.
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)

    # The workers hold the pipe's other end, so that it closes when the last one has gone.
    output, errors = process.communicate(timeout=60)
    assert output == last_line
    assert errors == ""
    assert len(set(workers)) == 2
