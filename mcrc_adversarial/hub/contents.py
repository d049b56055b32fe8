"""What a repository is to hold, and what of it has to be sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete

from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.hub.earlier import Earlier, check_free
from mcrc_adversarial.hub.remote import Head, Operation, Pushed, RemoteFile, Repository


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
    repository: Repository,
    contents: Mapping[str, Path | bytes],
    message: str,
    earlier: Callable[[Head], Earlier],
) -> Pushed:
    """Publish files in one commit, beside what others put into the repository; it is there already.

    Args:
        repository: to publish in.
        contents: path -> file.
        message: of the commit.
        earlier: what pushes like this one left there.

    Raises:
        HubError: it would replace a file of someone else's, was refused, or a transfer broke; the
            repository is as it was.
    """
    said: dict[str, None] = {}

    def plan(head: Head) -> list[Operation]:
        ours = earlier(head)
        added = additions(contents, head)
        note = check_free(repository, head, [one.path_in_repo for one in added], ours)
        said.update(dict.fromkeys(note))
        gone = sorted(path for path in ours.removable - contents.keys() if path in head.files)
        said.update({f"removed: {path} (of an earlier push)": None for path in gone})
        return [*added, *(CommitOperationDelete(path, is_folder=False) for path in gone)]

    return repository.commit(plan, message)._replace(notes=tuple(said))
