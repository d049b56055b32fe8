"""Antonyms from Princeton WordNet's own files (WNDB format).

Looked for where the variables of WordNet say (WNSEARCHDIR, or `dict` below WNHOME), in Debian's
place (package wordnet-base), in NLTK's data folders, and among what `mcrc-adversarial resources
--fetch wordnet` brought.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from mcrc_adversarial.corpora._contract import Download
from mcrc_adversarial.corpora._download import cache_folder, fetch
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._digests import file_digest, joint_digest

_FILES = ("data.adj", "data.adv", "data.verb")
_POS = MappingProxyType({"data.adj": "a", "data.adv": "r", "data.verb": "v"})
# As in the formula of Homebrew and in other package managers.
_DOWNLOAD = Download(
    url="https://wordnetcode.princeton.edu/3.0/WordNet-3.0.tar.bz2",
    sha256="6c492d0c7b4a40e7674d088191d3aa11f373bb1da60762e098b8ee2dda96ef22",
    filename="wordnet/WordNet-3.0.tar.bz2",
)


def _folders() -> Iterator[Path]:
    if folder := os.environ.get("WNSEARCHDIR"):
        yield Path(folder)
    if folder := os.environ.get("WNHOME"):
        yield Path(folder, "dict")
    yield Path("/usr/share/wordnet")
    for root in (os.environ.get("NLTK_DATA", ""), str(Path.home() / "nltk_data")):
        if root:
            yield Path(root, "corpora", "wordnet")


def _find() -> Found | None:
    for folder in _folders():
        paths = [folder / name for name in _FILES]
        if all(path.is_file() for path in paths):
            digest = joint_digest(folder, paths)
            return Found("WNDB", digest, str(folder), partial(_from_folder, folder))
    archive = cache_folder() / _DOWNLOAD.filename
    if archive.is_file():
        return Found("WNDB", file_digest(archive), str(archive), partial(_from_archive, archive))
    return None


def _from_folder(folder: Path) -> WordNet:
    return WordNet({name: (folder / name).read_text(encoding="utf-8") for name in _FILES})


def _from_archive(path: Path) -> WordNet:
    found = {}
    with tarfile.open(path) as archive:
        for member in archive:
            name = Path(member.name).name
            if name in _FILES and (file := archive.extractfile(member)) is not None:
                found[name] = file.read().decode("utf-8")
    return WordNet(found)


class WordNet:
    """`Antonyms` of WordNet: those of every word that shares a sense with the one asked for.

    Args:
        texts: "data.adj", "data.adv" and "data.verb" -> content.

    Raises:
        ResourceError: a line is not of the WNDB format.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._antonyms: dict[tuple[str, str], set[str]] = {}
        for name in _FILES:
            self._add(_POS[name], _senses(texts[name], name))

    def _add(self, pos: str, senses: Mapping[str, _Sense]) -> None:
        for words, pointers in senses.values():
            for offset, number in pointers:
                antonym = senses[offset][0][number - 1]
                for word in words:
                    self._antonyms.setdefault((word, pos), set()).add(antonym)

    def antonyms(self, word: str, pos: str) -> Sequence[str]:
        """Antonyms of a base form, sorted, single words of letters alone."""
        found = self._antonyms.get((word.lower(), pos), set())
        return sorted(one for one in found if one.isalpha())


# The words of a sense, and the (offset, number of the word) that it points to as antonyms.
_Sense = tuple[list[str], list[tuple[str, int]]]


def _senses(text: str, name: str) -> dict[str, _Sense]:
    found: dict[str, _Sense] = {}
    for line in text.splitlines():
        # The licence in front is indented.
        if line and not line.startswith(" "):
            try:
                offset, sense = _sense(line.partition("|")[0].split())
            except (ValueError, IndexError) as error:
                msg = f"WordNet's {name} is broken at the line {line[:40]!r}; install it again"
                raise ResourceError(msg) from error
            found[offset] = sense
    return found


def _sense(fields: Sequence[str]) -> tuple[str, _Sense]:
    """Offset, file, type, number of words (hex), words with lexical ids, pointers."""
    n_words = int(fields[3], 16)
    # `fast(a)` stands in front of nouns only.
    words = [word.partition("(")[0].lower() for word in fields[4 : 4 + 2 * n_words : 2]]
    start = 4 + 2 * n_words
    pointers = []
    for place in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, _, source_target = fields[place : place + 4]
        if symbol == "!":
            pointers.append((offset, int(source_target[2:], 16)))
    return fields[0], (words, pointers)


resources.register(
    Resource(
        name="wordnet",
        what="antonyms, Princeton WordNet 3.0",
        licence="WordNet licence",
        command="mcrc-adversarial resources --fetch wordnet",
        find=_find,
        fetch=partial(fetch, (_DOWNLOAD,)),
    )
)
