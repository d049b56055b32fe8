"""A stand-in for the Hub on 127.0.0.1: what it holds, and faults; see `hub_endpoints`."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hub_connection import Fault
from hub_endpoints import Endpoints
from hub_repos import READ_ONLY, TOKEN, USER, Repo

__all__ = ["READ_ONLY", "TOKEN", "USER", "Fault", "Hub", "serving"]


class Hub(ThreadingHTTPServer):
    """The server and what it holds; large files lie below `store`."""

    daemon_threads = True
    # Clients that are killed or cut off are part of what is tested.
    block_on_close = False

    def __init__(self, store: Path) -> None:
        super().__init__(("127.0.0.1", 0), Endpoints)
        self.store = store
        self.repos: dict[tuple[str, str], Repo] = {}
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def dataset(self, repo_id: str) -> Repo:
        """A dataset repository."""
        return self.repos["dataset", repo_id]

    def content(self, kind: str, repo_id: str, path: str) -> bytes:
        """The bytes of a file."""
        blob = self.repos[kind, repo_id].files[path]
        if blob.content is not None:
            return blob.content
        assert blob.sha256 is not None
        return (self.store / blob.sha256).read_bytes()

    def sent(self, method: str, pattern: str) -> list[str]:
        """Paths of the requests so far that fit."""
        return [path for one, path in self.requests if one == method and re.search(pattern, path)]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is no fault of the server's."""


@contextmanager
def serving(store: Path) -> Iterator[Hub]:
    """A Hub that answers until the block ends."""
    store.mkdir(parents=True, exist_ok=True)
    with Hub(store) as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()
