"""What is said and done around a Ray cluster; the cluster itself is in `test_ray_engine.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import needed
import pytest

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import DataError, McrcError, WorkerError
from mcrc_adversarial.export.parquet import AttackRun, make

needed.package("ray", "extra ray")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")
SAMPLE = corpora.get("sample")
RUNS = [None, AttackRun(attacks.get("p-shuffle"), 3, attacks.get("p-shuffle").resolve({}))]


@pytest.fixture
def module() -> ModuleType:
    from mcrc_adversarial.export import cluster

    return cluster


class Local:
    """In the place of a dataset of Ray: what it maps is done here."""

    def __init__(self, rows: list[Mapping[str, Any]]) -> None:
        self.rows = rows

    def map(self, function: Callable[[Any], Any]) -> Local:
        return Local([function(row) for row in self.rows])

    def iter_rows(self) -> Iterator[Any]:
        return iter(self.rows)


def test_blocks_of_workers_are_those_of_one_process(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", 7)
    monkeypatch.setattr(module.ray.data, "from_items", lambda rows, **_: Local(rows))
    examples = read_split(SAMPLE, find_source(SAMPLE), "test")[:24]

    found = list(module.made_on_cluster(SAMPLE, examples, RUNS))

    assert len(found) == 4
    joined = [
        [row for block in found for row in block[number].table.to_pylist()] for number in (0, 1)
    ]
    alone = list(make(SAMPLE, examples, RUNS))
    assert joined == [
        [row for block in alone for row in block[number].table.to_pylist()] for number in (0, 1)
    ]
    assert joined[0] != joined[1]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_own_error_of_a_worker_is_raised_as_it_was(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    error = module.ray.exceptions.RayError("task failed\nin a worker")
    innermost: BaseException = error
    for _ in range(depth):
        innermost.__cause__ = module.ray.exceptions.RayError("further in")
        innermost = innermost.__cause__
    innermost.cause = DataError("row 7: no text")

    def fail(rows: object, **_: object) -> Any:
        raise error

    monkeypatch.setattr(Local, "iter_rows", fail)
    monkeypatch.setattr(Local, "map", lambda self, _: self)
    monkeypatch.setattr(module.ray.data, "from_items", lambda rows, **_: Local(rows))
    with pytest.raises(DataError, match=r"^row 7: no text$"):
        list(module.made_on_cluster(SAMPLE, [], RUNS))
    del innermost.cause
    with pytest.raises(WorkerError, match=r"could not go on \((task failed|further in)\); what is"):
        list(module.made_on_cluster(SAMPLE, [], RUNS))


def test_address_without_a_cluster_is_said_in_one_line(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise ConnectionError("\n  nobody at 127.0.0.1:1\nTraceback")

    monkeypatch.setattr(module.ray, "init", refuse)
    with (
        pytest.raises(WorkerError, match=r"\(nobody at 127\.0\.0\.1:1\); see RAY_ADDRESS$"),
        module.connected(),
    ):
        pytest.fail("connected")


@pytest.mark.parametrize("was_there", [True, False])
def test_connection_ends_with_the_block_unless_it_was_there_before(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(module.ray, "is_initialized", lambda: was_there)
    monkeypatch.setattr(module.ray, "init", lambda **_: calls.append("init"))
    monkeypatch.setattr(module.ray, "shutdown", lambda: calls.append("shutdown"))
    with pytest.raises(McrcError), module.connected():
        raise McrcError("in the block")
    assert calls == ([] if was_there else ["init", "shutdown"])
