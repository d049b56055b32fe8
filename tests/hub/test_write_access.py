"""Who may not write to a repository that is there is told so before anything is built or trained.

Where making a repository is refused, the client looks whether it is there, and goes on if it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tiny_models
import tiny_training
from hub_clients import app, push, refused, state
from hub_repos import ATTRIBUTES, Blob, Repo
from hub_server import READ_ONLY, TOKEN, Fault, Hub
from huggingface_hub import constants
from typer.testing import CliRunner

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.hub import Repository
from mcrc_adversarial.training.recipe import parse_arguments

# A token, and whose repository it may not write to.
CASES = [(READ_ONLY, "ann"), (TOKEN, "bob")]


@pytest.fixture(autouse=True)
def _here(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of HF_ENDPOINT, which the client reads once."""
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)


def made(hub: Hub, kind: str, repo_id: str) -> None:
    """A public repository as the Hub makes it."""
    repo = Repo(private=False)
    repo.add({".gitattributes": Blob(len(ATTRIBUTES), ATTRIBUTES)}, "initial commit")
    hub.repos[kind, repo_id] = repo


def command(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments, prog_name="mcrc-adversarial")


@pytest.mark.parametrize("is_named", [True, False], ids=["--endpoint", "HF_ENDPOINT"])
@pytest.mark.parametrize(("token", "owner"), CASES)
def test_push_without_the_right_to_write_is_refused_before_the_build(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, token: str, owner: str,
    is_named: bool,
) -> None:  # fmt: skip
    if is_named:
        monkeypatch.setattr(constants, "ENDPOINT", "https://hub.invalid")
    monkeypatch.setenv("HF_TOKEN", token)
    made(hub, "dataset", f"{owner}/f")
    before = state(hub)
    endpoint = ("--endpoint", hub.url) if is_named else ()

    result = command(
        "push", "sample", "--repo-id", f"{owner}/f", "--folder", str(tmp_path / "built"), *endpoint
    )

    line = refused(result)
    assert f"cannot write to '{owner}/f' (403 Forbidden: you do not have write access" in line
    assert "give one with write access to this name" in line
    assert token not in result.output
    assert not (tmp_path / "built").exists()
    assert state(hub) == before


@pytest.mark.parametrize(("token", "owner"), CASES)
def test_push_of_the_metric_without_the_right_to_write_is_refused(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, token: str, owner: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    made(hub, "space", f"{owner}/mcrc_robustness")

    line = refused(command("push-metric", "--repo-id", f"{owner}/mcrc_robustness"))

    assert f"cannot write to '{owner}/mcrc_robustness' (403 Forbidden" in line
    assert not hub.sent("POST", "preupload")


@pytest.mark.parametrize(("token", "owner"), CASES)
def test_run_that_may_not_be_pushed_to_a_repository_that_is_there_is_not_begun(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, token: str, owner: str
) -> None:
    tiny_models.bert(tiny_training.BERT).save_pretrained(tmp_path / "tiny")
    tiny_training.BERT.save_pretrained(tmp_path / "tiny")
    monkeypatch.setenv("HF_TOKEN", token)
    made(hub, "model", f"{owner}/reader")
    arguments = parse_arguments([
        "--model_name_or_path", str(tmp_path / "tiny"), "--output_dir", str(tmp_path / "reader"),
        "--train", "sample", "--train_limit", "8", "--use_cpu", "--do_train", "--do_eval",
        "--push_to_hub", "--hub_model_id", f"{owner}/reader",
    ])  # fmt: skip

    with pytest.raises(HubError, match=rf"cannot write to '{owner}/reader' \(403 Forbidden"):
        run_experiment(arguments)

    assert not (tmp_path / "reader").exists()


@pytest.mark.parametrize("status", [401, 402, 403])
def test_token_that_makes_no_repository_writes_to_one_that_is_there(hub: Hub, status: int) -> None:
    made(hub, "dataset", "ann/sets")
    hub.faults.append(Fault("POST", "repos/create", status))

    result = push(hub)

    assert result.exit_code == 0, result.output


def test_repository_that_is_there_is_found_by_its_short_name(hub: Hub) -> None:
    made(hub, "model", "ann/reader")
    repository = Repository("reader", "model", hub.url)

    repository.create(private=False)

    assert repository.repo_id == "ann/reader"


def test_conflict_is_told_in_the_hubs_words(hub: Hub, waits: list[float]) -> None:
    body = '{"error": "a repository was renamed from this name"}'
    hub.faults.append(Fault("POST", "repos/create", 409, body=body))

    line = refused(push(hub))

    assert "409 Conflict: a repository was renamed from this name); check the name" in line
