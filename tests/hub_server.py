"""A stand-in for the Hub on 127.0.0.1: the endpoints that the real clients use, and faults.

Written after what huggingface_hub 2.4, datasets 5.2 and evaluate 0.4.6 send and expect. A commit
is one or none: it is looked through whole before anything of it is kept.
"""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "hf_" + "s3cretS3cretS3cret"
READ_ONLY = "hf_" + "readOnlyReadOnly"
USER = "ann"
_LARGE = ("*.parquet", "*.safetensors", "*.bin", "*.zip")
_ATTRIBUTES = "".join(f"{one} filter=lfs diff=lfs merge=lfs -text\n" for one in _LARGE).encode()
_KINDS = {"datasets": "dataset", "spaces": "space", "models": "model"}
_BLOCK = 1 << 20
# Short, so that a tree has several pages.
_PAGE = 7


@dataclass(frozen=True)
class Blob:
    """A file of a commit: its bytes, or the digest of what the store of large files holds."""

    size: int
    content: bytes | None = None
    sha256: str | None = None

    @property
    def git_oid(self) -> str:
        """Git's digest, of the pointer where the file is a large one."""
        content = self.pointer if self.content is None else self.content
        return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()

    @property
    def pointer(self) -> bytes:
        """What git holds in the place of a large file."""
        version = "version https://git-lfs.github.com/spec/v1"
        return f"{version}\noid sha256:{self.sha256}\nsize {self.size}\n".encode()


