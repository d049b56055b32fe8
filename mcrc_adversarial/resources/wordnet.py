"""Antonyms from Princeton WordNet's own files (WNDB format).

Looked for where the variables of WordNet say (WNSEARCHDIR, or `dict` below WNHOME), in Debian's
place (package wordnet-base), in NLTK's data folders (`corpora/wordnet`, packed or not), among what
`mcrc-adversarial resources --fetch wordnet` brought, and as `WordNet-3.0.tar.bz2` in the folder
that MCRC_DATA_DIR names.
"""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from mcrc_adversarial.corpora import DATA_DIR_VARIABLE, Download, cache_folder
from mcrc_adversarial.digests import joint_digest, steady_digest
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._fetching import fetch_resource

_ARCHIVE = "WordNet-3.0.tar.bz2"
_VERSION = re.compile(r"WordNet \d[\d.]*\d")
_LICENCE_BYTES = 4096
_FILES = ("data.adj", "data.adv", "data.verb")
_POS = MappingProxyType({"data.adj": "a", "data.adv": "r", "data.verb": "v"})
# A place -> name -> content.
_Read: TypeAlias = Callable[[Path], Mapping[str, bytes]]
# As in the formula of Homebrew and in other package managers.
_DOWNLOAD = Download(
    url="https://wordnetcode.princeton.edu/3.0/WordNet-3.0.tar.bz2",
    sha256="6c492d0c7b4a40e7674d088191d3aa11f373bb1da60762e098b8ee2dda96ef22",
    filename=f"wordnet/{_ARCHIVE}",
)


def _folders() -> Iterator[Path]:
    if folder := os.environ.get("WNSEARCHDIR"):
        yield Path(folder)
    if folder := os.environ.get("WNHOME"):
        yield Path(folder, "dict")
    yield Path("/usr/share/wordnet")
    yield from (root / "wordnet" for root in _of_nltk())


def _archives() -> Iterator[Path]:
    """What holds the files packed, in any folder inside."""
    yield from (root / "wordnet.zip" for root in _of_nltk())
    yield cache_folder() / _DOWNLOAD.filename
    if folder := os.environ.get(DATA_DIR_VARIABLE):
        yield Path(folder, _ARCHIVE)


def _of_nltk() -> Iterator[Path]:
    for root in (
        *os.environ.get("NLTK_DATA", "").split(os.pathsep),
        str(Path.home() / "nltk_data"),
    ):
        if root:
            yield Path(root, "corpora")


def _find() -> Found | None:
    for folder in _folders():
        paths = [folder / name for name in _FILES]
        if all(path.is_file() for path in paths):
            digest = joint_digest(folder, paths)
            version = _version(_from_folder, folder, digest)
            return Found(version, digest, str(folder), partial(_load, _from_folder, folder))
    for archive in _archives():
        if archive.is_file():
            digest = steady_digest(archive)
            version = _version(_from_archive, archive, digest)
            return Found(version, digest, str(archive), partial(_load, _from_archive, archive))
    return None


# Unpacking an archive takes a second, and every config asks again.
@lru_cache(maxsize=8)
def _version(read: _Read, place: Path, _digest: str) -> str:
    licence = read(place)["data.adj"][:_LICENCE_BYTES].decode("utf-8", "replace")
    match = _VERSION.search(licence)
    return match.group() if match else "WordNet of an unknown version"


def _load(read: _Read, place: Path) -> WordNet:
    return WordNet(read(place), str(place))


def _from_folder(folder: Path) -> Mapping[str, bytes]:
    return {name: (folder / name).read_bytes() for name in _FILES}


def _from_archive(path: Path) -> Mapping[str, bytes]:
    try:
        found = dict(_from_zip(path) if path.suffix == ".zip" else _from_tar(path))
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        raise _broken(str(path), f"it cannot be unpacked ({error})") from error
    if missing := [name for name in _FILES if name not in found]:
        raise _broken(str(path), f"it holds no {missing[0]}")
    return found


def _from_tar(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            name = Path(member.name).name
            if name in _FILES and (file := archive.extractfile(member)) is not None:
                yield name, file.read()


def _from_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            if Path(member).name in _FILES:
                yield Path(member).name, archive.read(member)


class WordNet:
    """`Antonyms` of WordNet: those of every word that shares a sense with the one asked for.

    Args:
        files: "data.adj", "data.adv" and "data.verb" -> content.
        where: their place, for messages.

    Raises:
        ResourceError: a line is not of the WNDB format, or names a sense or word that is missing.
    """

    def __init__(self, files: Mapping[str, bytes], where: str) -> None:
        self._antonyms: dict[tuple[str, str], set[str]] = {}
        for name in _FILES:
            place = f"{where}, {name}"
            self._add(_POS[name], _senses(files[name], place), place)

    def _add(self, pos: str, senses: Mapping[str, _Sense], where: str) -> None:
        for sense in senses.values():
            for offset, number in sense.pointers:
                target = senses.get(offset)
                if target is None or not 1 <= number <= len(target.words):
                    problem = (
                        f"line {sense.line} points to word {number} of the sense {offset}, which"
                        " is not there"
                    )
                    raise _broken(where, problem)
                for word in sense.words:
                    key = (word, pos)
                    self._antonyms.setdefault(key, set()).add(target.words[number - 1])

    def antonyms(self, word: str, pos: str) -> Sequence[str]:
        """Antonyms of an entry, sorted, single words of letters alone."""
        found = self._antonyms.get((word.lower(), pos), set())
        return sorted(one for one in found if one.isalpha())


class _Sense(NamedTuple):
    """Words of a sense, the (offset, number of a word) that are its antonyms, line in the file."""

    words: list[str]
    pointers: list[tuple[str, int]]
    line: int


def _senses(content: bytes, where: str) -> dict[str, _Sense]:
    found: dict[str, _Sense] = {}
    for number, raw in enumerate(content.splitlines(), start=1):
        # The licence in front is indented.
        if raw and not raw.startswith(b" "):
            try:
                offset, sense = _sense(raw.decode("utf-8").partition("|")[0].split(), number)
            except (ValueError, IndexError) as error:
                shown = raw[:40].decode("utf-8", "replace")
                raise _broken(where, f"line {number}, {shown!r}, is no sense") from error
            found[offset] = sense
    if not found:
        raise _broken(where, "it holds no sense")
    return found


def _broken(where: str, problem: str) -> ResourceError:
    return ResourceError(f"WordNet is broken: {where}: {problem}; install it again")


def _sense(fields: Sequence[str], line: int) -> tuple[str, _Sense]:
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
    return fields[0], _Sense(words, pointers, line)


resources.register(
    Resource(
        name="wordnet",
        what="antonyms, Princeton WordNet 3.0",
        licence="WordNet licence",
        command="mcrc-adversarial resources --fetch wordnet",
        find=_find,
        fetch=partial(fetch_resource, _DOWNLOAD, (_ARCHIVE,)),
    )
)
