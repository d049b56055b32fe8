"""Whether the Hub can be asked for a model: one question instead of half a minute of retries."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.request
from pathlib import Path

from huggingface_hub import constants, try_to_load_from_cache

_TIMEOUT_S = 10.0


def check_reachable(name: str) -> None:
    """Raise where a model has to come from the Hub, and nobody answers there.

    Args:
        name: a folder, or a name on the Hub.

    Raises:
        OSError: the model is not on this machine, and the Hub cannot be reached.
        ValueError: the name can be none on the Hub.
    """
    if constants.HF_HUB_OFFLINE or Path(name).exists():
        return
    if isinstance(try_to_load_from_cache(name, "config.json"), str):
        return
    request = urllib.request.Request(constants.ENDPOINT, method="HEAD")  # noqa: S310 - the Hub's own
    try:
        urllib.request.urlopen(request, timeout=_TIMEOUT_S).close()  # noqa: S310
    except urllib.error.HTTPError:
        # Whatever it says, it is there.
        return
    except OSError as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLError):
            # huggingface_hub brings certificates of its own.
            return
        msg = (
            f"it is not on this machine, and {constants.ENDPOINT} cannot be reached ({reason});"
            " check the name and the network"
        )
        raise OSError(msg) from error
