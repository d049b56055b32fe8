"""Finding raw files: in the package, in folders and archives, or at the published address."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mcrc_adversarial.corpora import _archives, _download
from mcrc_adversarial.corpora._contract import Corpus
from mcrc_adversarial.corpora._source import Entry, Fitting, Source, expected, is_junk
from mcrc_adversarial.errors import ArchiveError, CorpusNotFoundError

DATA_DIR_VARIABLE = "MCRC_DATA_DIR"


def find(corpus: Corpus, data_dir: str | Path | None = None) -> Source:
    """Where the raw files of `corpus` are.

    Looks in the package, else below `data_dir`, else below the folder that the environment
    variable MCRC_DATA_DIR names, else among the downloaded files, which are fetched if need be.
    Folders and archives count alike; `data_dir` may also be one archive.

    Raises:
        CorpusNotFoundError: there are none, and none can be fetched.
        DownloadError: the download failed.
        ArchiveError: an archive of the corpus is broken.
    """
    if corpus.bundled is not None:
        return _found(corpus, corpus.bundled)
    if data_dir is not None:
        return _found(corpus, Path(data_dir).expanduser())
    looked = f"{DATA_DIR_VARIABLE} is not set"
    if variable := os.environ.get(DATA_DIR_VARIABLE):
        root = Path(variable).expanduser()
        looked = f"nothing below {DATA_DIR_VARIABLE}={str(root)!r}"
        if source := _search(corpus, root):
            return source
    return _downloaded(corpus, looked)


def _found(corpus: Corpus, root: Path) -> Source:
    source = _search(corpus, root)
    if source is None:
        raise _not_found(corpus, f"nothing in {str(root)!r}")
    return source


def _downloaded(corpus: Corpus, looked: str) -> Source:
    if not corpus.downloads:
        raise _not_found(corpus, f"{looked}, and no address is known that a program may use")
    if not _download.is_complete(corpus.downloads) and (variable := _download.offline()):
        raise _not_found(corpus, f"{looked}, and {variable} forbids the download")
    entries = [Entry(*pair) for pair in _download.fetch(corpus.downloads)]
    packed = [entry for entry in entries if _archives.is_archive(entry.path.name)]
    return Source(corpus, [entry for entry in entries if entry not in packed], packed)


def _not_found(corpus: Corpus, looked: str) -> CorpusNotFoundError:
    return CorpusNotFoundError(
        f"corpus {corpus.name!r} not found: {looked}; get it from {corpus.homepage} (licence:"
        f" {corpus.licence.name}), put the folder or archive anywhere below a folder, and name"
        f" that with data_dir= or {DATA_DIR_VARIABLE}; expected: {expected(corpus)}"
    )


def _search(corpus: Corpus, root: Path) -> Source | None:
    """The corpus's files below `root`; those that a hint marks, if there are any."""
    fitting = Fitting(corpus)
    loose: dict[int, list[Entry]] = {1: [], 0: [], -1: []}
    archives: dict[int, list[Entry]] = {1: [], 0: [], -1: []}
    for entry in _walk(corpus, root):
        if _archives.is_archive(entry.path.name):
            archives[fitting.verdict(entry.relative)].append(entry)
        elif fitting.is_wanted(entry.relative):
            loose[fitting.verdict(entry.relative)].append(entry)
    if _any_own(fitting, loose[1]) or _any_holds(fitting, archives[1]):
        return Source(corpus, loose[1], archives[1])
    if _any_own(fitting, loose[0]):
        return Source(corpus, loose[0], [])
    # An archive that says nothing of this corpus may be anything: broken ones are passed over.
    unhinted = [entry for entry in archives[0] if _holds(fitting, entry, strict=root.is_file())]
    return Source(corpus, [], unhinted) if unhinted else None


def _any_own(fitting: Fitting, entries: Iterable[Entry]) -> bool:
    return any(fitting.is_own(entry.relative) for entry in entries)


def _any_holds(fitting: Fitting, archives: Iterable[Entry]) -> bool:
    # The smallest first: looking for a file may mean unpacking the archive up to it.
    by_size = sorted(archives, key=lambda entry: (entry.path.stat().st_size, entry))
    return any(_holds(fitting, entry, strict=True) for entry in by_size)


def _holds(fitting: Fitting, archive: Entry, *, strict: bool) -> bool:
    try:
        return _archives.holds(archive.path, fitting.own_inside(archive))
    except ArchiveError:
        if strict:
            raise
        return False


def _walk(corpus: Corpus, root: Path) -> Iterator[Entry]:
    """All files below `root`, in order of their paths; `root` may be one archive."""
    name = root.resolve().name
    if root.is_file() and _archives.is_archive(name):
        yield Entry(name, root)
        return
    if not root.is_dir():
        kind = "is neither a folder nor an archive" if root.exists() else "does not exist"
        raise _not_found(corpus, f"{str(root)!r} {kind}")
    seen: set[tuple[int, int]] = set()
    for folder, folders, files in os.walk(root, followlinks=True):
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(inner for inner in folders if not is_junk(inner))
        below = Path(folder).relative_to(root).as_posix()
        prefix = f"{name}/" if below == "." else f"{name}/{below}/"
        for file in sorted(files):
            if not is_junk(file):
                yield Entry(prefix + file, Path(folder, file))
