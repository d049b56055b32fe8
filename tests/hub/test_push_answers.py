"""Answers that are lost or are not the Hub's, and what is left of a build where the Hub fails."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

import pytest
from hub_clients import COMMIT, INFO, REPO, push, push_again, refused, state
from hub_server import Fault, Hub


@pytest.mark.parametrize(
    ("method", "pattern", "status"),
    [
        *(("POST", "repos/create", status) for status in (0, 429, 500, 503)),
        *(("GET", INFO, status) for status in (0, 429, 500, 503)),
        ("HEAD", "README", 0),
    ],
)
def test_what_the_client_asks_once_is_asked_again(
    pushed: Hub, waits: list[float], method: str, pattern: str, status: int
) -> None:
    pushed.faults.append(Fault(method, pattern, status, times=2))

    result = push_again(pushed)

    assert result.exit_code == 0, result.output
    assert waits == [1, 2]
    assert result.stderr.count("trying again in") == 2


def test_a_connection_that_is_cut_at_the_commit_is_made_again(
    pushed: Hub, waits: list[float]
) -> None:
    pushed.faults.append(Fault("POST", COMMIT, 0, times=1))
    pushed.faults.append(Fault("POST", COMMIT, 0, times=1, after=True))

    result = push_again(pushed)

    assert result.exit_code == 0, result.output
    assert waits == [1, 2]
    assert "files changed, in one commit" in result.output
    assert len(pushed.dataset(REPO).history) == 3


HTML, LIST, EMPTY = "<html>Log in to the network</html>", "[1]", "{}"


@pytest.mark.parametrize(
    ("method", "pattern", "bodies"),
    [
        ("POST", "repos/create", (HTML, LIST, EMPTY)),
        ("GET", INFO, (HTML, LIST, EMPTY)),
        ("GET", "/tree/", (HTML, LIST, EMPTY)),
        ("HEAD", "README", (HTML,)),
        ("POST", "preupload", (HTML, LIST, EMPTY)),
        ("POST", "objects/batch", (HTML, LIST, EMPTY)),
        ("POST", COMMIT, (HTML, LIST, EMPTY)),
    ],
)
def test_an_answer_that_is_not_the_hubs_is_said(
    pushed: Hub, method: str, pattern: str, bodies: tuple[str, ...]
) -> None:
    before = state(pushed)
    for body in bodies:
        pushed.faults[:] = [Fault(method, pattern, 200, body=body)]

        line = refused(push_again(pushed))

        assert re.search(r"cannot (create|read|upload|commit) .*'ann/sets' \([^()]{20,}", line), (
            line
        )
        if body == HTML and pattern != "README":
            assert f"{pushed.url} gave no answer of a Hub" in line
        assert state(pushed) == before


def test_a_conflict_in_other_words_than_the_hubs_is_said(hub: Hub) -> None:
    hub.faults.append(Fault("POST", "repos/create", 409, body=HTML))

    assert "gave no answer of a Hub" in refused(push(hub))


def test_what_was_built_is_kept_where_the_hub_fails(pushed: Hub) -> None:
    pushed.faults.append(Fault("POST", COMMIT, 500))

    line = refused(push_again(pushed))

    option = re.search(r"--folder ('.+?') goes on from it", line)
    assert option is not None, line
    [folder] = shlex.split(option.group(1))
    built = Path(folder, "sample-p-shuffle", "test.parquet")
    written = built.stat().st_mtime_ns
    pushed.faults.clear()
    again = push(pushed, "--attacks", "p-shuffle,q-remove", "--seed", "2", "--folder", str(folder))
    assert again.exit_code == 0, again.output
    assert built.stat().st_mtime_ns == written
    assert len(pushed.dataset(REPO).history) == 3


def test_nothing_is_kept_where_the_push_is_done(hub: Hub) -> None:
    assert push(hub).exit_code == 0
    assert push(hub, "--splits", "nonsense").exit_code == 2

    assert not list(Path(tempfile.gettempdir()).iterdir())
