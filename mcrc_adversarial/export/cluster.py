"""Attacking on a Ray cluster: its machines make blocks of rows, this one writes them.

A worker gets the examples of a block, so it needs this package but no raw files and no common
disk. A block that was lost with its worker is made again, from the same draws; blocks come back in
order. So the bytes are those of one process.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, NamedTuple

import ray
import ray.data

from mcrc_adversarial._version import __version__
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.builder import ROWS_VERSION, attack_fingerprint
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.errors import McrcError, WorkerError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export.parquet import AttackRun, Block, cut, joined, make

# Divides `parquet.ROW_GROUP`. Examples in a block: a worker is busy with one for about half a
# second, with all attacks, and one weighs some 30 MB when it comes back.
BLOCK = 1000
# Of which a core gets so many at a time: about 16 seconds of work, after which all cores wait for
# the last and the next begin, and 23 MB of questions in the cluster's store.
BLOCKS_A_CORE = 32
# Seconds.
_PATIENCE = 5
# A gRPC server, as a head is one, speaks HTTP/2: to this beginning it answers with a frame of its
# settings (RFC 9113, sections 3.4 and 6.5), whose kind stands in the fourth byte.
_SETTINGS = 4
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0])


@contextmanager
def connected() -> Iterator[None]:
    """A connection to the cluster of RAY_ADDRESS, or of this machine; else one of this machine's.

    One that was there before stays.

    Raises:
        WorkerError: there is no cluster at the address.
    """
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        _reach(os.environ.get("RAY_ADDRESS", ""))
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        msg = (
            f"no Ray cluster to connect to ({_first_line(error)}); RAY_ADDRESS is the HOST:PORT of"
            " a cluster's head, or unset for a cluster of this machine"
        )
        raise WorkerError(msg) from error
    # Ray Data has a way of its own to say how it goes.
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise in seconds where nothing listens, or no Ray: Ray itself would try for minutes.

    Raises:
        OSError: nothing listens there, or something else.
        ValueError: the address is of another form.
    """
    if address in ("", "auto", "local"):
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not (port.isascii() and port.isdigit()):
        msg = f"RAY_ADDRESS is {address!r}"
        raise ValueError(msg)
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as connection:
            speaks = _speaks_http2(connection)
    except (OSError, OverflowError) as error:
        msg = f"nothing answers at {address}: {error}"
        raise OSError(msg) from error
    if not speaks:
        msg = f"what answers at {address} is no head of a Ray cluster"
        raise OSError(msg)


def _speaks_http2(connection: socket.socket) -> bool:
    if os.environ.get("RAY_USE_TLS", "").lower() in ("1", "true"):
        # It would greet by a handshake with certificates, which are Ray's matter.
        return True
    # A head that is busy may be slow.
    connection.settimeout(2 * _PATIENCE)
    connection.sendall(_GREETING)
    answer = connection.recv(len(_GREETING))
    return len(answer) > 3 and answer[3] == _SETTINGS


def made_on_cluster(
    corpus: Corpus, examples: Sequence[Example], runs: Sequence[AttackRun | None]
) -> Iterator[list[Block]]:
    """`parquet.make`, by the workers of the cluster that this process is connected to.

    The cluster gets a stretch of the examples at a time, so that what is sent and kept for it does
    not grow with their number.

    Raises:
        McrcError: what an attack raised.
        WorkerError: the cluster could not do it.
    """
    order = pickle.dumps(_Order.of(corpus, runs))
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        for stretch in cut(examples, BLOCK * BLOCKS_A_CORE * max(1, cores)):
            yield from _made(order, stretch)
    except ray.exceptions.RayError as error:
        msg = (
            f"the Ray cluster could not go on ({_first_line(error)}); what is done is kept: run the"
            " same again to go on"
        )
        raise WorkerError(msg) from error


def _made(order: bytes, examples: Sequence[Example]) -> Iterator[list[Block]]:
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    blocks = [{"examples": pickle.dumps(block)} for block in cut(examples, BLOCK)]
    todo = ray.data.from_items(blocks, override_num_blocks=len(blocks))
    # Now in the cluster's store.
    del blocks
    for row in todo.map(partial(_attacked, order)).iter_rows():
        # Made by `_attacked`, on a machine of the same cluster.
        made = pickle.loads(row["made"])  # noqa: S301
        if isinstance(made, McrcError):
            raise made
        yield made


class _Order(NamedTuple):
    """What a worker has to do with all examples that it gets.

    Attributes:
        corpus: its name.
        runs: of each run the attack's name, which can be sent where an attack cannot, seed and
            parameters; None for the original.
        versions: what the rows depend on besides, on the machine that began.
    """

    corpus: str
    runs: Sequence[tuple[str, int, Mapping[str, Any]] | None]
    versions: Mapping[str, object]

    @classmethod
    def of(cls, corpus: Corpus, runs: Sequence[AttackRun | None]) -> _Order:
        named = [
            None if run is None else (run.attack.name, run.seed, dict(run.parameters))
            for run in runs
        ]
        return cls(corpus.name, named, _versions(corpus, runs))


def _versions(corpus: Corpus, runs: Sequence[AttackRun | None]) -> dict[str, object]:
    return {
        "mcrc-adversarial": __version__,
        "rows": ROWS_VERSION,
        f"corpus {corpus.name}": corpus.version,
        **{
            f"attack {run.attack.name}": attack_fingerprint(
                run.attack, run.seed, dict(run.parameters)
            )
            for run in runs
            if run is not None
        },
    }


# Once a worker's process, not once a block.
@lru_cache(maxsize=4)
def _understood(sent: bytes) -> tuple[Corpus, list[AttackRun | None]]:
    """An order, where this machine would make the same rows of it.

    Raises:
        McrcError: it would not, or lacks what an attack needs.
    """
    # Made by `made_on_cluster`.
    order: _Order = pickle.loads(sent)  # noqa: S301
    corpus = corpora.get(order.corpus)
    runs = [run and AttackRun(attacks.get(run[0]), run[1], run[2]) for run in order.runs]
    for name, found in _versions(corpus, runs).items():
        if found != order.versions.get(name):
            msg = (
                f"a worker on {socket.gethostname()!r} would make other rows: of {name} it has"
                f" {found!r}, and the machine that began {order.versions.get(name)!r}; install the"
                " same versions on every machine"
            )
            raise WorkerError(msg)
    return corpus, runs


def _attacked(order: bytes, row: Mapping[str, bytes]) -> dict[str, bytes]:
    """What a worker does."""
    # Made by `_made`.
    examples = pickle.loads(row["examples"])  # noqa: S301
    made: list[Block] | McrcError
    try:
        corpus, runs = _understood(order)
        made = joined(list(make(corpus, examples, runs)))
    except McrcError as error:
        # Ray would send its text alone.
        made = error
    return {"made": pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)}


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason")
