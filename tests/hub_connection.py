"""A connection to the stand-in for the Hub: requests in, answers out, and what goes wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from hub_repos import KINDS, READ_ONLY, TOKEN, USER, Repo

if TYPE_CHECKING:
    from hub_server import Hub

_BLOCK = 1 << 20


@dataclass
class Fault:
    """What goes wrong with the next requests that fit.

    Attributes:
        method: of the request.
        pattern: regular expression, searched in the path with its query.
        status: of the answer; 0 cuts the connection off without one.
        times: how many requests it meets; -1: all.
        skip: how many pass before.
        headers: of the answer.
        body: of the answer.
        after: the request is done, and only its answer is lost.
    """

    method: str
    pattern: str
    status: int
    times: int = -1
    skip: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = '{"error": "made to fail"}'
    after: bool = False

    def meets(self, method: str, path: str) -> bool:
        """Whether this request is one of them."""
        if method != self.method or not re.search(self.pattern, path) or not self.times:
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Connection(BaseHTTPRequestHandler):
    """One connection; who inherits from it has the endpoints."""

    protocol_version = "HTTP/1.1"
    server: Hub
    # (method, regular expression of the path, name of the endpoint).
    routes: tuple[tuple[str, str, str], ...] = ()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._answer("GET")

    def do_HEAD(self) -> None:
        self._answer("HEAD")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    # --- in and out

    def _answer(self, method: str) -> None:
        self.body_is_read = False
        with self.server.lock:
            self.server.requests.append((method, self.path))
            fault = next((one for one in self.server.faults if one.meets(method, self.path)), None)
        if fault is not None and not fault.after:
            self._fail(fault)
            return
        self.lost = fault
        self._route(method)

    def _fail(self, fault: Fault) -> None:
        if not fault.status:
            self.close_connection = True
            self.connection.close()
            return
        self.lost = None
        self._send(fault.status, fault.body.encode(), dict(fault.headers))

    def _blocks(self) -> Iterator[bytes]:
        self.body_is_read = True
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        left = int(self.headers.get("Content-Length") or 0)
        while left:
            block = self.rfile.read(min(left, _BLOCK))
            if not block:
                return
            left -= len(block)
            yield block

    def _read(self) -> bytes:
        return b"".join(self._blocks())

    def _send(
        self, status: int, content: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        if not self.body_is_read:
            self._read()
        if self.lost is not None:
            fault, self.lost = self.lost, None
            self._fail(fault)
            return
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _json(self, content: Any, status: int = 200, **headers: str) -> None:
        self._send(status, json.dumps(content).encode(), headers)

    def _error(self, status: int, message: str, code: str = "") -> None:
        headers = {"X-Error-Message": message}
        self._json(
            {"error": message}, status, **headers, **({"X-Error-Code": code} if code else {})
        )

    # --- who asks for what

    @property
    def token(self) -> str | None:
        """What the client said it is."""
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None

    def _may_write(self, owner: str) -> bool:
        if self.token not in (TOKEN, READ_ONLY):
            self._error(401, "Invalid credentials in Authorization header")
        elif self.token == READ_ONLY or owner != USER:
            self._error(403, f"you do not have write access to {owner}")
        else:
            return True
        return False

    def _route(self, method: str) -> None:
        path = unquote(urlsplit(self.path).path)
        for verb, pattern, name in self.routes:
            match = re.fullmatch(pattern, path)
            if match and (method == verb or (verb == "GET" and method == "HEAD")):
                getattr(self, name)(**match.groupdict())
                return
        self._error(404, "Sorry, we can't find the page you are looking for.")

    def _repo(self, kind: str | None, repo_id: str) -> Repo | None:
        repo = self.server.repos.get((KINDS[kind or "models"], repo_id))
        if repo is None or (repo.private and self.token not in (TOKEN, READ_ONLY)):
            self._error(404 if self.token else 401, "Repository not found", "RepoNotFound")
            return None
        return repo

    def _commit(self, kind: str | None, repo_id: str, revision: str | None) -> Any:
        repo = self._repo(kind, repo_id)
        if repo is None:
            return None
        found = repo.at(revision or "main")
        if found is None:
            self._error(404, "Invalid rev id", "RevisionNotFound")
        return found
