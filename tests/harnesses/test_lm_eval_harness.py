"""lm-evaluation-harness itself, offline, on exported task files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import needed
import numpy as np
import pages
import pytest
from harnesses.own_scores import accuracy, own_answers
from typer.testing import CliRunner

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.harnesses.lm_eval import task_name

needed.package("lm_eval", "extra harness")
pytestmark = pytest.mark.slow
CONFIGS = ("sample", "sample-addsent2opt-shuffle", "sample-pq-remove")
import_commands()


def invoke(*arguments: object) -> Any:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result


def test_harness_agrees_with_our_scorer_and_its_logs_are_scored(
    built: Path, model: Path, documented: Any, run: Any, tmp_path: Path
) -> None:
    invoke("export", built, "--format", "lm-eval", "--output", tmp_path / "lm-eval-tasks")

    run("-m", "lm_eval", *documented("lm_eval"))

    logs = tmp_path / "logs"
    (results,) = logs.glob("*/results_*.json")
    figures = json.loads(results.read_text(encoding="utf-8"))["results"]
    for config in CONFIGS:
        (samples,) = logs.glob(f"*/samples_{task_name(config)}_2*.jsonl")
        logged = {}
        for line in samples.read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            logged[sample["doc"]["id"]] = [float(value) for value, _ in sample["filtered_resps"]]
        ours = own_answers(model, config, "race")
        assert list(logged) == list(ours.ids)
        assert len(logged) == 300
        for scores, own in zip(logged.values(), ours.logits, strict=True):
            assert scores == pytest.approx(own, rel=1e-4)
        assert [int(np.argmax(scores)) for scores in logged.values()] == ours.predictions
        assert figures[task_name(config)]["acc,none"] == pytest.approx(accuracy(ours))
        per_character = own_answers(model, config, "race-per-character")
        assert figures[task_name(config)]["acc_norm,none"] == pytest.approx(accuracy(per_character))

        output = tmp_path / f"{config}.json"
        invoke("score", "--predictions", samples, "--config", config, "--output", output)
        (scored,) = json.loads(output.read_text(encoding="utf-8"))["scores"]
        assert scored["accuracy"] == pytest.approx(accuracy(ours))
    pattern = pages.documented("mcrc-adversarial score --config sample").split()[-1]
    assert list(tmp_path.glob(pattern)) == list(logs.glob("*/samples_mcrc-adversarial-sample_2*"))
    assert len({figures[task_name(config)]["acc,none"] for config in CONFIGS}) > 1
