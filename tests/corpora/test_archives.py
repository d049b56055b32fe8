import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.corpora import _archives
from mcrc_adversarial.errors import ArchiveError

TYPES = {
    "link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "character device": tarfile.CHRTYPE,
    "block device": tarfile.BLKTYPE,
    "pipe": tarfile.FIFOTYPE,
    "sparse file": tarfile.GNUTYPE_SPARSE,
    "unknown": b"Q",
}
BAD_NAMES = ["/etc/passwd", "../a.txt", "a/../../b.txt", "C:/a.txt", "c:a.txt"]


def everything(_name: str) -> bool:
    return True


def members(path: Path) -> dict[str, bytes]:
    return dict(_archives.read_members(path, everything))


def tar_of(path: Path, *infos: tarfile.TarInfo, content: bytes = b"") -> Path:
    with tarfile.open(path, "w") as archive:
        for info in infos:
            info.size = len(content) if info.type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(content))
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ArchiveError) as caught:
        members(path)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("ending", ["tar", "tar.xz", "tar.gz", "tgz", "tar.bz2", "zip"])
def test_read_members_gives_wanted_bytes_only(tmp_path: Path, write_tar, write_zip, ending) -> None:
    files = {"a/one.txt": b"1" * 1000, "a/two.bin": b"2" * 512, "a/three.txt": b"", "b.txt": b"4"}
    write = write_zip if ending == "zip" else write_tar
    path = write(tmp_path / f"x.{ending}", files)
    found = dict(_archives.read_members(path, lambda name: name.endswith(".txt")))
    assert found == {name: content for name, content in files.items() if name.endswith(".txt")}
    assert _archives.holds(path, lambda name: name == "b.txt")
    assert not _archives.holds(path, lambda name: name == "c.txt")


