"""The raw files of one corpus: which ones they are, and their bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from mcrc_adversarial.collecting import seldom_collected
from mcrc_adversarial.corpora import _archives
from mcrc_adversarial.corpora._contract import Corpus, RawFile
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import CorpusNotFoundError, DataError

_JUNK = re.compile(r"^(\.|__MACOSX$)")
_NUMBER = re.compile(r"(\d+)")


class Entry(NamedTuple):
    """A file below a folder: its path from there, with the folder's own name in front."""

    relative: str
    path: Path


class _Fit(NamedTuple):
    """A raw file: what its pattern matched, where it stands, how to get its bytes."""

    key: str
    shown: str
    load: Callable[[], bytes]


class Fitting:
    """Which of a corpus's patterns a path fits, and whose corpus its words say it is."""

    def __init__(self, corpus: Corpus) -> None:
        self.parts = [
            (split, number, re.compile(pattern, re.IGNORECASE))
            for split, patterns in corpus.splits.items()
            for number, pattern in enumerate((*patterns, *corpus.joins))
        ]
        self._n_own = {split: len(patterns) for split, patterns in corpus.splits.items()}
        self._words = [(word.casefold(), 1) for word in corpus.hints]
        self._words += [(word.casefold(), -1) for word in corpus.rivals]

    def fits(self, relative: str) -> Iterator[tuple[str, int, str]]:
        """(split, number of the pattern, what it matched) for each pattern that fits."""
        for split, number, pattern in self.parts:
            if match := pattern.search(relative):
                yield split, number, match.group().strip("/").casefold()

    def is_own(self, relative: str) -> bool:
        """Whether a file is the corpus's own, and not one that it only joins."""
        return any(number < self._n_own[split] for split, number, _ in self.fits(relative))

    def is_wanted(self, relative: str) -> bool:
        return self.verdict(relative) >= 0 and any(True for _ in self.fits(relative))

    def verdict(self, relative: str) -> int:
        """1 where a hint stands in the path, -1 where a rival does, 0 where neither does."""
        for part in reversed(relative.casefold().split("/")):
            found = [(len(word), side) for word, side in self._words if word in part]
            if found:
                return max(found)[1]
        return 0

    def inside(self, archive: Entry) -> Callable[[str], bool]:
        """The test for the names of an archive's members."""
        return lambda name: not is_junk(name) and self.is_wanted(f"{archive.relative}/{name}")

    def own_inside(self, archive: Entry) -> Callable[[str], bool]:
        """The same, for the corpus's own files alone."""
        wanted = self.inside(archive)
        return lambda name: wanted(name) and self.is_own(f"{archive.relative}/{name}")


