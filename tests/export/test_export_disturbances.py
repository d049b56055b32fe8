"""What becomes of a folder whose building is disturbed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from exported_folders import ALL, build, in_fork, manifest, tree
from tiny_corpus import NAME

from mcrc_adversarial.corpora import Corpus
from mcrc_adversarial.errors import (
    OutputError,
    WorkerError,
)
from mcrc_adversarial.export import building


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize(
    ("num_proc", "steps"),
    # The steps are those of one process; with more of them it is enough to hit each kind.
    [(1, range(1, 12)), (2, range(1, 12, 3))],
    ids=["1", "2"],
)
def test_export_can_be_killed_at_every_step_and_goes_on(
    tmp_path: Path, num_proc: int, steps: range
) -> None:
    names = (f"{NAME}-p-remove", f"{NAME}-q-shuffle")
    build(tmp_path / "whole", "sample-p-remove", *names)
    whole = tree(tmp_path / "whole")
    rename = Path.replace

    for step in steps:
        output = build(tmp_path / f"step{step}", "sample-p-remove", names[0], seed=7)

        def until_killed(output: Path = output, step: int = step) -> None:
            count = 0

            def rename_or_die(unfinished: Path, target: Path) -> Path:
                nonlocal count
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return rename(unfinished, target)

            Path.replace = rename_or_die  # type: ignore[method-assign, assignment]
            build(output, "sample-p-remove", *names, num_proc=num_proc)

        assert in_fork(until_killed) == -signal.SIGKILL
        present = {path for path in tree(output) if not path.startswith(".building/")}
        # No file without a record, so that nothing is taken for a stranger's.
        assert present <= {"README.md", "manifest.json", *manifest(output)}
        assert tree(build(output, "sample-p-remove", *names)) == whole


@pytest.mark.usefixtures("raw")
def test_export_says_so_when_a_worker_is_killed_and_can_go_on(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tree(build(tmp_path / "whole", ALL))
    first, write = os.getpid(), building.write

    def killed(corpus: Corpus, files: dict[Path, Any], blocks: Any) -> object:
        assert os.getpid() != first
        if any("q-shuffle" in path.name for path in files):
            os.kill(os.getpid(), signal.SIGKILL)
        return write(corpus, files, blocks)

    with monkeypatch.context() as patch:
        patch.setattr(building, "write", killed)
        with pytest.raises(WorkerError, match="worker process was killed"):
            build(output, ALL, num_proc=2)

    assert not (output / ".building").exists()
    assert tree(build(output, ALL, num_proc=2)) == whole


@pytest.mark.usefixtures("raw")
@pytest.mark.parametrize("num_proc", [1, 2])
def test_export_keeps_whole_files_when_a_later_one_fails(
    output: Path, monkeypatch: pytest.MonkeyPatch, num_proc: int
) -> None:
    write = building.write

    def full_disk(corpus: Corpus, files: dict[Path, Any], blocks: Any) -> object:
        written = write(corpus, files, blocks)
        if any("q-shuffle.test" in path.name for path in files):
            raise OSError(28, "No space left on device")
        return written

    monkeypatch.setattr(building, "write", full_disk)
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        build(output, f"{NAME}-p-remove", f"{NAME}-q-shuffle", num_proc=num_proc)

    # With several processes, the failure may be noticed before anything else is done.
    assert num_proc > 1 or f"{NAME}-p-remove/train.parquet" in manifest(output)
    assert not (output / f"{NAME}-q-shuffle" / "test.parquet").exists()
    assert not (output / ".building").exists()
