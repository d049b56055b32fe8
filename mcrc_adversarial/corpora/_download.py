"""Fetching published files into the Hugging Face cache: resumed, checked, whole or not at all."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcrc_adversarial.corpora._contract import Download
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import DownloadError

_CHUNK = 2**18
_TRUE = {"1", "ON", "YES", "TRUE"}
# Answers after which the same request may well succeed.
_PASSING = {408, 425, 429, 500, 502, 503, 504}


@dataclass(frozen=True, slots=True)
class Transfer:
    """How patient a download is.

    Attributes:
        attempts: how often an interrupted transfer is taken up again, the first time included.
        timeout_s: seconds without a byte after which a transfer counts as interrupted.
        pause: called with the number of seconds to wait before the next attempt.
    """

    attempts: int = 5
    timeout_s: float = 30.0
    pause: Callable[[float], None] = time.sleep


class _InterruptedError(Exception):
    """A transfer that may be taken up again."""


def offline() -> str:
    """The variable that forbids every download, with its value; empty where none does."""
    for variable in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        value = os.environ.get(variable, "")
        if value.upper() in _TRUE:
            return f"{variable}={value}"
    return ""


def cache_folder() -> Path:
    """Where downloads are kept: below HF_HOME, as huggingface_hub resolves it."""
    from huggingface_hub import constants

    return Path(constants.HF_HOME) / "mcrc_adversarial"


def is_complete(downloads: Sequence[Download]) -> bool:
    """Whether all of them have been fetched before."""
    return all((cache_folder() / download.filename).is_file() for download in downloads)


def fetch(
    downloads: Sequence[Download], transfer: Transfer | None = None
) -> list[tuple[str, Path]]:
    """(filename, path in the cache) of each download, fetched where it is not there yet.

    Raises:
        DownloadError: one of them failed; nothing of it is left behind.
    """
    chosen = transfer or Transfer()
    folder = cache_folder()
    return [(item.filename, _fetch_one(item, folder, chosen)) for item in downloads]


def _fetch_one(download: Download, folder: Path, transfer: Transfer) -> Path:
    from filelock import FileLock

    target = folder / download.filename
    if target.is_file():
        return target
    lock = folder / ".locks" / f"{download.filename}.lock"
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock):
            # Another process may have fetched it while this one waited.
            if not target.is_file():
                _fetch_whole(download, target, transfer)
    except OSError as error:
        if isinstance(error, DownloadError):
            raise
        raise _failed(download, f"{error.strerror or error} ({str(target)!r})") from error
    return target


def _fetch_whole(download: Download, target: Path, transfer: Transfer) -> None:
    """Fetch into `<target>.part`, which a killed process leaves for the next one to take up."""
    part = target.with_name(f"{target.name}.part")
    if not download.sha256:
        # What is not known cannot be checked against what a killed process left.
        part.unlink(missing_ok=True)
    try:
        resumed = _transfer(download, part, transfer)
        if resumed and download.sha256 and file_digest(part) != download.sha256:
            # What an earlier process left behind was not the beginning of this file.
            part.unlink()
            _transfer(download, part, transfer)
        found = file_digest(part)
        if download.sha256 not in ("", found):
            raise _failed(download, f"wrong checksum {found}, expected {download.sha256}")
        part.replace(target)
    except (DownloadError, OSError):
        part.unlink(missing_ok=True)
        raise


def _transfer(download: Download, part: Path, transfer: Transfer) -> bool:
    """Fill `part`; returns whether it began with bytes that were there before."""
    resumed = part.exists() and part.stat().st_size > 0
    for attempt in range(1, transfer.attempts + 1):
        try:
            _append(download, part, transfer.timeout_s)
        except _InterruptedError as error:
            if attempt == transfer.attempts:
                raise _failed(download, f"{error}, {attempt} times") from error
            transfer.pause(2.0**attempt)
        else:
            return resumed
    msg = f"attempts is {transfer.attempts}; at least one is needed"
    raise ValueError(msg)


def _append(download: Download, part: Path, timeout_s: float) -> None:
    """Ask for what `part` lacks, and add it."""
    start = part.stat().st_size if part.exists() else 0
    with _as_interruption(timeout_s), _open(download, part, start, timeout_s) as answer:
        # A server that knows no ranges sends everything again.
        continues = answer.status == http.client.PARTIAL_CONTENT
        length = answer.headers.get("Content-Length")
        expected = int(length) if length and length.isdigit() else None
        with part.open("ab" if continues else "wb") as file:
            received = _copy(answer, file.write, part.stem, expected)
    if expected is not None and received < expected:
        msg = f"the transfer broke off after {received} of {expected} bytes"
        raise _InterruptedError(msg)


def _open(download: Download, part: Path, start: int, timeout_s: float) -> http.client.HTTPResponse:
    if not download.url.startswith(("https://", "http://")):
        raise _failed(download, "the address is neither https nor http")
    headers = {"User-Agent": "mcrc-adversarial", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    request = urllib.request.Request(download.url, headers=headers)  # noqa: S310 - checked above
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout_s)  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and start:
            part.unlink()
            msg = "what was there already is longer than the file"
            raise _InterruptedError(msg) from error
        msg = f"the server answered {error.code} {error.reason}"
        if error.code in _PASSING:
            raise _InterruptedError(msg) from error
        raise _failed(download, msg) from error
    return answer


@contextmanager
def _as_interruption(timeout_s: float) -> Iterator[None]:
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        # urllib wraps what goes wrong while connecting, but not what goes wrong later.
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(cause, TimeoutError):
            msg = f"no answer within {timeout_s:g} seconds"
        elif cause is not error or isinstance(cause, (ConnectionError, http.client.HTTPException)):
            msg = f"the connection failed: {cause}"
        else:
            raise
        raise _InterruptedError(msg) from error


def _copy(
    answer: http.client.HTTPResponse,
    write: Callable[[bytes], object],
    name: str,
    expected: int | None,
) -> int:
    from rich.console import Console
    from rich.progress import DownloadColumn, Progress, TimeRemainingColumn

    received = 0
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=expected)
        while chunk := answer.read1(_CHUNK):
            write(chunk)
            received += len(chunk)
            progress.advance(task, len(chunk))
    return received


def _failed(download: Download, reason: str) -> DownloadError:
    return DownloadError(
        f"download of {download.url} failed: {reason}; try again, or fetch it by hand and name its"
        " folder with data_dir= or MCRC_DATA_DIR"
    )
