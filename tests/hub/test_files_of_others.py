"""`push-metric` and `train.py --push_to_hub` replace and remove what earlier pushes wrote alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hub_clients import invoke, refused, state
from hub_repos import ATTRIBUTES, Blob, Repo
from hub_server import Hub
from huggingface_hub import constants

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.experiment.publish import open_repository, push_run
from mcrc_adversarial.training.arguments import RunArguments

SPACE, MODEL = "ann/mcrc_robustness", "ann/reader"
STRANGE = '{"schema_version": 1, "arguments": {}, "evaluates": 3, "published": [[1], 2, null]}'
FORM = "---\nlicense: mit\n---\n"
SPACE_FORM = (
    "---\ntitle: Mcrc Robustness\nemoji: X\ncolorFrom: red\ncolorTo: blue\nsdk: gradio\n"
    "sdk_version: 5.1.0\napp_file: app.py\npinned: false\n---\n\nCheck out the configuration"
    " reference at https://huggingface.co/docs/hub/spaces-config-reference\n"
)


def holds(hub: Hub, kind: str, repo_id: str, files: Mapping[str, str]) -> None:
    """A repository with these files beside what the Hub puts there, in a commit more."""
    repo = hub.repos.setdefault((kind, repo_id), Repo(private=False))
    before = repo.files if repo.history else {".gitattributes": Blob(len(ATTRIBUTES), ATTRIBUTES)}
    blobs = {path: Blob(len(text.encode()), text.encode()) for path, text in files.items()}
    repo.add({**before, **blobs}, f"by hand {len(repo.history)}")


def push_metric(hub: Hub) -> Any:
    return invoke(hub, "push-metric", "--repo-id", SPACE)


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"README.md": "---\nsdk: docker\n---\nmine", "app.py": "1"}, "'README.md', 'app.py'"),
        ({"README.md": "mine"}, "'README.md'"),
        ({"README.md": "---\ntitle: a\ntags: [b]\n---\n"}, "'README.md'"),
        ({"README.md": SPACE_FORM, "Dockerfile": "FROM x"}, "'README.md'"),
        ({"README.md": f"{SPACE_FORM}\nmine"}, "'README.md'"),
        ({"requirements.txt": "gradio"}, "'requirements.txt'"),
    ],
)
def test_space_of_a_person_is_left_alone(hub: Hub, files: dict[str, str], named: str) -> None:
    holds(hub, "space", SPACE, files)
    before = state(hub)

    line = refused(push_metric(hub))

    assert f"'{SPACE}' holds {named}, which no push of this package wrote" in line
    assert "give another repository" in line
    assert state(hub) == before


def test_space_of_an_earlier_push_is_written_over(hub: Hub) -> None:
    assert push_metric(hub).exit_code == 0
    ours = hub.content("space", SPACE, "app.py")
    holds(hub, "space", SPACE, {"app.py": "old", "mine.txt": "mine"})

    result = push_metric(hub)

    assert result.exit_code == 0, result.output
    assert hub.content("space", SPACE, "app.py") == ours
    assert hub.content("space", SPACE, "mine.txt") == b"mine"


@pytest.mark.parametrize(("card", "said"), [(SPACE_FORM, False), (FORM, True), ("", False)])
def test_space_as_the_hub_makes_it_is_filled(hub: Hub, card: str, said: bool) -> None:
    holds(hub, "space", SPACE, {"README.md": card})

    result = push_metric(hub)

    assert result.exit_code == 0, result.output
    assert ("card: replaced, which stated the licence 'mit'" in result.output) is said


# --- runs


@pytest.fixture
def settings(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunArguments:
    """Of a finished run with one scored config, whose files hold no more than a word."""
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    # Made of the former when the client is imported.
    template = f"{hub.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    write(tmp_path / "run", "new", ["sample"], ["model.safetensors", "tokenizer.json"])
    return RunArguments(output_dir=str(tmp_path / "run"), hub_model_id=MODEL, use_cpu=True)


def write(folder: Path, word: str, evaluates: list[str], names: list[str]) -> None:
    (folder / "predictions").mkdir(parents=True, exist_ok=True)
    for name in ("README.md", "metrics.json", "config.json", *names):
        (folder / name).write_text(word)
    for name in evaluates:
        (folder / "predictions" / f"{name}.jsonl").write_text(word)
    record = {"schema_version": 1, "arguments": {}, "evaluates": evaluates}
    (folder / "run.json").write_text(json.dumps(record))


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"README.md": f"{FORM}my own card", "config.json": "{}"}, "'README.md', 'config.json'"),
        ({"README.md": FORM, "notes.md": "n"}, "'README.md'"),
        ({"run.json": '{"mine": 1}'}, "'run.json'"),
        ({"run.json": STRANGE, "vocab.txt": "a"}, "'run.json', 'vocab.txt'"),
        ({"run.json": "[", "vocab.txt": "a"}, "'run.json', 'vocab.txt'"),
        ({"model-00001-of-00002.safetensors": "a"}, "'model-00001-of-00002.safetensors'"),
    ],
)
def test_model_of_a_person_is_left_alone_before_the_training_and_after(
    hub: Hub, settings: RunArguments, files: dict[str, str], named: str
) -> None:
    holds(hub, "model", MODEL, files)
    before = state(hub)

    for step in (open_repository, push_run):
        with pytest.raises(HubError, match=f"'{MODEL}' holds {named}, which no push of this"):
            step(settings)

    assert state(hub) == before


def test_model_repository_as_the_hub_makes_it_is_filled(hub: Hub, settings: RunArguments) -> None:
    holds(hub, "model", MODEL, {"README.md": FORM})

    assert push_run(settings).notes == ("card: replaced, which stated the licence 'mit'",)

    assert hub.content("model", MODEL, "README.md") == b"new"


def test_what_the_new_run_lacks_goes_and_what_others_put_there_stays(
    hub: Hub, tmp_path: Path, settings: RunArguments
) -> None:
    folder = tmp_path / "run"
    write(folder, "old", ["sample", "sample-q-remove"], ["model.safetensors", "vocab.txt"])
    push_run(settings)
    holds(hub, "model", MODEL, {"notes.md": "n", "predictions/mine.jsonl": "m"})
    for path in ("model.safetensors", "vocab.txt", "predictions/sample-q-remove.jsonl"):
        (folder / path).unlink()
    shards = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    write(folder, "new", ["sample"], [*shards, "model.safetensors.index.json"])

    pushed = push_run(settings)

    repo = hub.repos["model", MODEL]
    assert repo.files.keys() == {
        ".gitattributes", "README.md", "metrics.json", "config.json", "run.json", "notes.md",
        "tokenizer.json", "predictions/sample.jsonl", "predictions/mine.jsonl",
        "model.safetensors.index.json", *shards,
    }  # fmt: skip
    assert repo.messages[-1] == "Push a run"
    assert pushed.notes == (
        "removed: model.safetensors (of an earlier push)",
        "removed: predictions/sample-q-remove.jsonl (of an earlier push)",
        "removed: vocab.txt (of an earlier push)",
    )
    assert push_run(settings).n_changes == 0


def test_run_pushed_before_records_listed_files_is_pushed_again(
    hub: Hub, settings: RunArguments
) -> None:
    record = {"schema_version": 1, "arguments": {}, "evaluates": ["sample", "sample-q-remove"]}
    old = ("README.md", "config.json", "vocab.txt", "tokenizer.json", "predictions/sample.jsonl",
           "predictions/sample-q-remove.jsonl", "predictions/mine.jsonl",
           "model-00001-of-00001.safetensors")  # fmt: skip
    holds(hub, "model", MODEL, {**dict.fromkeys(old, "old"), "run.json": json.dumps(record)})

    push_run(settings)

    # Whether the vocabulary was ours nobody can tell.
    assert hub.repos["model", MODEL].files.keys() == {
        ".gitattributes", "README.md", "config.json", "vocab.txt", "tokenizer.json", "run.json",
        "metrics.json", "model.safetensors", "predictions/sample.jsonl", "predictions/mine.jsonl",
    }  # fmt: skip


def test_file_that_someone_put_beside_a_run_is_not_written_over(
    hub: Hub, tmp_path: Path, settings: RunArguments
) -> None:
    push_run(settings)
    holds(hub, "model", MODEL, {"vocab.txt": "mine"})

    with pytest.raises(HubError, match=r"holds 'vocab.txt', which no push"):
        push_run(settings)
