"""What the Hub refuses and what breaks: one clear line, and a repository as it was before."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import needed
import pytest
from hub_clients import COMMIT, INFO, REPO, UPLOAD, environment, push, push_again, refused, state
from hub_server import Fault, Hub
from huggingface_hub import constants

from mcrc_adversarial.hub import Repository


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault("POST", COMMIT, 401), "401 Unauthorized: made to fail); the token is not valid"),
        (Fault("POST", COMMIT, 403), "403 Forbidden: made to fail); the token may not"),
        (Fault("POST", COMMIT, 409), "409 Conflict: made to fail); others commit"),
        (Fault("POST", COMMIT, 429), "429 Too Many Requests: made to fail); too many requests"),
        (Fault("POST", COMMIT, 500), "500 Internal Server Error: made to fail); the Hub failed"),
        (Fault("POST", COMMIT, 400), "400 Bad Request: made to fail)"),
        (Fault("POST", COMMIT, 0), "cannot be reached"),
        (Fault("PUT", UPLOAD, 500), "500 Internal Server Error: made to fail); the Hub failed"),
        (Fault("PUT", UPLOAD, 403), "403 Forbidden: made to fail)"),
        (Fault("PUT", UPLOAD, 500, skip=1), "cannot upload 'sample-"),
        (Fault("PUT", UPLOAD, 0), "cannot be reached"),
        (Fault("POST", "objects/batch", 401), "401 Unauthorized: made to fail); the token is not"),
        (Fault("POST", "preupload", 503), "503 Service Unavailable: made to fail); the Hub failed"),
        (Fault("POST", "repos/create", 500), "cannot create 'ann/sets' (500"),
        (Fault("POST", "repos/create", 429), "cannot create 'ann/sets' (429"),
        (Fault("GET", INFO, 429), "cannot read 'ann/sets' (429"),
        (Fault("GET", INFO, 404), "404 Not Found: made to fail); it is not there, or the token"),
        (Fault("GET", INFO, 0), "cannot be reached"),
        (Fault("HEAD", "README", 500), "cannot read 'ann/sets' (500"),
        (Fault("GET", "/tree/", 429), "429 Too Many Requests: made to fail); too many requests"),
        (Fault("GET", "manifest", 500), "500 Internal Server Error"),
    ],
    ids=lambda one: f"{one.status}-{one.pattern}" if isinstance(one, Fault) else "",
)
def test_failure_is_one_line_and_the_repository_is_as_it_was(
    pushed: Hub, fault: Fault, says: str
) -> None:
    before = state(pushed)
    pushed.faults.append(fault)

    line = refused(push_again(pushed))

    assert says in line
    assert "'ann/sets'" in line
    assert state(pushed) == before
    pushed.faults.clear()
    again = push_again(pushed)
    assert again.exit_code == 0, again.output
    assert pushed.dataset(REPO).messages[-1] == "Push sample-p-shuffle, sample-q-remove"


@pytest.mark.parametrize("status", [409, 412, 429, 500, 503])
def test_commit_is_tried_again_where_that_helps(
    pushed: Hub, waits: list[float], status: int
) -> None:
    pushed.faults.append(Fault("POST", COMMIT, status, times=2))

    result = push_again(pushed)

    assert result.exit_code == 0, result.output
    assert waits == [1, 2]
    assert f"{status} " in result.stderr
    assert "trying again in 1 s" in result.stderr
    assert len(pushed.dataset(REPO).history) == 3
    # What is there is not sent again.
    assert len(pushed.sent("PUT", UPLOAD)) == 2


def test_as_many_seconds_are_waited_as_the_hub_asks_for(pushed: Hub, waits: list[float]) -> None:
    pushed.faults.append(Fault("POST", COMMIT, 429, times=1, headers={"Retry-After": "17"}))

    assert push_again(pushed).exit_code == 0

    assert waits == [17]


def test_a_wait_too_long_is_told_of_instead(pushed: Hub, waits: list[float]) -> None:
    pushed.faults.append(Fault("POST", COMMIT, 429, headers={"Retry-After": "4000"}))

    assert "429 Too Many Requests" in refused(push_again(pushed))
    assert waits == []


def test_upload_is_tried_again_by_the_client(pushed: Hub, waits: list[float]) -> None:
    pushed.faults.append(Fault("PUT", UPLOAD, 500, times=2))

    assert push_again(pushed).exit_code == 0

    assert len(waits) == 2


def test_a_lost_answer_leads_to_no_second_commit(pushed: Hub) -> None:
    pushed.faults.append(Fault("POST", COMMIT, 500, times=1, after=True))

    result = push_again(pushed)

    assert result.exit_code == 0
    assert "files changed, in one commit" in result.output
    assert len(pushed.dataset(REPO).history) == 3


def test_someone_elses_push_in_between_is_kept(
    pushed: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Repository._try_commit
    others = ["p-remove"]

    def after_another(self: Repository, *arguments: Any) -> Any:
        if others:
            assert push(pushed, "--attacks", others.pop()).exit_code == 0
        return commit(self, *arguments)

    monkeypatch.setattr(Repository, "_try_commit", after_another)

    assert push_again(pushed).exit_code == 0

    said = ["Push sample-p-remove", "Push sample-p-shuffle, sample-q-remove"]
    assert pushed.dataset(REPO).messages[-2:] == said
    manifest = json.loads(pushed.content("dataset", REPO, "manifest.json"))
    assert [one["config"] for one in manifest["files"]] == [
        "sample", "sample-p-remove", "sample-p-shuffle", "sample-q-remove",
    ]  # fmt: skip


# --- broken transfers


def test_broken_push_goes_on_where_it_was(hub: Hub) -> None:
    hub.faults.append(Fault("PUT", UPLOAD, 0, skip=2))
    attacks = "original,p-remove,q-remove,p-shuffle,q-shuffle"
    refused(push(hub, "--attacks", attacks))
    arrived = {path.name for path in hub.store.iterdir()}
    assert len(arrived) == 2
    assert hub.dataset(REPO).messages == ["initial commit"]
    hub.faults.clear()
    hub.requests.clear()

    assert push(hub, "--attacks", attacks).exit_code == 0

    sent = {path.split("/")[-1].split("?")[0] for path in hub.sent("PUT", UPLOAD)}
    assert len(sent) == len(hub.sent("PUT", UPLOAD)) == 3
    assert not sent & arrived
    assert len([path for path in hub.dataset(REPO).files if "/" in path]) == 5


@pytest.mark.slow
def test_killed_push_goes_on_where_it_was(hub: Hub, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mcrc_adversarial", "push", "sample", "--repo-id", REPO]
    command += ["--attacks", "original,p-remove,q-remove"]
    process: list[subprocess.Popen[str]] = []

    class Killing(list[tuple[str, str]]):
        def append(self, request: tuple[str, str]) -> None:
            super().append(request)
            if len(hub.sent("PUT", UPLOAD)) == 4:
                process[0].send_signal(signal.SIGKILL)

    hub.requests = Killing()
    # It leaves its build behind.
    known = {**environment(hub, tmp_path / "home"), "TMPDIR": str(tmp_path)}
    process.append(subprocess.Popen(command, env=known, cwd=Path.cwd()))
    assert process[0].wait(120) == -signal.SIGKILL
    assert hub.dataset(REPO).messages == ["initial commit"]
    arrived = {path.name for path in hub.store.iterdir() if len(path.name) == 64}
    assert arrived
    hub.requests = []

    result = push(
        hub, "--attacks", "original,p-remove,q-remove", "--splits", "train,validation,test"
    )

    assert result.exit_code == 0, result.output
    sent = {path.split("/")[-1].split("?")[0] for path in hub.sent("PUT", UPLOAD)}
    assert len(sent | arrived) == 9
    assert not sent & arrived


# --- where to


@pytest.mark.parametrize("endpoint", ["hub.example.org", "ftp://hub", "https://"])
def test_endpoint_that_is_no_address_is_refused(hub: Hub, endpoint: str) -> None:
    result = push(type("Elsewhere", (), {"url": endpoint})())  # type: ignore[arg-type]

    assert "is no address; give one like https://huggingface.co" in refused(result)


def test_hub_that_does_not_answer_is_named(hub: Hub) -> None:
    hub.server_close()

    line = refused(push(hub))

    assert f"{hub.url} cannot be reached" in line


def test_password_in_an_endpoint_is_not_shown(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    hub.server_close()
    address = hub.url.replace("//", "//ann:pa55@")

    line = refused(push(type("Elsewhere", (), {"url": address})()))  # type: ignore[arg-type]

    assert "pa55" not in line


def test_offline_is_said(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    assert "offline" in refused(push(hub)).lower()


def test_hf_endpoint_is_honoured(hub: Hub, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mcrc_adversarial", "push", "sample", "--repo-id", "sets"]

    subprocess.run(
        [*command, "--attacks", "original", "--splits", "test"],
        env=environment(hub, tmp_path / "home"),
        check=True,
        capture_output=True,
    )

    assert "sample/test.parquet" in hub.dataset(REPO).files


@pytest.mark.parametrize("name", ["ann/a/b", "ann/..", "ann/se ts"])
def test_name_that_the_hub_does_not_allow_is_refused(hub: Hub, name: str) -> None:
    assert repr(name) in refused(push(hub, repo_id=name))


# --- what others left there


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("README.md", "---\nconfigs: 3\n---\n", "README.md of 'ann/sets' cannot be understood"),
        ("README.md", "---\na: [\n---\n", "README.md of 'ann/sets' cannot be understood"),
        ("manifest.json", "{}", "manifest.json of ann/sets"),
        ("manifest.json", '{"schema_version": 99}', "update this package"),
    ],
)
def test_strange_files_are_left_alone(pushed: Hub, path: str, text: str, says: str) -> None:
    repo = pushed.dataset(REPO)
    blob = type(repo.files[path])(len(text), text.encode())
    repo.add({**repo.files, path: blob}, "strange")
    before = state(pushed)

    assert says in refused(push_again(pushed))

    assert state(pushed) == before


def test_hub_without_xet_is_said_in_one_line(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    needed.package("hf_xet", "the client's other way to send large files")
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", False)

    line = refused(push(hub))

    assert "cannot upload 'ann/sets'" in line
    assert "xet-write-token" in line
    assert hub.dataset(REPO).messages == ["initial commit"]
