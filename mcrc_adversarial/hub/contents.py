"""What a repository is to hold, and what of it has to be sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from huggingface_hub import CommitOperationAdd

from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.hub.remote import Head, Pushed, RemoteFile, Repository


def additions(contents: Mapping[str, Path | bytes], head: Head) -> list[CommitOperationAdd]:
    """What to send so that the repository holds `contents`: all that differ, by their digests."""
    return [
        CommitOperationAdd(path, content)
        for path, content in contents.items()
        if path not in head.files or not _is_same(content, head.files[path])
    ]


def _is_same(content: Path | bytes, remote: RemoteFile) -> bool:
    size = len(content) if isinstance(content, bytes) else content.stat().st_size
    if size != remote.size:
        return False
    if remote.sha256 is None:
        whole = content if isinstance(content, bytes) else content.read_bytes()
        git_header = f"blob {size}\0".encode()
        digest = hashlib.sha1(git_header + whole, usedforsecurity=False).hexdigest()
        return digest == remote.blob_id
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest() == remote.sha256
    return file_digest(content) == remote.sha256


def push_files(
    repository: Repository, contents: Mapping[str, Path | bytes], message: str
) -> Pushed:
    """Publish files in one commit, beside what the repository holds; it is there already.

    Raises:
        HubError: it was refused, or a transfer broke; the repository is as it was.
    """
    return repository.commit(lambda head: additions(contents, head), message)
