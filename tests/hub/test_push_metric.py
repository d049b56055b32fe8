"""`push-metric`, and `evaluate` getting the metric from there."""

from __future__ import annotations

from pathlib import Path

from hub_clients import invoke, run_python
from hub_server import Hub

from mcrc_adversarial.metric import metric_path

SPACE = "ann/mcrc_robustness"


def test_metric_is_pushed_as_a_space_that_evaluate_loads(hub: Hub, tmp_path: Path) -> None:
    result = invoke(hub, "push-metric", "--repo-id", SPACE)

    assert result.exit_code == 0, result.output
    assert "the Space installs mcrc-adversarial" in result.stderr
    folder = Path(metric_path())
    names = {path.name for path in folder.iterdir() if path.is_file()}
    repo = hub.repos["space", SPACE]
    assert {"README.md", "app.py", "mcrc_robustness.py", "requirements.txt"} <= names
    assert repo.files.keys() == names | {".gitattributes"}
    for name in names:
        assert hub.content("space", SPACE, name) == (folder / name).read_bytes()
    assert repo.messages == ["initial commit", "Push the metric"]
    code = (
        "import evaluate\n"
        f"metric = evaluate.load('{SPACE}')\n"
        "print(metric.compute(predictions=[0, 1, 1, 3], references=[0, 1, 2, 0]))\n"
    )
    assert run_python(hub, tmp_path, code).strip() == "{'accuracy': 0.5}"


def test_metric_that_is_there_is_not_pushed_again(hub: Hub) -> None:
    invoke(hub, "push-metric", "--repo-id", SPACE)

    result = invoke(hub, "push-metric", "--repo-id", SPACE)

    assert "nothing to change" in result.output
    assert len(hub.repos["space", SPACE].history) == 2


def test_metric_needs_its_own_name(hub: Hub) -> None:
    result = invoke(hub, "push-metric", "--repo-id", "ann/metric")

    assert result.exit_code == 2
    assert "give USER/mcrc_robustness" in result.stderr
    assert not hub.requests