class Source:
    """The raw files of one corpus, found but not yet read.

    Keep it while it is of use: an archive is unpacked in memory once per Source.

    Args:
        corpus: whose files they are.
        loose: files that fit one of its patterns.
        archives: archives that hold at least one such file.
    """

    def __init__(self, corpus: Corpus, loose: Sequence[Entry], archives: Sequence[Entry]) -> None:
        self.corpus = corpus
        self._loose = loose
        self._archives = archives

    def __repr__(self) -> str:
        places = f"{len(self._loose)} files, {len(self._archives)} archives"
        return f"Source({self.corpus.name!r}, {places})"

    @cached_property
    def fingerprint(self) -> str:
        """Digest (64 hex digits) over paths and bytes of the files, archives taken whole."""
        whole = hashlib.sha256()
        for kind, entries in (("loose", self._loose), ("archive", self._archives)):
            for entry in sorted(entries):
                # Without the first part: a tree that was only moved or renamed is the same.
                relative = entry.relative.partition("/")[2] if kind == "loose" else entry.path.name
                line = f"{kind}\0{relative}\0{_file_digest(entry.path)}\n"
                whole.update(line.encode("utf-8", "surrogateescape"))
        return whole.hexdigest()

    def splits(self) -> tuple[str, ...]:
        """The splits whose files are there, in the corpus's order.

        Raises:
            DataError: some of a split's files are there, and some are not.
            ArchiveError: an archive is broken or unsafe.
        """
        return tuple(split for split in self.corpus.splits if self._is_whole(split))

    def read(self, split: str) -> list[RawFile]:
        """The raw files of one split, in natural order of what their pattern matched.

        Raises:
            CorpusNotFoundError: there are none.
            DataError: some are missing, or one stands in two places with different content.
            ArchiveError: an archive is broken or unsafe.
        """
        if split not in self.corpus.splits or not self._is_whole(split):
            msg = (
                f"corpus {self.corpus.name!r} has no files of split {split!r} here; found:"
                f" {', '.join(self.splits()) or 'none'}; expected: {expected(self.corpus)}"
            )
            raise CorpusNotFoundError(msg)
        fits: dict[tuple[str, int], list[_Fit]] = {}
        for number, found in enumerate(self._index[split]):
            for fit in found:
                fits.setdefault((fit.key, number), []).append(fit)
        ordered = sorted(fits, key=lambda place: (_natural(place[0]), place[1]))
        return [self._single(split, fits[place]) for place in ordered]

    def _is_whole(self, split: str) -> bool:
        patterns = self.corpus.splits[split]
        found = self._index[split][: len(patterns)]
        if all(found) or not any(found):
            return all(found)
        missing = [pattern for pattern, fits in zip(patterns, found, strict=True) if not fits]
        present = next(fit.shown for fits in found for fit in fits)
        msg = (
            f"corpus {self.corpus.name!r}, split {split!r} is half there: {present!r} is, but no"
            f" file fits {' or '.join(missing)}; expected: {expected(self.corpus)}"
        )
        raise DataError(msg)

    def _single(self, split: str, fits: Sequence[_Fit]) -> RawFile:
        first = RawFile(fits[0].shown, fits[0].load())
        for other in fits[1:]:
            if other.load() != first.content:
                msg = (
                    f"corpus {self.corpus.name!r}, split {split!r}: {fits[0].key!r} stands in two"
                    f" places with different content: {first.path!r} and {other.shown!r}; keep"
                    " one, or name its folder with data_dir="
                )
                raise DataError(msg)
        return first

    @cached_property
    @seldom_collected()
    def _index(self) -> dict[str, list[list[_Fit]]]:
        """For each split, for each of its patterns, the files that fit."""
        fitting = Fitting(self.corpus)
        index: dict[str, list[list[_Fit]]] = {
            split: [[] for _ in (*patterns, *self.corpus.joins)]
            for split, patterns in self.corpus.splits.items()
        }
        for relative, shown, load in chain(self._loose_files(), self._packed_files(fitting)):
            for split, number, key in fitting.fits(relative):
                index[split][number].append(_Fit(key, shown, load))
        return index

    def _loose_files(self) -> Iterator[tuple[str, str, Callable[[], bytes]]]:
        for entry in self._loose:
            yield entry.relative, entry.path.as_posix(), partial(_read, entry.path)

    def _packed_files(self, fitting: Fitting) -> Iterator[tuple[str, str, Callable[[], bytes]]]:
        for archive in self._archives:
            wanted = fitting.inside(archive)
            for name, content in _archives.read_members(archive.path, wanted):
                shown = f"{archive.path.as_posix()}!{name}"
                yield f"{archive.relative}/{name}", shown, partial(_same, content)


def expected(corpus: Corpus) -> str:
    """What the corpus's files are called, for messages."""
    patterns = ", ".join(pattern for split in corpus.splits.values() for pattern in split)
    return corpus.layout or patterns


def is_junk(name: str) -> bool:
    """Whether some part of a path is hidden, or a leftover of a Mac."""
    return any(_JUNK.match(part) for part in name.split("/"))


def _natural(key: str) -> list[tuple[int, str]]:
    """Sorts `2.txt` before `10.txt`: numbers by value, then the text between them."""
    parts = _NUMBER.split(key)
    return [(int(part), "") if number % 2 else (-1, part) for number, part in enumerate(parts)]


def _same(content: bytes) -> bytes:
    return content


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"file {str(path)!r} cannot be read: {error.strerror}"
        raise DataError(msg) from error


def _read(path: Path) -> bytes:
    with _readable(path):
        return path.read_bytes()


def _file_digest(path: Path) -> str:
    with _readable(path):
        return file_digest(path)
