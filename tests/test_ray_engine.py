"""Building on a Ray cluster of two workers, of which one is killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import needed
import pytest

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, WorkerError
from mcrc_adversarial.export import Settings, building, export, parquet

SOME = ["sample", "sample-addsent2opt-shuffle", "sample-charswap", "sample-p-shuffle"]


def test_export_refuses_an_unknown_engine_and_processes_on_a_cluster(tmp_path: Path) -> None:
    configs = expand_configs(["sample"])
    with pytest.raises(ParameterError, match="engine is 'spark'; allowed are processes, ray"):
        export(configs, tmp_path / "out", engine="spark")
    with pytest.raises(ParameterError, match="num_proc is for the engine 'processes'"):
        export(configs, tmp_path / "out", engine="ray", num_proc=2)
    assert list(tmp_path.iterdir()) == []


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

    monkeypatch.setattr(building, "write", write)
    export(configs, tmp_path / "cluster", Settings(seed=3), engine="ray")
    monkeypatch.undo()
    alive.append(_alive())

    export(configs, tmp_path / "alone", Settings(seed=3))
    assert files(tmp_path / "cluster") == files(tmp_path / "alone")
    assert alive == [3, 2]


def _alive() -> int:
    import ray

    return sum(node["Alive"] for node in ray.nodes())


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore")
def test_worker_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcrc_adversarial.export import cluster as module

    monkeypatch.setattr(module, "__version__", "0.0.0")
    corpus = corpora.get("sample")
    examples = read_split(corpus, find_source(corpus), "test")
    with pytest.raises(WorkerError, match=r"would make other rows: of mcrc-adv.* began '0\.0\.0'"):
        list(module.made_on_cluster(corpus, examples, [None]))
