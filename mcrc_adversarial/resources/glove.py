"""GloVe 6B, 100 dimensions (Pennington et al. 2014): the word vectors of AdvRACE's AddSent.

Looked for among what `mcrc-adversarial resources --fetch glove` brought, and as `glove.6B.zip` or
`glove.6B.100d.txt` in the folder that MCRC_DATA_DIR names.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from mcrc_adversarial.corpora._contract import Download
from mcrc_adversarial.corpora._download import cache_folder, fetch
from mcrc_adversarial.corpora._files import DATA_DIR_VARIABLE
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._digests import file_digest
from mcrc_adversarial.resources._vectors import VectorNeighbours

_DIMENSIONS = 100
_TEXT = "glove.6B.100d.txt"
# The digest that Keras, Embeddings.jl and others pin.
_DOWNLOAD = Download(
    url="https://downloads.cs.stanford.edu/nlp/data/glove.6B.zip",
    sha256="617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
    filename="glove/glove.6B.zip",
)


def _places() -> Iterator[Path]:
    yield cache_folder() / _DOWNLOAD.filename
    if folder := os.environ.get(DATA_DIR_VARIABLE):
        yield from (Path(folder, name) for name in ("glove.6B.zip", _TEXT))


def _find() -> Found | None:
    for path in _places():
        if path.is_file():
            return Found("6B.100d", file_digest(path), str(path), partial(_load, path))
    return None


def _load(path: Path) -> VectorNeighbours:
    if path.suffix == ".txt":
        with path.open(encoding="utf-8") as lines:
            return read_vectors(lines, str(path))
    with zipfile.ZipFile(path) as archive, archive.open(_TEXT) as member:
        return read_vectors(io.TextIOWrapper(member, encoding="utf-8"), str(path))


def read_vectors(lines: Iterable[str], where: str) -> VectorNeighbours:
    """Read a word and its numbers a line.

    Raises:
        ResourceError: a line has another number of numbers.
    """
    words: list[str] = []
    rows: list[np.ndarray] = []
    for line in lines:
        word, _, numbers = line.rstrip("\n").partition(" ")
        row = np.array(numbers.split(" "), dtype=np.float32)
        if len(row) != _DIMENSIONS:
            msg = f"{where}, word {word!r}: {len(row)} numbers, expected {_DIMENSIONS}"
            raise ResourceError(msg)
        words.append(word)
        rows.append(row)
    return VectorNeighbours(words, np.stack(rows))


resources.register(
    Resource(
        name="glove",
        what="near words, GloVe 6B with 100 dimensions, 862 MB",
        licence="PDDL 1.0",
        command="mcrc-adversarial resources --fetch glove",
        find=_find,
        fetch=partial(fetch, (_DOWNLOAD,)),
    )
)
