"""Every recipe passes a dry run on the real corpora, with its model's real shape."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.difficulty.filtering import as_record
from mcrc_adversarial.distractors.training import dry_run_task
from mcrc_adversarial.experiment.dry_run import dry_run
from mcrc_adversarial.training import recipe
from mcrc_adversarial.training.recipe import parse_arguments

RECIPES = sorted(path.stem for path in recipe.RECIPES.glob("*.yaml"))


@pytest.fixture(autouse=True)
def _all_cores() -> Iterator[None]:
    """One step of a large model takes a minute on one core, where CI may have left it."""
    before = torch.get_num_threads()
    torch.set_num_threads(os.cpu_count() or 1)
    yield
    torch.set_num_threads(before)


def left_out(folder: Path) -> list[str]:
    """What `leave-out` would have written, of the sample."""
    sample = corpora.get("sample")
    examples = read_split(sample, find_source(sample), "test")
    for split in ("train", "validation", "test"):
        text = "".join(f"{json.dumps(as_record(one))}\n" for one in examples[:20])
        (folder / f"{split}.jsonl").write_text(text, encoding="utf-8")
    return [f"{split}={folder / split}.jsonl" for split in ("train", "validation", "test")]


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_recipe_passes_a_dry_run(name: str, data_dir: Path, tmp_path: Path) -> None:
    flags = ["--dry_run", "--use_cpu", "--data_dir", str(data_dir)]
    if name == "deberta-large-leave-source-out":
        flags += ["--data_files", *left_out(tmp_path)]
    arguments = parse_arguments([name, *flags, "--output_dir", str(tmp_path / "run")])

    is_task = arguments.model.task != "answering"
    lines = dry_run_task(arguments) if is_task else dry_run(arguments).lines

    assert lines[-1] == "dry run passed"
    assert any(line.startswith("one step: loss ") for line in lines)
    assert not (tmp_path / "run").exists()
