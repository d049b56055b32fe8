"""Where to write, and whether one may: the address, the token, and a repository that is there."""

from __future__ import annotations

import re
from typing import Any, Literal
from urllib.parse import urlsplit

from huggingface_hub import HfApi, RepoUrl
from huggingface_hub.errors import HfHubHTTPError

from mcrc_adversarial.errors import HubError, ParameterError

Kind = Literal["dataset", "model", "space"]

# An HTTP header takes no other characters.
_TOKEN = re.compile(r"[!-~]+")
_PASSWORD = re.compile(r"(?<=//)[^/]*@")
# Of a Hub that refuses to make a repository, which may be there all the same.
_REFUSED = {401, 402, 403}


def checked_endpoint(endpoint: str) -> str:
    """The address of a Hub as the client takes it.

    Raises:
        ParameterError: it is no address.
    """
    try:
        parts = urlsplit(endpoint)
        # Read for what it raises.
        _ = parts.port
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or re.search(r"\s", endpoint):
        shown = _PASSWORD.sub("", endpoint)
        msg = f"endpoint {shown!r} is no address; give one like https://huggingface.co"
        raise ParameterError(msg)
    return endpoint.rstrip("/")


def check_token(token: str | None, repo_id: str) -> None:
    """Raise where nobody could be asked with it.

    Raises:
        HubError: there is none, or no header takes it.
    """
    if token is None:
        msg = (
            f"no token to push to {repo_id!r} with; run `hf auth login`, or set HF_TOKEN"
            " to one with write access"
        )
        raise HubError(msg)
    if not _TOKEN.fullmatch(token):
        msg = (
            "the token of HF_TOKEN or of the login has spaces or letters that no token has;"
            " copy it anew, or run `hf auth login`"
        )
        raise HubError(msg)


def made_or_found(api: HfApi, repo_id: str, kind: Kind, *, private: bool) -> str:
    """The full name of a repository that is made, or is there; whoever asks may not write to it.

    The client's `exist_ok` does this too, but reads no address of another Hub than the public one
    where making it is refused, and loses what the Hub says of another conflict.

    Raises:
        HfHubHTTPError: it is not there, and cannot be made.
    """
    try:
        found = api.create_repo(
            repo_id,
            # None leaves it to the owner's settings.
            private=private or None,
            repo_type=kind,
            space_sdk="gradio" if kind == "space" else None,
        )
    except HfHubHTTPError as error:
        status = error.response.status_code
        if status == 409:
            url = _address(error.response.json())
            if url is not None:
                return RepoUrl(url, endpoint=api.endpoint).repo_id
        # A token may write to some repositories and make none.
        elif status in _REFUSED and "/" in repo_id and _is_there(api, repo_id, kind):
            return repo_id
        raise
    return found.repo_id


def _address(answer: Any) -> str | None:
    url = answer.get("url") if isinstance(answer, dict) else None
    return url if isinstance(url, str) else None


def _is_there(api: HfApi, repo_id: str, kind: Kind) -> bool:
    try:
        api.repo_info(repo_id, repo_type=kind)
    except HfHubHTTPError:
        return False
    return True
