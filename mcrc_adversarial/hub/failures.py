"""What went wrong between the client and the Hub, in one line that never holds the token."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Final
from urllib.parse import urlsplit

from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined] # by __getattr__

# Base of what the client's HTTP library raises, whichever library that is.
_HTTP_ERROR: type[Exception] = next(
    base for base in HfHubHTTPError.__bases__ if base.__name__ == "HTTPError"
)
# Which is none of those.
_NO_ADDRESS: type[Exception] = sys.modules[_HTTP_ERROR.__module__].InvalidURL
# What the client raises where an answer is no JSON, or JSON of another kind.
_STRANGE: Final = (JSONDecodeError, LookupError, TypeError, AttributeError)
# The client wraps a failed upload in a RuntimeError, and a broken answer or card in a ValueError.
CLIENT_ERRORS: Final = (
    *(_HTTP_ERROR, _NO_ADDRESS, OSError, RuntimeError, ValueError),
    *_STRANGE,
)

_CONFLICTS = {409, 412}
BUSY = {408, 429, 500, 502, 503, 504}
_ADVICE = {
    401: "the token is not valid; run `hf auth login`, or set HF_TOKEN to one with write access",
    403: "the token may not do this; give one with write access to this name",
    404: "it is not there, or the token may not see it; check the name and the endpoint",
    409: "others commit to it at the same time; give the same command again",
    412: "others commit to it at the same time; give the same command again",
    429: "too many requests; wait, then give the same command again",
}
_LATER = "the Hub failed; give the same command again, which goes on from here"
_AGAIN = "then give the same command again"
_SECRET = "[token]"  # noqa: S105 - what stands in its place
# In addresses, the store's signatures stand behind the `?`.
_QUERY = re.compile(r"\?[^\s'\"=]*=[^\s'\"]*")
# Characters of what a server says.
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure.

    Attributes:
        reason: in a few words.
        status: of the Hub's answer; None where there was none.
        retry_after: seconds that the Hub asks to wait; None where it does not say.
        uploading: path of the file that was being sent; empty where none was.
        is_cut: whether the Hub was not reached, or the connection was cut off.
        remedy: what to do where the Hub gave no answer.
    """

    reason: str
    status: int | None = None
    retry_after: int | None = None
    uploading: str = ""
    is_cut: bool = False
    remedy: str = "check it"

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
            return cls(told, response.status_code, asked_wait(response.headers), uploading)
        if any(isinstance(one, OfflineModeIsEnabled) for one in chain):
            return cls("offline: HF_HUB_OFFLINE is set", remedy="unset it")
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
        if self.is_cut or self.status in _CONFLICTS | BUSY:
            return 2 ** (attempt - 1) if self.retry_after is None else self.retry_after
        return None

    def line(self, repo_id: str, doing: str, token: str | None) -> str:
        """The message for the user."""
        what = f"{doing} {self.uploading!r} in" if self.uploading else doing
        advice = "" if self.status is None else _ADVICE.get(self.status, "")
        if not advice and (self.status is None or self.status in BUSY):
            advice = _LATER if self.status else f"{self.remedy}, {_AGAIN}"
        if self.status == 429 and self.retry_after:
            advice = f"too many requests; wait {self.retry_after} s, {_AGAIN}"
        elif self.status == 409 and doing == "create":
            advice = f"check the name, {_AGAIN}"
        parts = [f"cannot {what} {repo_id!r} ({shown(self.reason, token)})", advice]
        return masked("; ".join(filter(None, parts)), token)


def asked_wait(headers: Mapping[str, str]) -> int | None:
    """Seconds that an answer asks to wait; None where it does not say."""
    limit = parse_ratelimit_headers(headers)
    if limit is not None and limit.remaining == 0:
        return limit.reset_in_seconds
    asked = headers.get("Retry-After", "").strip()
    return int(asked) if asked.isdecimal() else None


def without_queries(text: str) -> str:
    """The text with its addresses cut before what signs them."""
    return _QUERY.sub("?...", text)


def masked(text: str, token: str | None) -> str:
    """The text without the token, which a server may have sent back."""
    return text.replace(token, _SECRET) if token else text


def shown(text: str, token: str | None) -> str:
    """What a server said, without token and signatures, and no longer than one reads."""
    # Cut last: a part of a token would no longer be found.
    plain = without_queries(masked(text, token))
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}..."


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
