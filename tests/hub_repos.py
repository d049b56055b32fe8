"""What the stand-in for the Hub keeps: repositories, their commits, their files."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TOKEN = "hf_" + "s3cretS3cretS3cret"
READ_ONLY = "hf_" + "readOnlyReadOnly"
USER = "ann"
_LARGE = ("*.parquet", "*.safetensors", "*.bin", "*.zip")
ATTRIBUTES = "".join(f"{one} filter=lfs diff=lfs merge=lfs -text\n" for one in _LARGE).encode()
KINDS = {"datasets": "dataset", "spaces": "space", "models": "model"}


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


def upload_mode(asked: Mapping[str, Any], files: Mapping[str, Blob]) -> dict[str, Any]:
    """How a file is to be sent."""
    path = asked["path"]
    is_large = any(fnmatch.fnmatch(path, one) for one in _LARGE) or asked["size"] > 10_000_000
    present = files.get(path)
    oid = None if present is None else present.sha256 or present.git_oid
    mode = "lfs" if is_large else "regular"
    return {"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid}


def entries(files: Mapping[str, Blob], below: str, is_deep: bool) -> list[dict[str, Any]]:
    """Files and folders below a folder, or in it alone."""
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
