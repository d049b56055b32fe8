"""While the client talks to the Hub: what it may log, and how long it may wait."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from huggingface_hub import get_session
from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined] # by __getattr__

from mcrc_adversarial.hub.failures import BUSY, asked_wait, without_queries

# Seconds. A server that asks for a longer wait is told of instead.
LONGEST_WAIT = 300


@contextmanager
def watched() -> Iterator[None]:
    """Signatures are kept out of the log, and a long wait becomes an error of the client's.

    For some requests the client itself waits as long as it is asked to.
    """
    logger = logging.getLogger("huggingface_hub.utils._http")
    client = get_session()
    hooks = client.event_hooks
    logger.addFilter(_cut)
    client.event_hooks = {**hooks, "response": [*hooks.get("response", ()), _refuse_long_wait]}
    try:
        yield
    finally:
        client.event_hooks = hooks
        logger.removeFilter(_cut)


def _cut(record: logging.LogRecord) -> bool:
    record.msg, record.args = without_queries(record.getMessage()), ()
    return True


def _refuse_long_wait(response: Any) -> None:
    """Take an answer of the client's HTTP library, whichever that is.

    Raises:
        HfHubHTTPError: it asks for a long wait.
    """
    seconds = asked_wait(response.headers)
    if response.status_code in BUSY and seconds is not None and seconds > LONGEST_WAIT:
        response.read()
        hf_raise_for_status(response)
