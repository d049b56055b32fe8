"""What earlier pushes left in a repository, and what a person put there, which stays."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, NamedTuple

import yaml

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.hub.remote import Head, Repository

_CARD = "README.md"
# What the Hub itself puts into a new repository, as its form was filled in.
_MADE_BY_THE_HUB = {".gitattributes", _CARD}
_KEYS = {
    *("license", "license_name", "license_link"),
    *("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "python_version"),
    *("app_file", "pinned", "short_description"),
}
_POINTER = "Check out the configuration reference at https://huggingface.co/docs/hub/spaces-config"
_SHOWN = 3


class Earlier(NamedTuple):
    """What earlier pushes of the same kind wrote.

    Attributes:
        replaceable: paths that the next one may write over.
        removable: those of them that go where it does not write them.
    """

    replaceable: Set[str] = frozenset()
    removable: Set[str] = frozenset()


def check_free(
    repository: Repository, head: Head, paths: Iterable[str], earlier: Earlier
) -> list[str]:
    """Raise where a push would replace a file that no earlier one wrote.

    The card of a new repository may be replaced, where it holds what the Hub asks for in its form.

    Args:
        repository: to push to.
        head: what it holds.
        paths: that the push writes, or may write.
        earlier: what earlier pushes left.

    Returns:
        A line on the licence that goes with such a card, if it stated one.

    Raises:
        HubError: names the files.
    """
    taken = sorted(path for path in paths if path in head.files and path not in earlier.replaceable)
    if taken == [_CARD] and head.files.keys() <= _MADE_BY_THE_HUB:
        form = _form(repository.read(_CARD, head) or "")
        if form is not None:
            stated = form.get("license")
            return [f"card: replaced, which stated the licence {stated!r}"] if stated else []
    if not taken:
        return []
    more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
    msg = (
        f"{repository.repo_id!r} holds {', '.join(map(repr, taken[:_SHOWN]))}{more}, which no push"
        " of this package wrote and this one would replace; nothing was changed: give another"
        " repository, or move them"
    )
    raise HubError(msg)


def _form(card: str) -> dict[str, Any] | None:
    """What the Hub's form asked for; None where a person has written more."""
    lines = card.strip().splitlines()
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        return None if lines else {}
    end = lines.index("---", 1)
    text = "\n".join(lines[end + 1 :]).strip()
    if text and not (text.startswith(_POINTER) and len(text.splitlines()) == 1):
        return None
    try:
        found = yaml.safe_load("\n".join(lines[1:end])) or {}
    except yaml.YAMLError:
        return None
    return found if isinstance(found, dict) and found.keys() <= _KEYS else None
