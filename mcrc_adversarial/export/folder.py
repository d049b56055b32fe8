"""The folder that an export writes: what may stand in it, and how it changes step by step.

It may be killed at any moment. A file is written under `.building`, recorded in the manifest, and
only then renamed; a file is removed before its record is. So a file without a record is never
ours, and a record without its file stands for nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from mcrc_adversarial.errors import McrcError, OutputError
from mcrc_adversarial.export.card import card
from mcrc_adversarial.export.manifest import FileRecord, dump, load

MANIFEST = "manifest.json"
CARD = "README.md"
BUILDING = ".building"
_LOCK = "lock"
# Seconds. The processes of an export that was killed let go of the lock a moment later.
_PATIENCE = 2
_PACKAGE = Path(__file__).parent.parent.resolve()
# What a file manager leaves in any folder that a person looks into.
_JUNK = {".DS_Store", "Thumbs.db", "desktop.ini"}


def inspect(path: Path) -> list[FileRecord]:
    """The files that an earlier export recorded in the folder; none if it is empty or missing.

    Raises:
        OutputError: the folder holds anything that no export wrote, or is the package's own.
    """
    with one_line(path):
        resolved = path.resolve()
        if resolved == _PACKAGE or _PACKAGE in resolved.parents:
            msg = f"{str(path)!r} is the package itself; give a folder of your own as the output"
            raise OutputError(msg)
        if not path.exists():
            return []
        if not path.is_dir():
            msg = f"{str(path)!r} is a file; give a folder as the output"
            raise OutputError(msg)
        manifest = path / MANIFEST
        text = manifest.read_text(encoding="utf-8") if manifest.is_file() else None
        records = [] if text is None else load(text, str(manifest))
        ours = {record.path for record in records}
        ours |= {BUILDING} if text is None else {BUILDING, MANIFEST, CARD}
        _refuse_strangers(path, ours)
    return records


def _refuse_strangers(path: Path, ours: set[str]) -> None:
    folders = {name.partition("/")[0] for name in ours if "/" in name}
    for name in sorted(_entries(path, folders)):
        if name not in ours:
            msg = (
                f"{str(path)!r} holds {name!r}, which no export wrote; give a new or empty folder,"
                " or one that was exported before"
            )
            raise OutputError(msg)


def _entries(path: Path, folders: set[str]) -> Iterator[str]:
    """What stands in the folder, and in those of its folders that are named."""
    for entry in path.iterdir():
        if entry.name in folders and entry.is_dir():
            yield from (f"{entry.name}/{name}" for name in _entries(entry, set()))
        elif entry.name not in _JUNK and not _is_empty(entry):
            yield entry.name


def _is_empty(entry: Path) -> bool:
    return entry.is_dir() and all(inner.name in _JUNK for inner in entry.iterdir())


@contextmanager
def one_line(path: Path) -> Iterator[None]:
    """Make an OutputError of whatever goes wrong while the folder `path` is written.

    Raises:
        OutputError: an OSError was raised inside.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error, McrcError):
            raise
        reason = error.strerror or str(error)
        msg = f"output folder {str(path)!r} cannot be written: {reason}"
        raise OutputError(msg) from error


@contextmanager
def locked(path: Path) -> Iterator[Folder]:
    """The folder, made if missing; no other export may change it meanwhile.

    Raises:
        OutputError: see `inspect`; also where another export is at work there.
    """
    building = path / BUILDING
    lock = FileLock(building / _LOCK, timeout=_PATIENCE)
    with one_line(path):
        building.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout as error:
            msg = f"another export is writing to {str(path)!r}; wait for its end"
            raise OutputError(msg) from error
    try:
        with one_line(path):
            _remove_unfinished(building)
            folder = Folder(path)
        yield folder
    finally:
        with one_line(path):
            _remove_unfinished(building)
        # Removed while it is locked, so that no other export can have begun to use it.
        shutil.rmtree(building, ignore_errors=True)
        lock.release()


def _remove_unfinished(building: Path) -> None:
    for entry in building.iterdir():
        if entry.name != _LOCK:
            entry.unlink()


class Folder:
    """An export's folder while it is being changed; see `locked`.

    Args:
        path: the folder.

    Attributes:
        records: the files that it holds, whole.

    Raises:
        OutputError: see `inspect`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[FileRecord] = []
        self._altered: list[FileRecord] = []
        for record in inspect(path):
            file = path / record.path
            if file.is_file():
                is_whole = record.is_content_of(file)
                (self.records if is_whole else self._altered).append(record)

    def unfinished(self, config: str, split: str) -> Path:
        """Where a file is to be written before `add`."""
        return self.path / BUILDING / f"{config}.{split}.parquet"

    def begin(self, to_build: Iterable[tuple[str, str]]) -> None:
        """Remove the files that are to be built anew, and all mention of them.

        Args:
            to_build: (config, split) of each.

        Raises:
            OutputError: a file that is not to be built anew was altered since it was exported.
        """
        stale = set(to_build)
        for record in self._altered:
            if (record.config, record.split) not in stale:
                msg = (
                    f"{record.path!r} in {str(self.path)!r} was altered since it was exported;"
                    f" remove it, or build {record.config!r} too"
                )
                raise OutputError(msg)
        with one_line(self.path):
            for config, split in stale:
                (self.path / config / f"{split}.parquet").unlink(missing_ok=True)
            self.records = [
                record for record in self.records if (record.config, record.split) not in stale
            ]
            self._write(MANIFEST, dump(self.records))
            self._write_card()

    def add(self, record: FileRecord) -> None:
        """Put a file that was written to `unfinished` in its place."""
        self.records.append(record)
        target = self.path / record.path
        with one_line(self.path):
            self._write(MANIFEST, dump(self.records))
            target.parent.mkdir(exist_ok=True)
            self.unfinished(record.config, record.split).replace(target)

    def finish(self) -> None:
        """Write the card over all files."""
        with one_line(self.path):
            self._write_card()

    def _write_card(self) -> None:
        if self.records:
            self._write(CARD, card(self.records))
        else:
            (self.path / CARD).unlink(missing_ok=True)

    def _write(self, name: str, text: str) -> None:
        unfinished = self.path / BUILDING / name
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(self.path / name)
