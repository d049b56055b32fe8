"""What is said of the Hub's answers and of its address: short, without secrets, and true."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hub_clients import COMMIT, INFO, REPO, UPLOAD, push, push_again, refused, state
from hub_server import TOKEN, Fault, Hub
from huggingface_hub import constants, get_session

LONG = {"Retry-After": "4000"}


def push_to(endpoint: str) -> Any:
    hub: Any = SimpleNamespace(url=endpoint)
    return push(hub)


@pytest.mark.parametrize(
    ("method", "pattern"),
    [
        *(("POST", "repos/create"), ("GET", "auth-check/write"), ("GET", INFO), ("GET", "/tree/")),
        *(("HEAD", "README"), ("GET", "resolve/.*/README"), ("POST", "preupload")),
        *(("POST", "objects/batch"), ("PUT", UPLOAD), ("POST", COMMIT)),
    ],
)
@pytest.mark.parametrize("headers", [LONG, {"ratelimit": '"api";r=0;t=4000'}], ids=["wait", "rate"])
def test_a_wait_too_long_is_told_of_wherever_it_is_asked_for(
    pushed: Hub, waits: list[float], method: str, pattern: str, headers: dict[str, str]
) -> None:
    before = state(pushed)
    pushed.faults.append(Fault(method, pattern, 429, headers=headers))

    line = refused(push_again(pushed))

    assert "429 Too Many Requests" in line
    assert "wait 4000 s, then give the same command again" in line
    assert waits == []
    assert state(pushed) == before
    # The client is as it was before.
    assert not get_session().event_hooks["response"]


def test_a_short_wait_is_left_to_the_client(pushed: Hub, waits: list[float]) -> None:
    pushed.faults.append(Fault("PUT", UPLOAD, 429, times=1, headers={"Retry-After": "20"}))

    assert push_again(pushed).exit_code == 0

    assert waits == [21]


def test_a_long_message_is_cut_and_signatures_are_left_out(pushed: Hub) -> None:
    signed = "https://store.invalid/a?X-Amz-Signature=5ecre7&X-Amz-Date=1"
    # The token stands across the place where the message ends.
    words = f"see {signed} why? {'no ' * 78}{TOKEN}{TOKEN[:8]} {'no ' * 2000}"
    pushed.faults.append(Fault("POST", COMMIT, 400, body=json.dumps({"error": words})))

    line = refused(push_again(pushed))

    assert "see https://store.invalid/a?... why? no no" in line
    assert "5ecre7" not in line
    assert "s3cret" not in line
    assert len(line) < 600


@pytest.mark.parametrize(
    "endpoint", ["http://[::1", "http://127.0.0.1:99999", "http://no such", "http://:80"]
)
def test_address_that_cannot_be_asked_is_refused(hub: Hub, endpoint: str) -> None:
    assert f"endpoint {endpoint!r} is no address" in refused(push_to(endpoint))


def test_address_of_the_environment_is_checked_too(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial.errors import ParameterError
    from mcrc_adversarial.hub import Repository

    monkeypatch.setattr(constants, "ENDPOINT", "http://ann:pa55@[::1")
    with pytest.raises(ParameterError, match=r"endpoint 'http://\[::1' is no address"):
        Repository(REPO, "dataset")


def test_address_that_ends_with_a_slash_is_printed_without(hub: Hub) -> None:
    result = push_to(f"{hub.url}/")

    assert result.exit_code == 0, result.output
    assert f"{hub.url}/datasets/ann/sets" in result.output
    assert f"{hub.url}//" not in result.output


def test_offline_says_what_to_unset(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    line = refused(push(hub))

    assert "(offline: HF_HUB_OFFLINE is set); unset it, then give the same command again" in line
    assert "check it" not in line
