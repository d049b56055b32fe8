"""Attacking on a Ray cluster: its machines make blocks of rows, this one writes them.

A worker gets the examples of a block, so it needs this package but no raw files and no common
disk. A block that was lost with its worker is made again, from the same draws; blocks come back in
order. So the bytes are those of one process.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import ray  # type: ignore[import-not-found,unused-ignore]
import ray.data  # type: ignore[import-not-found,unused-ignore]

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.errors import McrcError, WorkerError
from mcrc_adversarial.example import Example
from mcrc_adversarial.export.parquet import AttackRun, Block, cut, joined, make

# Divides `parquet.ROW_GROUP`. Examples in a block: a worker is busy with one for about half a
# second, with all attacks, and one weighs some 30 MB when it comes back.
BLOCK = 1000


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
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        msg = f"no Ray cluster to connect to ({_first_line(error)}); see RAY_ADDRESS"
        raise WorkerError(msg) from error
    try:
        yield
    finally:
        ray.shutdown()


def made_on_cluster(
    corpus: Corpus, examples: Sequence[Example], runs: Sequence[AttackRun | None]
) -> Iterator[list[Block]]:
    """`parquet.make`, by the workers of the cluster that this process is connected to.

    Raises:
        McrcError: what an attack raised.
        WorkerError: the cluster could not do it.
    """
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    blocks = [{"examples": pickle.dumps(block)} for block in cut(examples, BLOCK)]
    attack = partial(_attacked, corpus.name, [_named(run) for run in runs])
    todo = ray.data.from_items(blocks, override_num_blocks=len(blocks))
    try:
        for row in todo.map(attack).iter_rows():
            # Made by `_attacked`, on a machine of the same cluster.
            yield pickle.loads(row["made"])  # noqa: S301
    except ray.exceptions.RayError as error:
        cause = _own_cause(error)
        if cause is not None:
            raise cause from error
        msg = (
            f"the Ray cluster could not go on ({_first_line(error)}); what is done is kept: run the"
            " same again to go on"
        )
        raise WorkerError(msg) from error


# An attack holds functions, which need not be sendable; its name is.
_Named = tuple[str, int, Mapping[str, Any]] | None


def _named(run: AttackRun | None) -> _Named:
    return None if run is None else (run.attack.name, run.seed, dict(run.parameters))


def _attacked(corpus: str, runs: Sequence[_Named], row: Mapping[str, bytes]) -> dict[str, bytes]:
    """What a worker does."""
    # Made by `made_on_cluster`.
    examples = pickle.loads(row["examples"])  # noqa: S301
    own = [run and AttackRun(attacks.get(run[0]), run[1], run[2]) for run in runs]
    made = joined(list(make(corpora.get(corpus), examples, own)))
    return {"made": pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)}


def _own_cause(error: BaseException) -> McrcError | None:
    """The error of ours that a worker raised, if that is what happened."""
    seen: BaseException | None = error
    while seen is not None:
        inner = getattr(seen, "cause", None)
        for one in (seen, inner):
            if isinstance(one, McrcError):
                return type(one)(*one.args)
        seen = seen.__cause__
    return None


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason")
