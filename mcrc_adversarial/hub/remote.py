"""A repository on the Hub: what it holds, and one commit that changes it as a whole or not at all.

Large files are sent first, by Xet or LFS as the client does; until the commit they are not part of
the repository, and the Hub asks for none of them twice. So a push that broke goes on from there
when it is given again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants, get_token
from huggingface_hub.hf_api import RepoFile

from mcrc_adversarial._version import __version__
from mcrc_adversarial.errors import HubError
from mcrc_adversarial.hub.access import Kind, check_token, checked_endpoint, made_or_found
from mcrc_adversarial.hub.failures import CLIENT_ERRORS, Failure, shown
from mcrc_adversarial.hub.wire import LONGEST_WAIT, watched

Operation = CommitOperationAdd | CommitOperationDelete
Say = Callable[[str], None]
_T = TypeVar("_T")

_ATTEMPTS = 5


class RemoteFile(NamedTuple):
    """A file of a repository: size in bytes, git's digest, and sha256 where it is a large file."""

    size: int
    blob_id: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Head:
    """What a repository holds.

    Attributes:
        commit: the last one.
        private: whether only its owner sees it.
        files: by path.
    """

    commit: str
    private: bool
    files: Mapping[str, RemoteFile]


class Pushed(NamedTuple):
    """What a push did.

    Attributes:
        repo_id: full name of the repository.
        url: address of its page.
        n_changes: how many paths it changed.
        notes: one line for each thing that it changed beside what was asked for.
    """

    repo_id: str
    url: str
    n_changes: int
    notes: tuple[str, ...] = ()


def _say_nothing(_: str) -> None:
    pass


class Repository:
    """A repository, which need not be there yet. The token is the client's: HF_TOKEN or a login.

    Args:
        repo_id: `USER/NAME`, or `NAME` for the token's owner.
        kind: of repository.
        endpoint: address of the Hub; HF_ENDPOINT, else the public one, where it is None.
        say: is told of waits, one line each.

    Raises:
        ParameterError: the endpoint is no address.
    """

    def __init__(
        self, repo_id: str, kind: Kind, endpoint: str | None = None, say: Say = _say_nothing
    ) -> None:
        self.repo_id = repo_id
        self.kind = kind
        self._say = say
        self._token = get_token()
        self._api = HfApi(
            endpoint=checked_endpoint(constants.ENDPOINT if endpoint is None else endpoint),
            token=self._token,
            library_name="mcrc-adversarial",
            library_version=__version__,
        )

    @property
    def url(self) -> str:
        """Address of its page."""
        prefix = "" if self.kind == "model" else f"{self.kind}s/"
        return f"{self._api.endpoint}/{prefix}{self.repo_id}"

    def create(self, *, private: bool) -> None:
        """Make it, if it is not there.

        Raises:
            HubError: it cannot be made, the token may not write to it, or it is public and should
                not be.
        """
        check_token(self._token, self.repo_id)
        self.repo_id = self._asked(
            "create",
            lambda: made_or_found(self._api, self.repo_id, self.kind, private=private),
        )
        self._asked(
            "write to",
            lambda: self._api.auth_check(self.repo_id, repo_type=self.kind, write=True),
        )
        if private and not self.head().private:
            msg = (
                f"{self.repo_id!r} is there already and is public, which --private does not change;"
                " nothing was sent: make it private in its settings, or give another name"
            )
            raise HubError(msg)

    def head(self) -> Head:
        """What it holds now.

        Raises:
            HubError: it cannot be asked.
        """
        info = self._asked("read", lambda: self._api.repo_info(self.repo_id, repo_type=self.kind))
        commit = str(info.sha)
        with self._one_line("read"):
            tree = self._api.list_repo_tree(
                self.repo_id, recursive=True, revision=commit, repo_type=self.kind
            )
            files = {
                one.path: RemoteFile(one.size, one.blob_id, one.lfs.sha256 if one.lfs else None)
                for one in tree
                if isinstance(one, RepoFile)
            }
        if not files and getattr(info, "siblings", None):
            msg = (
                f"cannot read {self.repo_id!r} (its list of files came empty, though it has some);"
                " give the same command again"
            )
            raise HubError(msg)
        return Head(commit, bool(info.private), files)

    def read(self, path: str, head: Head) -> str | None:
        """The text of a small file; None where it is not there.

        Raises:
            HubError: it cannot be read, or is no text.
        """
        if path not in head.files:
            return None

        def download() -> str:
            with TemporaryDirectory() as folder:
                local = self._api.hf_hub_download(
                    self.repo_id,
                    path,
                    repo_type=self.kind,
                    revision=head.commit,
                    local_dir=folder,
                )
                # With the mark that some editors put first, a card would have no YAML block; the
                # ends of lines stay as they are.
                return Path(local).read_bytes().decode("utf-8-sig")

        return self._asked("read", download)

    def commit(self, plan: Callable[[Head], Sequence[Operation]], message: str) -> Pushed:
        """Do what `plan` makes of what the repository holds, in one commit; nothing if it is empty.

        Where others commit meanwhile, or the Hub is busy, it waits and plans anew.

        Raises:
            HubError: it was refused, or a transfer broke; the repository is as it was.
        """
        attempt = tried = 0
        while True:
            head = self.head()
            operations = plan(head)
            if not operations:
                # What the plan asks for is there: from before, or by an answer that was lost.
                return Pushed(self.repo_id, self.url, tried)
            attempt, tried = attempt + 1, len(operations)
            with self._one_line("upload"):
                self._api.preupload_lfs_files(
                    self.repo_id,
                    [one for one in operations if isinstance(one, CommitOperationAdd)],
                    repo_type=self.kind,
                    free_memory=False,
                )
            failure = self._try_commit(operations, message, head)
            if failure is None:
                return Pushed(self.repo_id, self.url, len(operations))
            self._wait(failure, attempt, "commit")

    def _try_commit(
        self, operations: Sequence[Operation], message: str, head: Head
    ) -> Failure | None:
        with watched():
            try:
                self._api.create_commit(
                    self.repo_id,
                    operations,
                    commit_message=message,
                    repo_type=self.kind,
                    parent_commit=head.commit,
                )
            except CLIENT_ERRORS as error:
                return Failure.of(error, self._api.endpoint)
        return None

    def _asked(self, doing: str, ask: Callable[[], _T]) -> _T:
        """An answer to a request that the client itself makes only once."""
        attempt = 0
        while True:
            attempt += 1
            with watched():
                try:
                    return ask()
                except CLIENT_ERRORS as error:
                    failure = Failure.of(error, self._api.endpoint)
            self._wait(failure, attempt, doing)

    def _wait(self, failure: Failure, attempt: int, doing: str) -> None:
        seconds = failure.wait(attempt)
        if attempt == _ATTEMPTS or seconds is None or seconds > LONGEST_WAIT:
            raise HubError(failure.line(self.repo_id, doing, self._token))
        reason = shown(failure.reason, self._token)
        self._say(f"{self.repo_id}: {reason}; trying again in {seconds} s")
        time.sleep(seconds)

    @contextmanager
    def _one_line(self, doing: str) -> Iterator[None]:
        with watched():
            try:
                yield
            except CLIENT_ERRORS as error:
                failure = Failure.of(error, self._api.endpoint)
                # The client's message may repeat what was sent: it is not to stand in a traceback.
                raise HubError(failure.line(self.repo_id, doing, self._token)) from None
