import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.example import Example

Files = Mapping[str, str | bytes]
Store = Callable[[str, Files], Path]


def write_folder(root: Path, files: Files) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return root


def write_tar(path: Path, files: Files) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = {".xz": "w:xz", ".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2"}.get(path.suffix, "w")
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(_bytes(content))
            archive.addfile(info, io.BytesIO(_bytes(content)))
    return path


def write_zip(path: Path, files: Files) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8")


@pytest.fixture(name="write_folder")
def write_folder_fixture() -> Callable[[Path, Files], Path]:
    return write_folder


@pytest.fixture(name="write_tar")
def write_tar_fixture() -> Callable[[Path, Files], Path]:
    return write_tar


@pytest.fixture(name="write_zip")
def write_zip_fixture() -> Callable[[Path, Files], Path]:
    return write_zip


@pytest.fixture(params=["folder", "tar.xz", "tar.gz", "zip"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Writes files below `tmp_path/raw/<name>`, or into `tmp_path/raw/<name>.<ending>`."""

    def write(name: str, files: Files) -> Path:
        raw = tmp_path / "raw"
        if request.param == "folder":
            write_folder(raw / name, files)
        elif request.param == "zip":
            write_zip(raw / f"{name}.zip", files)
        else:
            write_tar(raw / f"{name}.{request.param}", files)
        return raw

    return write


@pytest.fixture
def read() -> Callable[[str, Path, str], list[Example]]:
    """Reads a split of a corpus whose rows were written for a test, so without its pins."""

    def read_unverified(name: str, data_dir: Path, split: str) -> list[Example]:
        corpus = corpora.get(name)
        return read_split(corpus, find_source(corpus, data_dir), split, verify=False)

    return read_unverified
