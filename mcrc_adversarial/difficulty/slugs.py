"""Names of files and folders for what users name: sources, collection methods."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A file's name has at most 255 bytes on most disks, and the name of an unfinished file is longer.
_LONGEST = 60


def slugs(names: Sequence[str]) -> list[str]:
    """A name for each, in letters that every file system has; numbered where two would be one.

    >>> slugs(["Wiki, arts", "RACE"]), slugs(["RACE", "race"])
    (['wiki-arts', 'race'], ['1-race', '2-race'])
    """
    found = ["-".join(re.findall(r"[a-z0-9]+", name.lower())) for name in names]
    cut = [slug[:_LONGEST].rstrip("-") for slug in found]
    if all(cut) and len(set(cut)) == len(cut):
        return cut
    return [f"{number}-{slug}".rstrip("-") for number, slug in enumerate(cut, start=1)]
