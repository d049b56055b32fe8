"""What `mcrc-adversarial export` writes and refuses; no harness is needed."""

from __future__ import annotations

import ast
import json
import shlex
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from typer.testing import CliRunner

from mcrc_adversarial import harnesses
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.errors import OutputError, ParameterError, UnknownNameError
from mcrc_adversarial.export.folder import inspect
from mcrc_adversarial.harnesses import FORMATS, write_tasks

CONFIGS = ("sample", "sample-addsent2opt-shuffle", "sample-pq-remove")
import_commands()


def test_lm_eval_files_are_a_group_and_a_task_a_config(built: Path, tmp_path: Path) -> None:
    written = write_tasks("lm-eval", built, tmp_path / "tasks")

    assert written.configs == CONFIGS
    group = yaml.safe_load((tmp_path / "tasks/_group.yaml").read_text(encoding="utf-8"))
    tasks = [
        yaml.safe_load((tmp_path / f"tasks/{config}.yaml").read_text(encoding="utf-8"))
        for config in CONFIGS
    ]
    assert group["task"] == [task["task"] for task in tasks]
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    digests = {one["config"]: one["sha256"] for one in manifest["files"] if one["split"] == "test"}
    for task in tasks:
        assert task["metadata"]["sha256"] == digests[task["dataset_name"]]
        assert [one["metric"] for one in task["metric_list"]] == ["acc", "acc_norm"]
        assert task["num_fewshot"] == 0
        assert task["doc_to_text"] == "Article: {{passage}}\n\n{{question}}"
        rows = datasets.load_dataset(
            task["dataset_path"], task["dataset_name"], split=task["test_split"]
        )
        assert len(rows) == task["metadata"]["n_questions"] == 300
        assert {task["doc_to_choice"], task["doc_to_target"]} <= set(rows.column_names)
    assert tasks[1]["metadata"]["made_from"]["attack"]["seed"] == 0


def test_lm_eval_tasks_ask_the_named_split_of_the_folder_wherever_they_are_run(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built.parent)

    written = write_tasks("lm-eval", Path(built.name), tmp_path / "tasks", split="validation")

    tasks = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in written.paths[1:]]
    assert {task["test_split"] for task in tasks} == {"validation"}
    assert {task["dataset_path"] for task in tasks} == {str(built.resolve())}


def test_inspect_file_has_a_task_a_config(built: Path, tmp_path: Path) -> None:
    written = write_tasks("inspect", built, tmp_path / "tasks", split="validation")

    (path,) = written.paths
    tree = ast.parse(path.read_text(encoding="utf-8"))
    decorators = [
        decorator
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "task"
    ]
    assert [ast.literal_eval(one.keywords[0].value) for one in decorators] == list(CONFIGS)
    constants = {
        ast.unparse(node.targets[0]): ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
    }
    assert constants["SPLIT"] == "'validation'"
    assert constants["DATASET"] == repr(str(built.resolve()))


@pytest.mark.parametrize("harness", FORMATS)
def test_files_name_what_they_load_from_and_replace_earlier_ones(
    harness: str, built: Path, tmp_path: Path
) -> None:
    output = tmp_path / "tasks"
    write_tasks(harness, built, output)
    (output / "__pycache__").mkdir()

    written = write_tasks(harness, built, output, dataset="someone/attacked 'quoted'")

    assert sorted(output.iterdir()) == sorted(written.paths)
    assert list(tmp_path.iterdir()) == [output]
    texts = [path.read_text(encoding="utf-8") for path in written.paths]
    assert any("someone/attacked" in text for text in texts)
    if harness == "inspect":
        assert any(
            isinstance(node, ast.Constant) and node.value == "someone/attacked 'quoted'"
            for node in ast.walk(ast.parse(texts[0]))
        )
    assert not any(str(built) in text for text in texts)
    assert not any("import mcrc_adversarial" in text for text in texts)


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        (
            {"harness": "helm"},
            UnknownNameError,
            "no format is called 'helm'; there are: lm-eval, inspect",
        ),
        ({"split": "train"}, UnknownNameError, "train.*validation"),
        ({"built": Path("nowhere")}, ParameterError, "'nowhere' holds no configs; make it with"),
        ({"output": Path(__file__)}, OutputError, "is a file; give a folder"),
        ({"output": Path(__file__).parent}, OutputError, "no task file of ours"),
    ],
)
def test_write_tasks_refuses(
    change: dict[str, Any], error: type[Exception], match: str, built: Path, tmp_path: Path
) -> None:
    arguments = {"harness": "lm-eval", "built": built, "output": tmp_path / "tasks", **change}
    with pytest.raises(error, match=match):
        write_tasks(**arguments)
    assert list(tmp_path.iterdir()) == []


def test_task_files_of_another_harness_are_left_alone(built: Path, tmp_path: Path) -> None:
    write_tasks("lm-eval", built, tmp_path / "tasks")
    before = {path: path.read_bytes() for path in (tmp_path / "tasks").iterdir()}
    with pytest.raises(OutputError, match=r"holds '_group\.yaml', a task file of another harness"):
        write_tasks("inspect", built, tmp_path / "tasks")
    assert {path: path.read_bytes() for path in (tmp_path / "tasks").iterdir()} == before


def test_export_command_quotes_the_folder(built: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "we ird")
    found = CliRunner().invoke(
        app, ["export", str(built), "--format", "inspect", "--output", output]
    )
    assert found.exit_code == 0, found.output
    (hint,) = [line for line in found.output.splitlines() if line.startswith("cd ")]
    assert shlex.split(hint)[1] == output


def test_export_command_says_how_to_go_on(built: Path, tmp_path: Path) -> None:
    output = tmp_path / "tasks"
    found = CliRunner().invoke(
        app, ["export", str(built), "--format", "inspect", "--output", str(output)]
    )
    assert found.exit_code == 0, found.output
    assert "3 tasks" in found.output
    assert "inspect eval mcrc_adversarial_tasks.py --model" in found.output
    refused = CliRunner().invoke(
        app, ["export", str(tmp_path), "--format", "inspect", "--output", str(output)]
    )
    assert refused.exit_code == 2
    assert len(refused.output.splitlines()) == 1


def test_configs_without_the_split_are_named(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [one for one in inspect(built) if (one.config, one.split) != (CONFIGS[2], "test")]
    monkeypatch.setattr(harnesses, "inspect", lambda _: found)

    written = write_tasks("inspect", built, tmp_path / "tasks", split="test")

    assert written.configs == CONFIGS[:2]
    assert written.without_split == CONFIGS[2:]


def test_files_that_cannot_be_written_leave_nothing(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OutputError, match="No space left"):
        write_tasks("lm-eval", built, tmp_path / "tasks")
    assert list(tmp_path.iterdir()) == []
