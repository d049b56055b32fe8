"""inspect_ai itself, offline, on an exported task file."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import needed
import pytest
from harnesses.own_scores import accuracy, own_answers, own_rows
from typer.testing import CliRunner

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.harnesses.inspect_ai import FILE

needed.package("inspect_ai", "extra harness")
pytestmark = pytest.mark.slow
import_commands()
# Answers A, B, C, D in turn, but gives none to every tenth question.
_TALKER = """
import sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def texts():
    for number in range(300):
        yield "Who knows?" if number % 10 == 9 else "ANSWER: " + "ABCD"[number % 4]

outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts()]
for output in outputs:
    # Or it counts them by a tokeniser from the network.
    output.usage = ModelUsage()
(log,) = eval(
    sys.argv[1], model=get_model("mockllm/model", custom_outputs=outputs), display="none",
    log_dir=sys.argv[2], max_connections=1, max_samples=1,
)
assert log.status == "success", log.error
print("accuracy", log.results.scores[0].metrics["accuracy"].value)
print("cluster", log.results.scores[0].metrics["stderr"].params["cluster"])
"""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def tasks(built: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "inspect-tasks"
    result = invoke("export", built, "--format", "inspect", "--output", folder)
    assert result.exit_code == 0, result.output
    return folder / FILE


def scored(log: Path, config: str, output: Path, *more: str) -> dict[str, Any]:
    result = invoke("score", "--predictions", log, "--config", config, "--output", output, *more)
    assert result.exit_code == 0, result.output
    (found,) = json.loads(output.read_text(encoding="utf-8"))["scores"]
    return dict(found)


@pytest.mark.parametrize(("config", "form"), [("sample", "json"), ("sample-pq-remove", "eval")])
def test_harness_agrees_with_our_letters_and_its_logs_are_scored(
    config: str, form: str, tasks: Path, model: Path, documented: Any, run: Any, tmp_path: Path
) -> None:
    first, task, *others = documented("inspect")
    assert (first, task) == ("eval", f"{tasks.relative_to(tmp_path)}@sample")

    # So many at once that they go through the model together, or it waits for more.
    more = ("--max-connections", "60", "--log-format", form, "--display", "none")
    run("-m", "inspect_ai", first, task.replace("@sample", f"@{config}"), *others, *more)

    logs = tmp_path / "logs"
    (log,) = logs.iterdir()
    ours = own_answers(model, config, "letter")
    assert len(set(ours.predictions)) > 1
    found = scored(log, config, tmp_path / "scores.json")
    assert found["n"] == 300
    assert found["accuracy"] == pytest.approx(accuracy(ours))
    if form == "json":
        content = json.loads(log.read_text(encoding="utf-8"))
        assert content["status"] == "success"
        answers = {
            one["id"]: one["scores"]["likeliest_letter"]["answer"] for one in content["samples"]
        }
        assert answers == {
            row: LETTERS[one] for row, one in zip(ours.ids, ours.predictions, strict=True)
        }
        (score,) = content["results"]["scores"]
        assert score["metrics"]["accuracy"]["value"] == pytest.approx(accuracy(ours))


def test_generated_answers_are_scored(tasks: Path, run: Any, tmp_path: Path) -> None:
    (tmp_path / "talk.py").write_text(_TALKER, encoding="utf-8")
    logs = tmp_path / "logs"

    said = run(tmp_path / "talk.py", f"{tasks}@sample", logs).stdout.split()

    labels = own_rows("sample")["label"]
    right = [number % 10 != 9 and number % 4 == label for number, label in enumerate(labels)]
    assert float(said[said.index("accuracy") + 1]) == pytest.approx(sum(right) / 300)
    assert said[said.index("cluster") + 1] == "passage_id"

    (log,) = logs.glob("*.eval")
    refused = invoke("score", "--predictions", log, "--config", "sample")
    assert refused.exit_code == 2
    assert "ids of the config that are missing: 30" in refused.output
    found = scored(log, "sample", tmp_path / "scores.json", "--allow-partial")
    assert (found["n"], found["n_missing"]) == (270, 30)
    assert found["accuracy"] == pytest.approx(sum(right) / 270)


@pytest.mark.parametrize(
    ("tokens", "answer"),
    [
        ([(" AB", -0.5), (" A", -1.0), (" B", -2.0)], "A"),
        ([("CD", -0.1), ("\u0120B", -1.0), ("B", -0.9), (" A", -0.95)], "B"),
        ([(" E", -0.5), ("", -0.6), (" D", -3.0)], "D"),
        ([("AB", -0.5), (" ABCD", -1.0), ("\u2581", -1.1)], None),
    ],
)
def test_likeliest_letter_is_a_token_of_one_letter(
    tokens: list[tuple[str, float]], answer: str | None, tasks: Path
) -> None:
    from inspect_ai.scorer import Target

    top = [SimpleNamespace(token=text, logprob=value) for text, value in tokens]
    logprobs = SimpleNamespace(content=[SimpleNamespace(top_logprobs=top)])
    output = SimpleNamespace(choices=[SimpleNamespace(logprobs=logprobs)])
    state = SimpleNamespace(output=output, choices=[None] * 4)
    spec = importlib.util.spec_from_file_location("exported_tasks", tasks)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    score = asyncio.run(module.likeliest_letter()(state, Target("A")))

    assert score.answer == answer
    assert score.value == ("N" if answer is None else "C" if answer == "A" else "I")
