"""Downloads of resources."""

from __future__ import annotations

from collections.abc import Sequence

from mcrc_adversarial.corpora import Download, fetch
from mcrc_adversarial.errors import DownloadError


def fetch_resource(download: Download, names: Sequence[str]) -> None:
    """Download a resource into the cache.

    Args:
        download: what.
        names: of the files that are looked for directly in the folder of MCRC_DATA_DIR.

    Raises:
        DownloadError: it failed; the message says where to put a copy fetched by hand.
    """
    try:
        fetch((download,))
    except DownloadError as error:
        reason = str(error).partition("; try again")[0]
        msg = (
            f"{reason}; try again, or put {' or '.join(names)} by hand into the folder that"
            " MCRC_DATA_DIR names"
        )
        raise DownloadError(msg) from error
