"""What some attacks need beyond the package: taggers, dictionaries, word vectors. One file each.

A resource is found, and loaded, only when an attack that needs it runs. Nothing is fetched without
being asked for: `mcrc-adversarial resources` says what is there and which one command brings the
rest. Versions and digests of what was used are part of the fingerprint of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.registry import Registry


class Found(NamedTuple):
    """A resource on this machine.

    Attributes:
        version: as its makers number it.
        digest: sha256 of its content, 64 hex digits.
        where: its place, for people.
        load: makes it ready for use.
    """

    version: str
    digest: str
    where: str
    load: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that an attack needs.

    Attributes:
        name: kebab-case.
        what: what it gives, in a few words.
        licence: under which it may be used.
        command: the one command that fetches it.
        find: looks for it on this machine; None where it is missing, ResourceError where it is
            seen to be broken.
        fetch: downloads it; None where `command` is another program's.
        instead: what does without it, in a few words; empty for nothing.
    """

    name: str
    what: str
    licence: str
    command: str
    find: Callable[[], Found | None]
    fetch: Callable[[], object] | None = None
    instead: str = ""


class Token(NamedTuple):
    """A word of a text: where it starts, its Penn Treebank tag, whether it is part of a name."""

    text: str
    start: int
    tag: str
    is_entity: bool


class Tagger(Protocol):
    """Parts of speech and named entities."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Parse these together, which is faster than one after the other."""

    def prepare_words(self, words: Iterable[str]) -> None:
        """Tag these together, each standing alone."""

    def tokens(self, text: str) -> Sequence[Token]:
        """The tokens of a text."""

    def word_tag(self, word: str) -> str:
        """The tag of a word that stands alone, empty where it is no single token."""


class Antonyms(Protocol):
    """Words of opposite meaning."""

    def antonyms(self, word: str, pos: str) -> Sequence[str]:
        """Antonyms of a base form, sorted; `pos` is "a" (adjective), "r" (adverb) or "v"."""


class Neighbours(Protocol):
    """Words that are used alike."""

    def nearest(self, word: str) -> Sequence[str]:
        """Up to 100 words in lower case, the nearest first; none for an unknown word."""

    def nearest_many(self, words: Sequence[str]) -> Sequence[Sequence[str]]:
        """`nearest` of each word, which is faster than one after the other."""


resources: Registry[Resource] = Registry("resource", __name__)


@cache
def find(name: str) -> Found:
    """The resource called `name`, as it is on this machine.

    Raises:
        ResourceError: it is missing or broken; one line that names what brings it.
    """
    resource = resources.get(name)
    found = resource.find()
    if found is None:
        msg = (
            f"resource {name!r} ({resource.what}) is not on this machine; fetch it with:"
            f" {resource.command} (`mcrc-adversarial resources` lists all)"
            f"{resource.instead and f'; {resource.instead}'}"
        )
        raise ResourceError(msg)
    return found


@cache
def load(name: str) -> Any:
    """The resource called `name`, ready for use; loaded once for the life of the process.

    Raises:
        ResourceError: it is missing or broken.
    """
    return find(name).load()


def fingerprint(names: Iterable[str]) -> dict[str, list[str]]:
    """Version and digest of each resource.

    Raises:
        ResourceError: one is missing.
    """
    return {name: [find(name).version, find(name).digest] for name in names}
