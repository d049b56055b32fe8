"""The real thing: DeepSpeed, ZeRO-2, two processes, on CPUs over gloo."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import needed
import pytest
import tiny_models
import tiny_training
import torch
from datasets import load_dataset

from mcrc_adversarial.predictions import load_predictions
from mcrc_adversarial.training import checkpoints, recipe

ROOT = Path(recipe.__file__).parents[2]
KILLED = ROOT / "tests" / "killed_training.py"
CONFIGS = ("sample", "sample-ans2opt-shuffle", "sample-q-remove")

needed.package("deepspeed", "extra train")
pytestmark = pytest.mark.slow


def launch(folder: Path, script: Path, n_processes: int, *flags: str) -> int:
    """Exit status of `script` on a model in `folder`; what it says goes into `said.txt`."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "DS_ACCELERATOR": "cpu",
    }
    command = [sys.executable]
    if n_processes > 1:
        command += ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node"]
        command.append(str(n_processes))
    command += [
        str(script), "--evaluate", *CONFIGS, "--max_length", "96", "--evaluate_limit", "13",
        "--evaluate_token_budget", "1024", "--dtype", "float32", *flags,
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    print(done.stdout, done.stderr)
    (folder / "said.txt").write_text(done.stderr, encoding="utf-8")
    return done.returncode


TRAINING = (
    "--do_train", "--do_eval", "--model_name_or_path", "tiny", "--dropout", "0",
    "--train", "sample", "--train_limit", "16", "--validation_limit", "6",
    "--num_train_epochs", "2", "--learning_rate", "1e-3", "--per_device_train_batch_size", "2",
    "--eval_strategy", "steps", "--eval_steps", "3", "--save_strategy", "steps",
    "--save_steps", "3",
)  # fmt: skip
ZERO_2 = ("--deepspeed", str(ROOT / "ds_config.json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of one training: on one process, on two with ZeRO-2, and the latter killed."""
    path = tmp_path_factory.mktemp("runs")
    tiny_models.bert(tiny_training.BERT).save_pretrained(path / "tiny")
    tiny_training.BERT.save_pretrained(path / "tiny")
    train = ROOT / "train.py"
    accumulated = ("--gradient_accumulation_steps", "2", "--use_cpu")
    assert launch(path, train, 1, *TRAINING, *accumulated, "--output_dir", "one") == 0
    assert launch(path, train, 2, *TRAINING, *ZERO_2, "--output_dir", "two") == 0
    assert launch(path, KILLED, 2, *TRAINING, *ZERO_2, "--output_dir", "killed") != 0
    assert list(checkpoints(path / "killed")) == [3]
    assert launch(path, train, 2, *TRAINING, *ZERO_2, "--output_dir", "killed") == 0
    # As many questions on each process: the mean of two means is the mean of all.
    apart = ("--average_tokens_across_devices", "False", "--use_cpu")
    assert launch(path, train, 2, *TRAINING, *apart, "--output_dir", "ddp") == 0
    assert "find_unused_parameters" not in (path / "said.txt").read_text(encoding="utf-8")
    alone = ("--do_predict", "--model_name_or_path", "two", *ZERO_2)
    assert launch(path, train, 2, *alone, "--output_dir", "scored") == 0
    matching = ("--model_kind", "matching", "--learning_rate", "1e-4")
    assert launch(path, train, 1, *TRAINING, *matching, *accumulated, "--output_dir", "m-one") == 0
    assert launch(path, train, 2, *TRAINING, *matching, *ZERO_2, "--output_dir", "m-two") == 0
    return path


def logits(folder: Path, config: str) -> torch.Tensor:
    return torch.tensor(load_predictions(folder, config).logits)


@pytest.mark.parametrize("config", CONFIGS)
def test_two_processes_lose_and_double_no_row(folder: Path, config: str) -> None:
    found, expected = (load_predictions(folder / run, config) for run in ("two", "one"))

    rows = load_dataset("mcrc_adversarial", config, split="test")
    assert found.ids == expected.ids
    assert len(set(found.ids)) == 13
    assert set(found.ids) < set(rows["id"])


@pytest.mark.parametrize("kind", ["", "m-"])
@pytest.mark.parametrize("config", CONFIGS)
def test_zero_2_predicts_what_a_single_process_predicts(
    folder: Path, config: str, kind: str
) -> None:
    torch.testing.assert_close(
        logits(folder / f"{kind}two", config),
        logits(folder / f"{kind}one", config),
        rtol=1e-2,
        atol=2e-3,
    )


@pytest.mark.parametrize("config", CONFIGS)
def test_processes_that_average_by_themselves_predict_the_same(folder: Path, config: str) -> None:
    torch.testing.assert_close(
        logits(folder / "ddp", config), logits(folder / "one", config), rtol=1e-2, atol=2e-3
    )


def test_killed_run_does_not_go_on_with_one_process(folder: Path) -> None:
    flags = (*TRAINING, "--output_dir", "killed-ddp", "--use_cpu")
    assert launch(folder, KILLED, 2, *flags) != 0

    assert launch(folder, ROOT / "train.py", 1, *flags) == 2

    said = (folder / "said.txt").read_text(encoding="utf-8")
    assert "an unfinished run with 2 processes, now there are 1" in said.splitlines()[-1]


def test_training_changed_the_model(folder: Path) -> None:
    from safetensors.torch import load_file

    before = load_file(folder / "tiny" / "model.safetensors")
    after = load_file(folder / "two" / "model.safetensors")
    assert not torch.allclose(before["classifier.weight"], after["classifier.weight"], atol=1e-3)


@pytest.mark.parametrize("config", CONFIGS)
def test_killed_run_resumes_and_ends_like_an_uninterrupted_one(folder: Path, config: str) -> None:
    torch.testing.assert_close(
        logits(folder / "killed", config), logits(folder / "two", config), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("config", CONFIGS)
def test_scoring_alone_takes_a_deepspeed_file(folder: Path, config: str) -> None:
    torch.testing.assert_close(
        logits(folder / "scored", config), logits(folder / "two", config), rtol=1e-5, atol=1e-6
    )
