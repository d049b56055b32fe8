"""Building on a Ray cluster of two workers, of which one is killed in the middle."""

from __future__ import annotations

import os
import pickle
import signal
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import needed
import pytest

from mcrc_adversarial import export as export_module
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, WorkerError
from mcrc_adversarial.export import Settings, export, parquet
from mcrc_adversarial.export.parquet import AttackRun

SOME = ["sample", "sample-addsent2opt-shuffle", "sample-charswap", "sample-p-shuffle"]


def test_export_refuses_an_unknown_engine_and_processes_on_a_cluster(tmp_path: Path) -> None:
    configs = expand_configs(["sample"])
    with pytest.raises(ParameterError, match="engine is 'spark'; allowed are processes, ray"):
        export(configs, tmp_path / "out", engine="spark")
    with pytest.raises(ParameterError, match="num_proc is for the engine 'processes'"):
        export(configs, tmp_path / "out", engine="ray", num_proc=2)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def ray_is_here() -> None:
    pytest.importorskip("ray", reason="ray is not installed (extra ray)")


@pytest.mark.usefixtures("ray_is_here")
@pytest.mark.filterwarnings("ignore")
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


@pytest.mark.usefixtures("ray_is_here")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "differs"),
    [("mcrc-adversarial", "0.0.0"), ("attack p-shuffle", {"version": 0}), ("corpus sample", 0)],
)
def test_worker_that_would_make_other_rows_refuses(name: str, differs: object) -> None:
    from mcrc_adversarial.export import cluster as module

    corpus = corpora.get("sample")
    attack = attacks.get("p-shuffle")
    order = module._Order.of(corpus, [None, AttackRun(attack, 0, attack.resolve({}))])
    found, runs = module._understood(pickle.dumps(order))
    assert (found, runs[1] and runs[1].attack) == (corpus, attack)
    other = order._replace(versions={**order.versions, name: differs})
    with pytest.raises(WorkerError, match=f"would make other rows: of {name} it has .* on every"):
        module._understood(pickle.dumps(other))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that does no work, and two workers with one processor each."""
    needed.package("ray", "extra ray")
    import ray
    from ray import cluster_utils

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    store = 200 * 1024 * 1024
    found = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": store}
    )
    found.workers = [found.add_node(num_cpus=1, object_store_memory=store) for _ in range(2)]
    found.wait_for_nodes()
    ray.init(address=found.address, log_to_driver=False, logging_level="ERROR")
    yield found
    ray.shutdown()
    found.shutdown()


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_cluster_makes_the_bytes_of_one_process_though_a_worker_is_killed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial.export import cluster as module

    monkeypatch.setattr(module, "BLOCK", 20)
    monkeypatch.setattr(module, "BLOCKS_A_CORE", 6)
    configs = expand_configs(SOME)
    alive: list[int] = []

    def write(corpus: Any, paths: Any, blocks: Iterable[Any]) -> Any:
        return parquet.write(corpus, paths, watched(blocks))

    def watched(blocks: Iterable[Any]) -> Iterator[Any]:
        """Kill a worker, with the process that keeps its objects, after the third of 36 blocks."""
        for number, block in enumerate(blocks):
            if number == 2 and not alive:
                alive.append(_alive())
                for process in cluster.workers[0].all_processes["raylet"]:
                    os.kill(process.process.pid, signal.SIGKILL)
            yield block

    monkeypatch.setattr(export_module, "write", write)
    export(configs, tmp_path / "cluster", Settings(seed=3), engine="ray")
    monkeypatch.undo()
    alive.append(_alive())

    export(configs, tmp_path / "alone", Settings(seed=3))
    assert files(tmp_path / "cluster") == files(tmp_path / "alone")
    assert alive == [3, 2]


def _alive() -> int:
    import ray

    return sum(node["Alive"] for node in ray.nodes())


class Watched(list[Any]):
    """Remembers how far it was read."""

    end = 0

    def __getitem__(self, place: Any) -> Any:
        self.end = max(self.end, place.stop)
        return super().__getitem__(place)


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore")
def test_cluster_gets_a_stretch_of_the_examples_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcrc_adversarial.export import cluster as module

    monkeypatch.setattr(module, "BLOCK", 20)
    monkeypatch.setattr(module, "BLOCKS_A_CORE", 2)
    corpus = corpora.get("sample")
    examples = Watched(read_split(corpus, find_source(corpus, None), "test"))
    stretch = 20 * 2 * 2
    done = 0
    for (block,) in module.made_on_cluster(corpus, examples, [None]):
        assert examples.end == (done // stretch + 1) * stretch
        done += len(block.table)
    assert done == len(examples) == 300

    monkeypatch.setattr(module, "__version__", "0.0.0")
    with pytest.raises(WorkerError, match=r"would make other rows: of mcrc-adv.* began '0\.0\.0'"):
        list(module.made_on_cluster(corpus, examples, [None]))
