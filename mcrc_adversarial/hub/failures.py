"""What went wrong between the client and the Hub, in one line that never holds the token."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from huggingface_hub.errors import HfHubHTTPError

# Base of what the client's HTTP library raises, whichever library that is.
_HTTP_ERROR: type[Exception] = next(
    base for base in HfHubHTTPError.__bases__ if base.__name__ == "HTTPError"
)
# The client wraps a failed upload in a RuntimeError, and a broken answer or card in a ValueError.
CLIENT_ERRORS: Final = (_HTTP_ERROR, OSError, RuntimeError, ValueError)

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
    """

    reason: str
    status: int | None = None
    retry_after: int | None = None
    uploading: str = ""

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
        last = next((one for one in chain if isinstance(one, _HTTP_ERROR)), chain[-1])
        text = " ".join(str(last).split())
        if isinstance(last, _HTTP_ERROR):
            text = f"{_shown(endpoint)} cannot be reached ({type(last).__name__}: {text})"
        return cls(text, uploading=uploading)

    def wait(self, attempt: int) -> int | None:
        """Seconds until it is worth trying again after so many attempts; None where it is not."""
        if self.status in _CONFLICTS | _BUSY:
            return 2 ** (attempt - 1) if self.retry_after is None else self.retry_after
        return None

    def line(self, repo_id: str, doing: str, token: str | None) -> str:
        """The message for the user."""
        what = f"{doing} {self.uploading!r} in" if self.uploading else doing
        advice = "" if self.status is None else _ADVICE.get(self.status, "")
        if not advice and (self.status is None or self.status in _BUSY):
            advice = _LATER if self.status else "check it, then give the same command again"
        parts = [f"cannot {what} {repo_id!r} ({self.reason})", advice]
        line = "; ".join(filter(None, parts))
        return line.replace(token, _SECRET) if token else line


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found


def _shown(endpoint: str) -> str:
    """The address without a user's name and password."""
    parts = urlsplit(endpoint)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl()
