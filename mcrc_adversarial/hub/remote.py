"""A repository on the Hub: what it holds, and one commit that changes it as a whole or not at all.

Large files are sent first, by Xet or LFS as the client does; until the commit they are not part of
the repository, and the Hub asks for none of them twice. So a push that broke goes on from there
when it is given again.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple, TypeVar

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_token
from huggingface_hub.hf_api import RepoFile

from mcrc_adversarial._version import __version__
from mcrc_adversarial.errors import HubError, ParameterError
from mcrc_adversarial.hub.failures import CLIENT_ERRORS, Failure, masked

Kind = Literal["dataset", "model", "space"]
Operation = CommitOperationAdd | CommitOperationDelete
Say = Callable[[str], None]
_T = TypeVar("_T")

_ATTEMPTS = 5
# Seconds. A server that asks for a longer wait is told of instead.
_LONGEST_WAIT = 300
# An HTTP header takes no other characters.
_TOKEN = re.compile(r"[!-~]+")
# The client's own messages name addresses, in which the store's signatures stand behind the `?`.
_QUERY = re.compile(r"\?[^\s'\"]*")


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
        if endpoint is not None and not re.match(r"https?://[^/]", endpoint):
            msg = f"endpoint {endpoint!r} is no address; give one like https://huggingface.co"
            raise ParameterError(msg)
        self.repo_id = repo_id
        self.kind = kind
        self._say = say
        self._token = get_token()
        self._api = HfApi(
            endpoint=endpoint,
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
            HubError: it cannot be made, or it is public and should not be.
        """
        if self._token is None:
            msg = (
                f"no token to push to {self.repo_id!r} with; run `hf auth login`, or set HF_TOKEN"
                " to one with write access"
            )
            raise HubError(msg)
        if not _TOKEN.fullmatch(self._token):
            msg = (
                "the token of HF_TOKEN or of the login has spaces or letters that no token has;"
                " copy it anew, or run `hf auth login`"
            )
            raise HubError(msg)
        found = self._asked(
            "create",
            lambda: self._api.create_repo(
                self.repo_id,
                # None leaves it to the owner's settings.
                private=private or None,
                repo_type=self.kind,
                exist_ok=True,
                space_sdk="gradio" if self.kind == "space" else None,
            ),
        )
        self.repo_id = found.repo_id
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
                # With the mark that some editors put first, a card would have no YAML block.
                return Path(local).read_text(encoding="utf-8-sig")

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
        with _hidden_queries():
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
            with _hidden_queries():
                try:
                    return ask()
                except CLIENT_ERRORS as error:
                    failure = Failure.of(error, self._api.endpoint)
            self._wait(failure, attempt, doing)

    def _wait(self, failure: Failure, attempt: int, doing: str) -> None:
        seconds = failure.wait(attempt)
        if attempt == _ATTEMPTS or seconds is None or seconds > _LONGEST_WAIT:
            raise HubError(failure.line(self.repo_id, doing, self._token))
        reason = masked(failure.reason, self._token)
        self._say(f"{self.repo_id}: {reason}; trying again in {seconds} s")
        time.sleep(seconds)

    @contextmanager
    def _one_line(self, doing: str) -> Iterator[None]:
        with _hidden_queries():
            try:
                yield
            except CLIENT_ERRORS as error:
                failure = Failure.of(error, self._api.endpoint)
                # The client's message may repeat what was sent: it is not to stand in a traceback.
                raise HubError(failure.line(self.repo_id, doing, self._token)) from None


@contextmanager
def _hidden_queries() -> Iterator[None]:
    def cut(record: logging.LogRecord) -> bool:
        record.msg, record.args = _QUERY.sub("?...", record.getMessage()), ()
        return True

    logger = logging.getLogger("huggingface_hub.utils._http")
    logger.addFilter(cut)
    try:
        yield
    finally:
        logger.removeFilter(cut)
