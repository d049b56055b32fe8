"""Members of tar and zip archives, read in memory, with everything unsafe refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
import posixpath
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from mcrc_adversarial.errors import ArchiveError

MAX_TOTAL_BYTES = 4 * 2**30
MAX_MEMBER_BYTES = 512 * 2**20
# Extended headers are read whole by tarfile, whatever size they claim.
MAX_HEADER_BYTES = 16 * 2**20
_CHUNK = 2**20

_SUFFIXES = re.compile(r"\.(zip|tar|tgz|txz|tbz2|tar\.(gz|xz|bz2|zst))$", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
# Names in archives that were read to their end in vain: each corpus that is not there asks again.
_listed: dict[tuple[Path, int, int], list[str]] = {}


class _Member(NamedTuple):
    """One regular file or folder of an archive; `read` holds until the next one is asked for."""

    name: str
    n_bytes: int
    refusal: str
    read: Callable[[], bytes]


def is_archive(name: str) -> bool:
    """Whether a file of this name is one that `read_members` opens."""
    return _SUFFIXES.search(name) is not None


def holds(archive: Path, wanted: Callable[[str], bool]) -> bool:
    """Whether some member's name is wanted; reads no further than the first one.

    Raises:
        ArchiveError: the archive is broken before that.
    """
    names = []
    with _as_archive_error(archive):
        status = archive.stat()
        key = (archive, status.st_size, status.st_mtime_ns)
        if key in _listed:
            return any(map(wanted, _listed[key]))
        for member in _members(archive):
            if not member.refusal:
                if wanted(member.name):
                    return True
                names.append(member.name)
    _listed[key] = names
    return False


def read_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the members whose names are wanted, in the archive's order.

    Raises:
        ArchiveError: the archive is broken, encrypted, larger than `MAX_TOTAL_BYTES` when
            unpacked, or any of its members is a link, a device, larger than `MAX_MEMBER_BYTES`,
            or named with a root, a drive or `..`.
    """
    total = 0
    with _as_archive_error(archive):
        for member in _members(archive):
            total += member.n_bytes
            refusal = member.refusal or _size_refusal(member.n_bytes, total)
            if refusal:
                msg = (
                    f"archive {str(archive)!r}, member {member.name!r}: {refusal}; unpack the"
                    " archive by hand and name the folder instead, if you trust it"
                )
                raise ArchiveError(msg)
            if wanted(member.name):
                yield member.name, member.read()


def _size_refusal(n_bytes: int, total: int) -> str:
    if n_bytes > MAX_MEMBER_BYTES:
        return f"it unpacks to {n_bytes} bytes, more than the {MAX_MEMBER_BYTES} allowed"
    if total > MAX_TOTAL_BYTES:
        return f"the archive unpacks to more than the {MAX_TOTAL_BYTES} bytes allowed"
    return ""


def _name_refusal(name: str) -> str:
    if name.startswith("/"):
        return "its name is absolute"
    if _DRIVE.match(name):
        return "its name has a drive letter"
    if ".." in name.split("/"):
        return "its name leads out of the archive ('..')"
    return ""


@contextmanager
def _as_archive_error(archive: Path) -> Iterator[None]:
    try:
        yield
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        NotImplementedError,
    ) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"archive {str(archive)!r} cannot be read: {reason}; fetch it again"
        raise ArchiveError(msg) from error


def _members(archive: Path) -> Iterator[_Member]:
    zipped = archive.name.lower().endswith(".zip")
    return _zip_members(archive) if zipped else _tar_members(archive)


def _zip_members(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            # Some Windows programs write the names with their own separator.
            name = info.filename.replace("\\", "/")
            yield _Member(
                posixpath.normpath(name),
                info.file_size,
                _name_refusal(name) or _zip_refusal(info),
                lambda info=info: opened.read(info),  # type: ignore[misc]
            )


def _zip_refusal(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 0x1:
        return "it is encrypted"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        return "it is a link"
    if kind and not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        return "it is a device"
    return ""


def _tar_members(archive: Path) -> Iterator[_Member]:
    with _decompressed(archive) as stream:
        forward = _Forward(stream)
        with tarfile.open(fileobj=forward, mode="r:") as opened:  # type: ignore[call-overload]
            for info in opened:
                forward.left = info.size + MAX_HEADER_BYTES
                yield _Member(
                    posixpath.normpath(info.name),
                    info.size,
                    _name_refusal(info.name) or _tar_refusal(info),
                    lambda info=info: forward.read_at(info.offset_data, info.size),  # type: ignore[misc]
                )


def _tar_refusal(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return "it is a link"
    if info.issparse() or not (info.isfile() or info.isdir()):
        return "it is a device or another special file"
    return ""


class _Forward:
    """A stream that skips forward instead of seeking, and gives `left` more bytes at most.

    tarfile's own stream mode copies its buffer for every member, and reads headers of any size.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._position = 0
        self.left = MAX_HEADER_BYTES

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> int:
        while self._position < position:
            if not self.read(min(position - self._position, _CHUNK)):
                break
        return self._position

    def read(self, n_bytes: int) -> bytes:
        self.left -= n_bytes
        if self.left < 0:
            msg = f"a header larger than {MAX_HEADER_BYTES} bytes"
            raise tarfile.ReadError(msg)
        chunk = self._stream.read(n_bytes)
        self._position += len(chunk)
        return chunk

    def read_at(self, position: int, n_bytes: int) -> bytes:
        self.seek(position)
        content = self.read(n_bytes)
        if len(content) < n_bytes:
            msg = "unexpected end of data"
            raise tarfile.ReadError(msg)
        return content


def _decompressed(archive: Path) -> IO[bytes]:
    name = archive.name.lower()
    if name.endswith((".gz", ".tgz")):
        return gzip.GzipFile(archive)  # type: ignore[return-value]
    if name.endswith((".xz", ".txz")):
        return lzma.open(archive)
    if name.endswith((".bz2", ".tbz2")):
        return bz2.open(archive)
    if name.endswith(".zst"):
        # Here, because it takes 0.1 s; it comes with `datasets`, and the standard library
        # reads zstd from Python 3.14 on only.
        import pyarrow

        stream: IO[bytes] = pyarrow.input_stream(str(archive), compression="zstd")
        return stream
    return archive.open("rb")
