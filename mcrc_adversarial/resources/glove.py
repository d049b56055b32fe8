"""GloVe 6B, 100 dimensions (Pennington et al. 2014): the word vectors of AdvRACE's AddSent.

Looked for among what `mcrc-adversarial resources --fetch glove` brought, and as `glove.6B.zip` or
`glove.6B.100d.txt` in the folder that MCRC_DATA_DIR names.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from mcrc_adversarial.corpora import DATA_DIR_VARIABLE, Download, cache_folder
from mcrc_adversarial.digests import steady_digest
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._fetching import fetch_resource
from mcrc_adversarial.resources._vectors import VectorNeighbours

_DIMENSIONS = 100
_ARCHIVE, _TEXT = "glove.6B.zip", "glove.6B.100d.txt"
# The digest that Keras, Embeddings.jl and others pin.
_DOWNLOAD = Download(
    url="https://downloads.cs.stanford.edu/nlp/data/glove.6B.zip",
    sha256="617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
    filename="glove/glove.6B.zip",
)
_VERSION, _N_WORDS = "6B.100d", 400_000
# Characters of what pyarrow says, which may quote a whole line.
_LONGEST = 120
_COLUMNS = {"word": pa.string(), **dict.fromkeys(map(str, range(_DIMENSIONS)), pa.float32())}


def _places() -> Iterator[Path]:
    yield cache_folder() / _DOWNLOAD.filename
    if folder := os.environ.get(DATA_DIR_VARIABLE):
        yield from (Path(folder, name) for name in (_ARCHIVE, _TEXT))


def _find() -> Found | None:
    for path in _places():
        if path.is_file():
            digest, version = steady_digest(path), _VERSION
            if path.suffix == ".txt":
                with path.open("rb") as file:
                    _check_count(sum(1 for _ in file), _N_WORDS, str(path))
            else:
                _check_archive(path)
                if digest != _DOWNLOAD.sha256:
                    version += ", not the published archive"
            return Found(version, digest, str(path), partial(_load, path))
    return None


def _check_count(found: int, expected: int, where: str) -> None:
    # A file that was cut at the end of a line looks whole.
    if found != expected:
        raise _broken(where, f"it has {found:,} words instead of {expected:,}")


def _check_archive(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            if _TEXT in archive.namelist():
                return
        problem = f"it holds no {_TEXT}"
    except zipfile.BadZipFile as error:
        problem = f"it is no zip archive ({error})"
    raise _broken(path, problem)


def _load(path: Path) -> VectorNeighbours:
    if path.suffix == ".txt":
        with path.open("rb") as file:
            return read_vectors(file, str(path), _N_WORDS)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(_TEXT) as file:
            return read_vectors(file, f"{path}, {_TEXT}", _N_WORDS)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _broken(path, f"{_TEXT} in it cannot be unpacked ({error})") from error


def read_vectors(file: IO[bytes], where: str, n_words: int | None = None) -> VectorNeighbours:
    """Read a word and its numbers a line.

    Args:
        file: of lines in UTF-8.
        where: it is, for messages.
        n_words: how many lines it must have; None for any number.

    Raises:
        ResourceError: a line has another number of numbers, or something that is no number, or
            there are more or fewer lines.
    """
    words: list[str] = []
    parts: list[NDArray[np.float32]] = []
    try:
        for batch in _batches(file):
            words += batch.column(0).to_pylist()
            parts.append(np.stack([column.to_numpy() for column in batch.columns[1:]], axis=1))
    except pa.ArrowInvalid as error:
        raise _broken(where, " ".join(str(error).split())[:_LONGEST]) from error
    if n_words is not None:
        _check_count(len(words), n_words, where)
    vectors = np.concatenate(parts)
    strange = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(strange):
        problem = f"line {strange[0] + 1}, word {words[strange[0]]!r}: a number is not finite"
        raise _broken(where, problem)
    return VectorNeighbours(words, vectors)


def _batches(file: IO[bytes]) -> csv.CSVStreamingReader:
    return csv.open_csv(
        file,
        # One thread knows the numbers of the lines.
        csv.ReadOptions(column_names=list(_COLUMNS), use_threads=False),
        csv.ParseOptions(delimiter=" ", quote_char=False),
        csv.ConvertOptions(column_types=_COLUMNS, null_values=[], strings_can_be_null=False),
    )


def _broken(where: object, problem: str) -> ResourceError:
    return ResourceError(
        f"{where} is broken: {problem}; remove it and run: {_COMMAND},"
        " or give neighbours=bundled:minilm"
    )


_COMMAND = "mcrc-adversarial resources --fetch glove"
resources.register(
    Resource(
        name="glove",
        what="near words, GloVe 6B with 100 dimensions, 862 MB",
        licence="PDDL 1.0",
        command=_COMMAND,
        find=_find,
        fetch=partial(fetch_resource, _DOWNLOAD, (_ARCHIVE, _TEXT)),
        instead="neighbours=bundled:minilm does without it",
    )
)
