"""The token: what is said of one that will not do, and that it is never printed or written."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_clients import COMMIT, INFO, REPO, environment, push, refused
from hub_server import READ_ONLY, TOKEN, Fault, Hub

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.hub import Repository


@pytest.fixture(autouse=True)
def _warnings_seen_once() -> Iterator[None]:
    logger = logging.getLogger("huggingface_hub")
    before = logger.propagate
    logger.propagate = True
    yield
    logger.propagate = before


@pytest.mark.parametrize(("token", "says"), [("hf_wrong", "401"), (READ_ONLY, "403")])
def test_token_that_may_not_write_is_refused_before_anything_is_built(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, token: str, says: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)

    result = push(hub, "--folder", str(tmp_path / "built"))

    assert f"cannot create 'ann/sets' ({says} " in refused(result)
    assert token not in result.output
    assert not (tmp_path / "built").exists()
    assert not hub.repos


def test_no_token_is_said(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")

    assert "no token to push to 'ann/sets' with; run `hf auth login`" in refused(push(hub))
    assert not hub.requests


def test_name_of_someone_else_is_refused(hub: Hub) -> None:
    line = refused(push(hub, repo_id="bob/sets"))

    assert "cannot create 'bob/sets' (403 Forbidden: you do not have write access to bob)" in line


@pytest.mark.parametrize(
    ("method", "pattern"), [("POST", "commit"), ("POST", "lfs"), ("PUT", "lfs"), ("GET", INFO)]
)
def test_token_is_in_no_message(
    pushed: Hub, tmp_path: Path, caplog: pytest.LogCaptureFixture, method: str, pattern: str
) -> None:
    echo = Fault(method, pattern, 500, body=f'{{"error": "you sent Bearer {TOKEN}"}}')
    echo.headers = {"X-Error-Message": f"Bearer {TOKEN}", "X-Request-Id": TOKEN}
    pushed.faults.append(echo)

    with caplog.at_level(logging.WARNING):
        result = push(
            pushed, "--folder", str(tmp_path / "built"), "--seed", "8", "--attacks", "p-shuffle"
        )

    refused(result)
    assert TOKEN not in result.stdout + result.stderr
    assert TOKEN not in caplog.text
    assert "X-Signature" not in caplog.text


@pytest.mark.parametrize("status", [200, 403])
def test_token_is_in_no_file_and_no_output(hub: Hub, tmp_path: Path, status: int) -> None:
    headers = {"X-Error-Message": f"Bearer {TOKEN}"}
    if status == 403:
        hub.faults.append(Fault("POST", COMMIT, status, headers=headers))
    places = {name: tmp_path / name for name in ("home", "temporary", "built")}
    for place in places.values():
        place.mkdir()
    command = [sys.executable, "-m", "mcrc_adversarial", "push", "sample", "--repo-id", REPO]
    command += ["--attacks", "p-remove", "--splits", "test", "--folder", str(places["built"])]
    known = {**environment(hub, places["home"]), "TMPDIR": str(places["temporary"])}

    done = subprocess.run(command, env=known, capture_output=True, text=True, check=False)

    assert done.returncode == (2 if status == 403 else 0), done.stderr
    assert ("403 Forbidden: Bearer [token]" in done.stderr) is (status == 403)
    assert TOKEN not in done.stdout + done.stderr
    assert (places["built"] / "manifest.json").is_file()
    for place in places.values():
        for path in place.rglob("*"):
            assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("token", ["hf_\xe4bc", "hf_a b", "hf_\u200b"])
def test_token_that_no_header_takes_is_said(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)

    result = push(hub)

    assert "the token of HF_TOKEN or of the login has spaces or letters" in refused(result)
    assert token not in result.output
    assert not hub.requests


def test_token_is_in_no_traceback(pushed: Hub) -> None:
    message = f"you sent Bearer {TOKEN}"
    pushed.faults.append(Fault("GET", "/api/datasets/", 400, headers={"X-Error-Message": message}))

    with pytest.raises(HubError) as caught:
        Repository(REPO, "dataset", pushed.url).head()

    text = "".join(traceback.format_exception(caught.value))
    assert "you sent Bearer [token]" in text
    assert TOKEN not in text
