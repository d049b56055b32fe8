"""What is said and done around a Ray cluster; the cluster itself is in `test_ray_engine.py`."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import needed
import pytest

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import DataError, McrcError, WorkerError
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.export.parquet import AttackRun, make

needed.package("ray", "extra ray")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")
SAMPLE = corpora.get("sample")
RUNS = [None, AttackRun(attacks.get("p-shuffle"), 3, attacks.get("p-shuffle").resolve({}))]


EXAMPLES = read_split(SAMPLE, find_source(SAMPLE), "test")[:24]
SOME = ["sample", "sample-p-shuffle"]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Where this process stands for a cluster of three cores."""
    from mcrc_adversarial.export import cluster

    monkeypatch.setattr(cluster.ray, "cluster_resources", lambda: {"CPU": 3.0})
    monkeypatch.setattr(cluster.ray.data, "from_items", lambda rows, **_: Local(rows))
    return cluster


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


class Watched(list[Any]):
    """Remembers how far it was read."""

    end = 0

    def __getitem__(self, place: Any) -> Any:
        self.end = max(self.end, place.stop)
        return super().__getitem__(place)


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
    found = list(module.made_on_cluster(SAMPLE, EXAMPLES, RUNS))

    assert len(found) == 4
    joined = [
        [row for block in found for row in block[number].table.to_pylist()] for number in (0, 1)
    ]
    alone = list(make(SAMPLE, EXAMPLES, RUNS))
    assert joined == [
        [row for block in alone for row in block[number].table.to_pylist()] for number in (0, 1)
    ]
    assert joined[0] != joined[1]


def test_cluster_gets_a_stretch_of_the_examples_at_a_time(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", 20)
    monkeypatch.setattr(module, "BLOCKS_A_CORE", 2)
    examples = Watched(read_split(SAMPLE, find_source(SAMPLE), "test"))
    stretch = 20 * 2 * 3
    done = 0
    for (block,) in module.made_on_cluster(SAMPLE, examples, [None]):
        assert examples.end == (done // stretch + 1) * stretch
        done += len(block.table)
    assert done == len(examples) == 300


def test_own_error_of_a_worker_is_raised_as_it_was(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Any:
        raise DataError("row 7: no text")

    monkeypatch.setattr(module, "make", fail)
    with pytest.raises(DataError, match=r"^row 7: no text$"):
        list(module.made_on_cluster(SAMPLE, EXAMPLES, RUNS))


def test_end_of_a_cluster_is_said_in_one_line(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> Any:
        raise module.ray.exceptions.RayError("\ntask failed\nin a worker")

    monkeypatch.setattr(Local, "iter_rows", fail)
    with pytest.raises(WorkerError, match=r"could not go on \(task failed\); what is"):
        list(module.made_on_cluster(SAMPLE, EXAMPLES, RUNS))


@pytest.mark.parametrize(
    ("name", "differs"),
    [("mcrc-adversarial", "0.0.0"), ("attack p-shuffle", {"version": 0}), ("corpus sample", 0)],
)
def test_worker_that_would_make_other_rows_refuses(
    module: ModuleType, name: str, differs: object
) -> None:
    order = module._Order.of(SAMPLE, RUNS)
    corpus, runs = module._understood(pickle.dumps(order))
    assert (corpus, [run and run.attack.name for run in runs]) == (SAMPLE, [None, "p-shuffle"])
    other = order._replace(versions={**order.versions, name: differs})
    with pytest.raises(WorkerError, match=f"would make other rows: of {name} it has .* on every"):
        module._understood(pickle.dumps(other))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:{free}", "nothing answers at 127.0.0.1:[0-9]+: .*refused"),
        ("[::1]:{free}", "nothing answers at "),
        ("ray://127.0.0.1:10001", "RAY_ADDRESS is 'ray://127.0.0.1:10001'"),
        ("foo://bar", "RAY_ADDRESS is 'foo://bar'"),
        ("head", "RAY_ADDRESS is 'head'"),
    ],
)
def test_address_without_a_cluster_is_refused_before_the_folder_is_touched(
    address: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(expand_configs(["sample"]), tmp_path / "out", Settings(splits=("test",)))
    before = files(tmp_path)
    with socket.socket() as taken:
        # Bound, but nobody listens.
        taken.bind(("127.0.0.1", 0))
        free = taken.getsockname()[1]
        monkeypatch.setenv("RAY_ADDRESS", address.format(free=free))
        for output in ("out", "new"):
            with pytest.raises(WorkerError, match=f"no Ray cluster to connect to .{reason}"):
                export(expand_configs(SOME), tmp_path / output, Settings(seed=3), engine="ray")
    assert files(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("kind", [ConnectionError, RuntimeError, ValueError])
def test_what_ray_says_of_an_address_is_one_line(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def refuse(**_: object) -> None:
        raise kind("\n  nobody at 127.0.0.1:1\nTraceback")

    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(module.ray, "init", refuse)
    with (
        pytest.raises(
            WorkerError, match=r"\(nobody at 127\.0\.0\.1:1\); RAY_ADDRESS is .*machine$"
        ),
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
