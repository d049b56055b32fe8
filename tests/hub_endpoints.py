"""The endpoints of the Hub that the real clients use.

Written after what huggingface_hub 2.4, datasets 5.2 and evaluate 0.4.6 send and expect. A commit
is one or none: it is looked through whole before anything of it is kept.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hub_connection import Connection
from hub_repos import ATTRIBUTES, KINDS, READ_ONLY, TOKEN, USER, Blob, Repo, entries, upload_mode

# Short, so that a tree has several pages.
_PAGE = 7
_ID = r"(?P<repo_id>[^/]+/[^/]+)"
_API = rf"/api/(?P<kind>datasets|spaces|models)/{_ID}"
_PAGE_OF = rf"/(?:(?P<kind>datasets|spaces)/)?{_ID}"
_ROUTES = (
    ("GET", "/api/whoami-v2", "whoami"),
    ("POST", "/api/repos/create", "create"),
    ("POST", "/api/validate-yaml", "validate_yaml"),
    ("GET", _API, "info"),
    ("GET", rf"{_API}/auth-check/write", "auth_check"),
    ("GET", rf"{_API}/revision/(?P<revision>[^/]+)", "info"),
    ("GET", rf"{_API}/tree/(?P<revision>[^/]+)(?:/(?P<path>.+))?", "tree"),
    ("POST", rf"{_API}/paths-info/(?P<revision>[^/]+)", "paths_info"),
    ("POST", rf"{_API}/preupload/(?P<revision>[^/]+)", "preupload"),
    ("POST", rf"{_API}/commit/(?P<revision>[^/]+)", "commit"),
    ("POST", rf"{_PAGE_OF}\.git/info/lfs/objects/batch", "lfs_batch"),
    ("PUT", "/lfs-store/(?P<oid>[0-9a-f]{64})", "lfs_put"),
    ("GET", rf"{_PAGE_OF}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve"),
)


class Endpoints(Connection):
    """One connection, with an answer to each request."""

    routes = _ROUTES

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
        repo.add({".gitattributes": Blob(len(ATTRIBUTES), ATTRIBUTES)}, "initial commit")
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
            "private": self.server.repos[KINDS[kind], repo_id].private,
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

    def auth_check(self, kind: str, repo_id: str) -> None:
        """Whether the token may write."""
        if self._repo(kind, repo_id) is not None and self._may_write(repo_id.split("/")[0]):
            self._json({})

    def tree(self, kind: str, repo_id: str, revision: str, path: str | None = None) -> None:
        """Files and folders, a page at a time."""
        found = self._commit(kind, repo_id, revision)
        if found is None:
            return
        query = parse_qs(urlsplit(self.path).query)
        is_deep = query.get("recursive", ["False"])[0].lower() in ("true", "1")
        start = int(query.get("cursor", ["0"])[0])
        items = entries(found[1], path or "", is_deep)
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
        by_path = {one["path"]: one for one in entries(found[1], "", True)}
        self._json([by_path[path] for path in paths if path in by_path])

    def preupload(self, kind: str, repo_id: str, revision: str) -> None:
        """Says which files are large."""
        asked = json.loads(self._read())
        found = self._commit(kind, repo_id, revision)
        if found is None or not self._may_write(repo_id.split("/")[0]):
            return
        self._json({"files": [upload_mode(one, found[1]) for one in asked["files"]]})

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
