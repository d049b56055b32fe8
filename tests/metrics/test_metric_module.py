"""The module as `evaluate` and the Hub see it: files, signatures, doctests, card, page."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import runpy
import subprocess
import sys
import types
from pathlib import Path

import evaluate
import pytest
import yaml

import mcrc_adversarial
from mcrc_adversarial.errors import McrcError
from mcrc_adversarial.metric import metric_path
from mcrc_adversarial.scoring import percentage_performance_drop


def _card(folder):
    return (folder / "README.md").read_text(encoding="utf-8")


def _numbers(cell):
    return [float(number) for number in re.findall(r"[+-]?\d+\.\d+", cell)]


def test_folder_is_a_complete_space(folder):
    names = {"README.md", "app.py", "mcrc_robustness.py", "requirements.txt"}
    assert names <= {path.name for path in folder.iterdir()}
    assert "mcrc-adversarial" in (folder / "requirements.txt").read_text().splitlines()


def test_metric_path_prefers_the_copy_inside_the_package(tmp_path, monkeypatch):
    package = tmp_path / "mcrc_adversarial"
    for place in (tmp_path / "metrics", package / "_metrics"):
        folder = place / "mcrc_robustness"
        folder.mkdir(parents=True)
        (folder / "mcrc_robustness.py").touch()
    monkeypatch.setattr("mcrc_adversarial.metric.__file__", str(package / "metric.py"))
    assert metric_path() == str(package / "_metrics" / "mcrc_robustness")
    (package / "_metrics" / "mcrc_robustness" / "mcrc_robustness.py").unlink()
    assert metric_path() == str(tmp_path / "metrics" / "mcrc_robustness")
    (tmp_path / "metrics" / "mcrc_robustness" / "mcrc_robustness.py").unlink()
    with pytest.raises(McrcError, match=r"no mcrc_robustness.py in .* install mcrc-adversarial"):
        metric_path()


def test_metric_loads_by_the_name_of_its_folder(load, folder, monkeypatch):
    load()  # sets the fixtures that keep it offline
    monkeypatch.chdir(folder.parent.parent)
    metric = evaluate.load(f"{folder.parent.name}/mcrc_robustness")
    assert metric.compute(predictions=[0], references=[0]) == {"accuracy": 1.0}


@pytest.mark.parametrize("method", ["compute", "_compute", "add", "add_batch"])
def test_signatures_name_every_argument(metric, method):
    kinds = {one.kind for one in inspect.signature(getattr(metric, method)).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds
    assert inspect.Parameter.VAR_POSITIONAL not in kinds


def test_doctests_run(metric):
    module = sys.modules[type(metric).__module__]
    result = doctest.testmod(module)
    assert result.attempted >= 2
    assert result.failed == 0


def test_adapter_stays_thin(folder):
    assert len((folder / "mcrc_robustness.py").read_text().splitlines()) <= 150


def test_inputs_are_described(metric):
    described = metric.inputs_description
    for name in inspect.signature(metric.compute).parameters:
        assert re.search(rf"^    {name}: ", described, re.M), name


def test_card_has_the_head_of_a_space(folder):
    head = yaml.safe_load(_card(folder).split("---")[1])
    assert head["sdk"] == "gradio"
    assert head["app_file"] == "app.py"
    assert {"evaluate", "metric"} <= set(head["tags"])


def test_card_names_every_key_and_argument(metric, folder):
    card = _card(folder)
    paired = metric.compute(predictions=[0, 1], references=[0, 0], clean_predictions=[0, 0])
    for key in paired:
        assert f"`{key}`" in card or key.startswith("percentage_performance_drop_ci"), key
    for name in inspect.signature(metric.compute).parameters:
        assert f"**{name}**" in card, name


def test_card_examples_give_what_they_say(load, folder):
    load()
    names = {}
    stated = 0
    for block in re.findall(r"```python\n(.*?)```", _card(folder), re.S):
        exec(block, names)
        for call, result in re.findall(r"^(\w+\.compute\(.*\))\n# (.*)$", block, re.M):
            assert eval(call, names) == eval(result)
            stated += 1
    assert stated >= 2


def test_card_values_fit_the_formula(folder):
    rows = {
        cells[1].strip(): cells[2:-1]
        for cells in (line.split("|") for line in _card(folder).splitlines() if line[:1] == "|")
    }
    for attack in ("AddSent2Pas-Shuffle", "AddAns2Opt-Shuffle"):
        for clean, cell in zip(rows["BERT"], rows[attack], strict=True):
            attacked, change = _numbers(cell)
            drop = percentage_performance_drop(attacked / 100, _numbers(clean)[0] / 100)
            assert drop == pytest.approx(-change, abs=0.1)


def test_page_scores_letters_and_shows_mistakes(load, folder, monkeypatch):
    load()
    pages = []

    def part(**options):
        pages.append(options)
        return types.SimpleNamespace(**options)

    fake = types.ModuleType("gradio")
    fake.Interface = fake.Textbox = fake.JSON = part
    fake.Error = type("Error", (Exception,), {})
    monkeypatch.setitem(sys.modules, "gradio", fake)
    page = runpy.run_path(str(folder / "app.py"))["PAGE"]
    assert page.fn("A B", "a,c", "") == {"accuracy": 0.5}
    assert page.fn("AB", "AC", "AC")["percentage_performance_drop"] == 50.0
    with pytest.raises(fake.Error, match="'1'"):
        page.fn("A1", "AB", "")


PROCESS = """
import json, sys
import evaluate
from mcrc_adversarial.metric import metric_path

process = int(sys.argv[1])
metric = evaluate.load(
    metric_path(), process_id=process, num_process=2, experiment_id="two", cache_dir=sys.argv[2]
)
# Process 0 is right on the original and attacked row, process 1 on the original one alone.
for answer in (0, 1, 2)[: 3 - process]:
    metric.add_batch(predictions=[answer + process], references=[answer])
extra = {"clean_predictions": [0, 1, 2, 0, 3], "passage_ids": list("aabcc")} if process == 0 else {}
if process == 0 and sys.argv[3] == "wrong":
    extra["passage_ids"] = ["a"]
try:
    print(json.dumps(metric.compute(**extra)))
except ValueError as error:
    print(json.dumps(str(error)))
"""


def _two_processes(tmp_path, mode):
    home = str(Path(mcrc_adversarial.__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {home!r})\n{PROCESS}"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(number), str(tmp_path / "rows"), mode],
            stdout=subprocess.PIPE,
            cwd=tmp_path,
            text=True,
        )
        for number in (0, 1)
    ]
    return [json.loads(process.communicate(timeout=120)[0]) for process in running]


@pytest.mark.slow
def test_two_processes_score_all_rows_in_the_order_of_processes(tmp_path):
    first, second = _two_processes(tmp_path, "right")
    assert second is None
    assert first["n"] == 5
    assert first["accuracy"] == 3 / 5
    assert first["clean_accuracy"] == 4 / 5
    # Of process 1's two rows, the first was right on the original. In any other order of the
    # rows the clean accuracy would differ.
    assert first["right_to_wrong_rate"] == 1 / 5
    assert not list((tmp_path / "rows").rglob("*.arrow"))


@pytest.mark.slow
def test_two_processes_leave_nothing_behind_where_scoring_fails(tmp_path):
    first, second = _two_processes(tmp_path, "wrong")
    assert first == "passage_ids has 1 items, predictions 5; they must describe the same rows"
    assert second is None
    assert not list((tmp_path / "rows").rglob("*.arrow"))
