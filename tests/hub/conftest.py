from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import hub_server
import pytest
from hub_clients import push
from huggingface_hub import close_session, constants


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client, or this package, would have waited."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: list[float]
) -> Iterator[hub_server.Hub]:
    """A Hub of this test's own, that this process is logged in to and reaches by plain HTTP."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_TOKEN", hub_server.TOKEN)
    # huggingface_hub 2.4 sends files in a way that its HTTP library is to give up.
    warnings.filterwarnings("ignore", "Use 'content=", DeprecationWarning)
    # A build that is kept is not to stay on this machine.
    (tmp_path / "temporary files").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary files"))
    with hub_server.serving(tmp_path / "lfs") as server:
        yield server
    close_session()


@pytest.fixture
def pushed(hub: hub_server.Hub) -> hub_server.Hub:
    """A Hub with a repository, of which the next push replaces a config and adds one."""
    assert push(hub, "--attacks", "original,p-shuffle").exit_code == 0
    hub.requests.clear()
    return hub
