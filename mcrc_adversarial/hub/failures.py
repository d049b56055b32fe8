"""What went wrong between the client and the Hub, in one line that never holds the token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Final
from urllib.parse import urlsplit

from huggingface_hub.errors import HfHubHTTPError

# Base of what the client's HTTP library raises, whichever library that is.
_HTTP_ERROR: type[Exception] = next(
    base for base in HfHubHTTPError.__bases__ if base.__name__ == "HTTPError"
)
# What the client raises where an answer is no JSON, or JSON of another kind.
_STRANGE: Final = (JSONDecodeError, LookupError, TypeError, AttributeError)
# The client wraps a failed upload in a RuntimeError, and a broken answer or card in a ValueError.
CLIENT_ERRORS: Final = (_HTTP_ERROR, OSError, RuntimeError, ValueError, *_STRANGE)

_CONFLICTS = {409, 412}
_BUSY = {408, 429, 500, 502, 503, 504}
_ADVICE = {
    401: "the token is not valid; run `hf auth login`, or set HF_TOKEN to one with write access",
    403: "the token may not do this; give one with write access to this name",
    404: "it is not there, or the token may not see it; check the name and the endpoint",
    409: "others commit to it at the same time; give the same command again",
    412: "others commit to it at the same time; give the same command again",
    429: "too many requests; wait, then give the same command again",
}
_LATER = "the Hub failed; give the same command again, which goes on from here"
_SECRET = "[token]"  # noqa: S105 - what stands in its place


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure.

    Attributes:
        reason: in a few words.
        status: of the Hub's answer; None where there was none.
        retry_after: seconds that the Hub asks to wait; None where it does not say.
        uploading: path of the file that was being sent; empty where none was.
        is_cut: whether the Hub was not reached, or the connection was cut off.
    """

    reason: str
    status: int | None = None
    retry_after: int | None = None
    uploading: str = ""
    is_cut: bool = False

    @classmethod
    def of(cls, error: BaseException, endpoint: str) -> Failure:
        """What an error of the client says."""
        chain = list(_chain(error))
        answered = next((one for one in chain if isinstance(one, HfHubHTTPError)), None)
        names = (re.search(r"uploading '([^']+)'", str(one)) for one in chain)
        uploading = next((match.group(1) for match in names if match), "")
        if answered is not None:
            response = answered.response
            words = answered.server_message or response.headers.get("X-Error-Message") or ""
            reason = f"{response.status_code} {response.reason_phrase}"
            told = f"{reason}: {' '.join(words.split())}" if words else reason
            asked = response.headers.get("Retry-After", "")
            seconds = int(asked) if asked.isdecimal() else None
            return cls(told, response.status_code, seconds, uploading)
        cut = next((one for one in chain if isinstance(one, _HTTP_ERROR)), None)
        if cut is not None:
            text = f"{type(cut).__name__}: {' '.join(str(cut).split())}"
            told = f"{_shown(endpoint)} cannot be reached ({text})"
            return cls(told, uploading=uploading, is_cut=True)
        cause = list(_causes(error))[-1]
        if isinstance(cause, _STRANGE):
            told = (
                f"{_shown(endpoint)} gave no answer of a Hub, as where a proxy or a login page"
                " stands between"
            )
            return cls(told, uploading=uploading)
        return cls(" ".join(str(cause).split()), uploading=uploading)

    def wait(self, attempt: int) -> int | None:
        """Seconds until it is worth trying again after so many attempts; None where it is not."""
        if self.is_cut or self.status in _CONFLICTS | _BUSY:
            return 2 ** (attempt - 1) if self.retry_after is None else self.retry_after
        return None

    def line(self, repo_id: str, doing: str, token: str | None) -> str:
        """The message for the user."""
        what = f"{doing} {self.uploading!r} in" if self.uploading else doing
        advice = "" if self.status is None else _ADVICE.get(self.status, "")
        if not advice and (self.status is None or self.status in _BUSY):
            advice = _LATER if self.status else "check it, then give the same command again"
        parts = [f"cannot {what} {repo_id!r} ({self.reason})", advice]
        return masked("; ".join(filter(None, parts)), token)


def masked(text: str, token: str | None) -> str:
    """The text without the token, which a server may have sent back."""
    return text.replace(token, _SECRET) if token else text


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, then what it says that it was raised from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The same with what was being handled, unless an error says that it does not matter."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _shown(endpoint: str) -> str:
    """The address without a user's name and password."""
    parts = urlsplit(endpoint)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl()