@dataclass
class Repo:
    """A repository: (commit, files), the newest last."""

    private: bool
    history: list[tuple[str, dict[str, Blob]]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The newest commit."""
        return self.history[-1][0]

    @property
    def files(self) -> dict[str, Blob]:
        """What the newest commit holds."""
        return self.history[-1][1]

    def at(self, revision: str) -> tuple[str, dict[str, Blob]] | None:
        """The commit that a revision names."""
        if revision in ("main", "refs/heads/main"):
            return self.history[-1]
        return next((one for one in self.history if one[0] == revision), None)

    def add(self, files: dict[str, Blob], message: str) -> None:
        """One commit more."""
        number = f"{len(self.history)} {message} {sorted(files)}".encode()
        self.history.append((hashlib.sha1(number).hexdigest(), files))
        self.messages.append(message)


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


class Hub(ThreadingHTTPServer):
    """The server and what it holds; large files lie below `store`."""

    daemon_threads = True
    # Clients that are killed or cut off are part of what is tested.
    block_on_close = False

    def __init__(self, store: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
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


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Hub

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
        for verb, pattern, name in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match and (method == verb or (verb == "GET" and method == "HEAD")):
                getattr(self, name)(**match.groupdict())
                return
        self._error(404, "Sorry, we can't find the page you are looking for.")

    def _repo(self, kind: str | None, repo_id: str) -> Repo | None:
        repo = self.server.repos.get((_KINDS[kind or "models"], repo_id))
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

    # --- endpoints

    def whoami(self) -> None:
        """Whose token it is."""
        if self.token not in (TOKEN, READ_ONLY):
            self._error(401, "Invalid credentials in Authorization header")
            return
        self._json({"type": "user", "name": USER, "fullname": USER, "orgs": []})

    def create(self) -> None:
        """A new repository with its first commit."""
        asked = json.loads(self._read())
        kind, owner = asked.get("type") or "model", asked.get("organization") or USER
        if not self._may_write(owner):
            return
        repo_id = f"{owner}/{asked['name']}"
        prefix = "" if kind == "model" else f"{kind}s/"
        url = f"{self.server.url}/{prefix}{repo_id}"
        if (kind, repo_id) in self.server.repos:
            self._json({"error": "You already created this repo", "url": url}, 409)
            return
        repo = Repo(private=bool(asked.get("private")) or asked.get("visibility") == "private")
        repo.add({".gitattributes": Blob(len(_ATTRIBUTES), _ATTRIBUTES)}, "initial commit")
        self.server.repos[kind, repo_id] = repo
        self._json({"url": url, "name": repo_id, "id": "0"})

    def validate_yaml(self) -> None:
        """Looks through a card's YAML block."""
        self._json({"errors": [], "warnings": []})

    def info(self, kind: str, repo_id: str, revision: str | None = None) -> None:
        """What a repository is, and its files."""
        found = self._commit(kind, repo_id, revision)
        if found is None:
            return
        commit, files = found
        content = {
            "_id": "0",
            "id": repo_id,
            "author": repo_id.split("/")[0],
            "sha": commit,
            "private": self.server.repos[_KINDS[kind], repo_id].private,
            "gated": False,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "lastModified": "2026-01-01T00:00:00.000Z",
            "createdAt": "2026-01-01T00:00:00.000Z",
            "siblings": [{"rfilename": name} for name in files],
        }
        self._json(content)

    def tree(self, kind: str, repo_id: str, revision: str, path: str | None = None) -> None:
        """Files and folders, a page at a time."""
        found = self._commit(kind, repo_id, revision)
        if found is None:
            return
        query = parse_qs(urlsplit(self.path).query)
        is_deep = query.get("recursive", ["False"])[0].lower() in ("true", "1")
        start = int(query.get("cursor", ["0"])[0])
        items = _entries(found[1], path or "", is_deep)
        if path and not items:
            self._error(404, f"{path} does not exist", "EntryNotFound")
            return
        headers = {}
        if len(items) > start + _PAGE:
            here = f"{self.server.url}{urlsplit(self.path).path}"
            target = f"{here}?recursive={is_deep}&cursor={start + _PAGE}"
            headers["Link"] = f'<{target}>; rel="next"'
        self._json(items[start : start + _PAGE], **headers)

    def paths_info(self, kind: str, repo_id: str, revision: str) -> None:
        """Files and folders by name."""
        body = self._read().decode()
        is_json = "json" in (self.headers.get("Content-Type") or "")
        paths = json.loads(body)["paths"] if is_json else parse_qs(body).get("paths", [])
        found = self._commit(kind, repo_id, revision)
        if found is None:
            return
        by_path = {one["path"]: one for one in _entries(found[1], "", True)}
        self._json([by_path[path] for path in paths if path in by_path])

    def preupload(self, kind: str, repo_id: str, revision: str) -> None:
        """Says which files are large."""
        asked = json.loads(self._read())
        found = self._commit(kind, repo_id, revision)
        if found is None or not self._may_write(repo_id.split("/")[0]):
            return
        self._json({"files": [_upload_mode(one, found[1]) for one in asked["files"]]})

    def lfs_batch(self, kind: str | None, repo_id: str) -> None:
        """Says where large files are to be put, and which are there."""
        asked = json.loads(self._read())
        if self._repo(kind, repo_id) is None or not self._may_write(repo_id.split("/")[0]):
            return
        objects = []
        for one in asked["objects"]:
            answer = {"oid": one["oid"], "size": one["size"]}
            if not (self.server.store / one["oid"]).is_file():
                href = f"{self.server.url}/lfs-store/{one['oid']}?X-Signature=signed"
                answer["actions"] = {"upload": {"href": href}}
            objects.append(answer)
        self._json({"transfer": "basic", "objects": objects})

    def lfs_put(self, oid: str) -> None:
        """Takes a large file, whole or not at all."""
        digest = hashlib.sha256()
        unfinished = self.server.store / f"{oid}.{threading.get_ident()}"
        with unfinished.open("wb") as file:
            for block in self._blocks():
                digest.update(block)
                file.write(block)
        if digest.hexdigest() != oid:
            unfinished.unlink()
            self._error(400, "digest mismatch")
            return
        unfinished.replace(self.server.store / oid)
        self._send(200)

    def commit(self, kind: str, repo_id: str, revision: str) -> None:
        """Takes all of a commit, or nothing."""
        lines = [json.loads(line) for line in self._read().splitlines()]
        repo = self._repo(kind, repo_id)
        if repo is None or not self._may_write(repo_id.split("/")[0]):
            return
        with self.server.lock:
            header = lines[0]["value"]
            if header.get("parentCommit", repo.head) != repo.head:
                self._error(412, "A commit has happened since. Please refresh and try again.")
                return
            files = dict(repo.files)
            for line in lines[1:]:
                problem = self._apply(line["key"], line["value"], files)
                if problem:
                    self._error(400, problem)
                    return
            repo.add(files, header["summary"])
        url = f"{self.server.url}/{kind}/{repo_id}/commit/{repo.head}"
        self._json({"success": True, "commitOid": repo.head, "commitUrl": url})

    def _apply(self, key: str, value: Mapping[str, Any], files: dict[str, Blob]) -> str:
        path = value["path"]
        if key == "file":
            content = base64.b64decode(value["content"])
            files[path] = Blob(len(content), content)
        elif key == "lfsFile":
            stored = self.server.store / value["oid"]
            if not stored.is_file():
                return f"{path}: the large file was not uploaded"
            files[path] = Blob(stored.stat().st_size, sha256=value["oid"])
        elif key == "deletedFile" and path in files:
            del files[path]
        else:
            return f"{path}: a file with this name doesn't exist"
        return ""

    def resolve(self, kind: str | None, repo_id: str, revision: str, path: str) -> None:
        """A file's bytes, or a part of them."""
        found = self._commit(kind, repo_id, revision)
        if found is None:
            return
        commit, files = found
        if path not in files:
            headers = {"X-Repo-Commit": commit, "X-Error-Code": "EntryNotFound"}
            self._send(404, b"Entry not found", headers)
            return
        blob = files[path]
        content = blob.content
        if content is None:
            content = (self.server.store / str(blob.sha256)).read_bytes()
        headers = {
            "ETag": f'"{blob.sha256 or blob.git_oid}"',
            "X-Repo-Commit": commit,
            "Accept-Ranges": "bytes",
        }
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if not asked:
            self._send(200, content, headers)
            return
        start, end = int(asked.group(1)), int(asked.group(2) or len(content) - 1)
        part = content[start : end + 1]
        headers["Content-Range"] = f"bytes {start}-{start + len(part) - 1}/{len(content)}"
        self._send(206, part, headers)


_ID = r"(?P<repo_id>[^/]+/[^/]+)"
_API = rf"/api/(?P<kind>datasets|spaces|models)/{_ID}"
_PAGE_OF = rf"/(?:(?P<kind>datasets|spaces)/)?{_ID}"
_ROUTES = (
    ("GET", "/api/whoami-v2", "whoami"),
    ("POST", "/api/repos/create", "create"),
    ("POST", "/api/validate-yaml", "validate_yaml"),
    ("GET", _API, "info"),
    ("GET", rf"{_API}/revision/(?P<revision>[^/]+)", "info"),
    ("GET", rf"{_API}/tree/(?P<revision>[^/]+)(?:/(?P<path>.+))?", "tree"),
    ("POST", rf"{_API}/paths-info/(?P<revision>[^/]+)", "paths_info"),
    ("POST", rf"{_API}/preupload/(?P<revision>[^/]+)", "preupload"),
    ("POST", rf"{_API}/commit/(?P<revision>[^/]+)", "commit"),
    ("POST", rf"{_PAGE_OF}\.git/info/lfs/objects/batch", "lfs_batch"),
    ("PUT", "/lfs-store/(?P<oid>[0-9a-f]{64})", "lfs_put"),
    ("GET", rf"{_PAGE_OF}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve"),
)


def _upload_mode(asked: Mapping[str, Any], files: Mapping[str, Blob]) -> dict[str, Any]:
    path = asked["path"]
    is_large = any(fnmatch.fnmatch(path, one) for one in _LARGE) or asked["size"] > 10_000_000
    present = files.get(path)
    oid = None if present is None else present.sha256 or present.git_oid
    mode = "lfs" if is_large else "regular"
    return {"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid}


def _entries(files: Mapping[str, Blob], below: str, is_deep: bool) -> list[dict[str, Any]]:
    prefix = f"{below}/" if below else ""
    found: dict[str, dict[str, Any]] = {}
    for path, blob in sorted(files.items()):
        if not path.startswith(prefix):
            continue
        parts = path.removeprefix(prefix).split("/")
        for depth in range(1, len(parts)):
            folder = prefix + "/".join(parts[:depth])
            if is_deep or depth == 1:
                found[folder] = {"type": "directory", "path": folder, "size": 0, "oid": "0" * 40}
        if is_deep or len(parts) == 1:
            found[path] = {"type": "file", "path": path, "size": blob.size, "oid": blob.git_oid}
            if blob.sha256:
                lfs = {"oid": blob.sha256, "size": blob.size, "pointerSize": len(blob.pointer)}
                found[path]["lfs"] = lfs
    return list(found.values())


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
