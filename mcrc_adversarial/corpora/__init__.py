"""Corpora: raw files -> `Example`. One file a corpus (or a family that shares its raw form).

To add a corpus, write one file here that calls `corpora.register(Corpus(...))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mcrc_adversarial.example import Example
from mcrc_adversarial.registry import Registry


@dataclass(frozen=True, slots=True)
class RawFile:
    """One raw file, read whole.

    Attributes:
        path: where it stands, with `/` between parts; for a member of an archive, the archive's
            path, `!`, and the member's. For messages and for facts that only the name tells.
        content: its bytes.
    """

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Licence:
    """What a corpus's licence allows.

    Attributes:
        name: as the authors name it, or "none stated".
        url: where its text is, or the corpus's page where there is none.
        redistribution: whether attacked versions may be published by anyone.
        notice: what a published copy must say, empty where nothing.
    """

    name: str
    url: str
    redistribution: bool
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """One file at a published address.

    Attributes:
        url: the address.
        sha256: digest of the file, 64 hex digits.
        filename: the name to keep it under; its ending tells archives from plain files.
    """

    url: str
    sha256: str
    filename: str


@dataclass(frozen=True, slots=True)
class Pin:
    """What a split must hold.

    Attributes:
        passages: number of different passages ids.
        questions: number of questions.
        digest: `mcrc_adversarial.corpora.digest_examples` of its examples, 64 hex digits; empty
            only where nobody of this project has seen the split yet (then counts alone are checked).
    """

    passages: int
    questions: int
    digest: str


Reader = Callable[[Sequence[RawFile], str], Iterator[Example]]


@dataclass(frozen=True)
class Corpus:
    """A corpus and how to read it.

    Attributes:
        name: kebab-case; the config name of the original.
        title: the name in prose, with the publication.
        version: raised whenever a row would change; part of the cache fingerprint.
        splits: for each split that exists, regular expressions (searched, ignoring case, in the
            path relative to where the search began) of its raw files.
        read: (raw files of one split, sorted by path; the split's name) -> examples in the order
            that every config of the corpus keeps.
        row_order: that order, in words.
        n_options: options per question, in words ("4").
        facts: name -> dtype of the corpus's own columns ("string", "int64", "float64", "bool",
            or "list<string>" and so on).
        hints: words of which one must stand in the path of an archive (ignoring case) before it
            is opened, and which decide between files that fit equally well.
        rivals: words that mark a path as another corpus's, for corpora with equal file names.
        pins: split -> what it must hold.
        licence: what may be done with it.
        downloads: the published files; empty where there is no address that a program may use.
        homepage: where a person gets the corpus.
        citation: BibTeX.
        bundled: folder inside the package that holds the raw files, for a shipped corpus.
    """

    name: str
    title: str
    version: int
    splits: Mapping[str, tuple[str, ...]]
    read: Reader
    row_order: str
    n_options: str
    licence: Licence
    homepage: str
    citation: str
    pins: Mapping[str, Pin] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    downloads: tuple[Download, ...] = ()
    bundled: Path | None = None


corpora: Registry[Corpus] = Registry("corpus", __name__)