@pytest.mark.parametrize("format_", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_read_members_reads_long_names_and_leading_dots(tmp_path: Path, format_: int) -> None:
    name = "./" + "folder/" * 40 + "ä.txt"
    with tarfile.open(tmp_path / "x.tar", "w", format=format_) as archive:
        for number in range(3):
            info = tarfile.TarInfo(f"{name}{number}")
            info.size = 700
            archive.addfile(info, io.BytesIO(bytes([number]) * 700))
    expected = {f"{name[2:]}{number}": bytes([number]) * 700 for number in range(3)}
    assert members(tmp_path / "x.tar") == expected


def test_read_members_reads_zip_names_with_backslashes(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(r"a\b.txt", "1")
    assert members(tmp_path / "x.zip") == {"a/b.txt": b"1"}


@pytest.mark.parametrize("kind", TYPES)
def test_tar_member_that_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    info = tarfile.TarInfo("member.txt")
    info.type, info.linkname = TYPES[kind], "/etc/passwd"
    assert "member.txt" in refusal(tar_of(tmp_path / "x.tar", info))


@pytest.mark.parametrize("mode", [0o120777, 0o020666, 0o010666])
def test_zip_member_that_is_no_file_is_refused(tmp_path: Path, mode: int) -> None:
    info = zipfile.ZipInfo("member.txt")
    info.external_attr = mode << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert "it is a" in refusal(tmp_path / "x.zip")


@pytest.mark.parametrize("name", BAD_NAMES)
def test_tar_member_with_an_unsafe_name_is_refused(tmp_path: Path, name: str) -> None:
    path = tar_of(tmp_path / "x.tar", tarfile.TarInfo("good.txt"), tarfile.TarInfo(name))
    assert "its name" in refusal(path)


@pytest.mark.parametrize("name", [*BAD_NAMES, r"..\a.txt", r"C:\a.txt", r"\a.txt"])
def test_zip_member_with_an_unsafe_name_is_refused(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(name, "1")
    assert "its name" in refusal(tmp_path / "x.zip")


def test_encrypted_zip_is_refused(tmp_path: Path, write_zip) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.txt": "1"})
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    path.write_bytes(bytes(content))
    assert "it is encrypted" in refusal(path)


@pytest.mark.parametrize("ending", ["tar.xz", "zip"])
def test_archive_over_the_limits_is_refused(
    tmp_path: Path, write_tar, write_zip, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = write_zip if ending == "zip" else write_tar
    path = write(tmp_path / f"x.{ending}", {f"{number}.txt": b"0" * 1000 for number in range(4)})
    monkeypatch.setattr(_archives, "MAX_MEMBER_BYTES", 1000)
    monkeypatch.setattr(_archives, "MAX_TOTAL_BYTES", 4000)
    assert len(members(path)) == 4
    monkeypatch.setattr(_archives, "MAX_TOTAL_BYTES", 3999)
    assert "more than the 3999 bytes allowed" in refusal(path)
    monkeypatch.setattr(_archives, "MAX_MEMBER_BYTES", 999)
    assert "it unpacks to 1000 bytes, more than the 999 allowed" in refusal(path)


def test_archive_over_the_limits_is_refused_for_members_nobody_wants(
    tmp_path: Path, write_zip, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_zip(tmp_path / "x.zip", {"big.bin": b"0" * 1000})
    monkeypatch.setattr(_archives, "MAX_MEMBER_BYTES", 999)
    with pytest.raises(ArchiveError, match=r"big\.bin"):
        list(_archives.read_members(path, lambda name: name.endswith(".txt")))


def test_tar_header_that_claims_a_huge_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tarfile.TarInfo("a.txt")
    info.pax_headers = {"comment": "x" * 100_000}
    with tarfile.open(tmp_path / "x.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info)
    assert members(tmp_path / "x.tar") == {"a.txt": b""}
    monkeypatch.setattr(_archives, "MAX_HEADER_BYTES", 50_000)
    assert "header larger than 50000 bytes" in refusal(tmp_path / "x.tar")


@pytest.mark.parametrize("ending", ["tar", "tar.xz", "tar.gz", "tar.bz2", "zip"])
def test_archive_cut_short_is_refused(tmp_path: Path, write_tar, write_zip, ending: str) -> None:
    write = write_zip if ending == "zip" else write_tar
    noise = bytes(range(256)) * 40
    path = write(tmp_path / f"x.{ending}", {"a.txt": noise, "b.txt": noise[::-1]})
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    if ending == "tar":
        path.write_bytes(path.read_bytes()[:11_500])
    assert "cannot be read" in refusal(path)


def test_compressed_garbage_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.tar.xz").write_bytes(lzma.compress(b"no tar" * 1000))
    assert "cannot be read" in refusal(tmp_path / "x.tar.xz")


@given(st.binary(max_size=2000), st.sampled_from(["x.zip", "x.tar", "x.tar.xz", "x.tgz"]))
def test_any_bytes_give_members_or_an_archive_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(content)
    try:
        found = members(path)
    except ArchiveError:
        return
    assert found == {} or content


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RACE.tar.gz", True),
        ("A.ZIP", True),
        ("x.tar.zst", True),
        ("train.json", False),
        ("x.gz", False),
        ("zip", False),
    ],
)
def test_is_archive_goes_by_the_ending(name: str, expected: bool) -> None:
    assert _archives.is_archive(name) is expected


def test_holds_lists_an_archive_once_in_vain_and_again_when_it_changed(
    tmp_path: Path, write_zip, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.txt": b"1", "b.txt": b"2"})
    listings = []
    real = _archives._members
    monkeypatch.setattr(_archives, "_members", lambda one: listings.append(one) or real(one))

    assert not _archives.holds(path, lambda name: name == "c.txt")
    assert not _archives.holds(path, lambda name: name == "d.txt")
    assert _archives.holds(path, lambda name: name == "b.txt")
    assert len(listings) == 1

    write_zip(path, {"c.txt": b"3", "and": b"more bytes"})
    assert _archives.holds(path, lambda name: name == "c.txt")
    assert len(listings) == 2
