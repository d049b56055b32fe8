"""What a corpus is made of: the dataclasses that every corpus file fills in."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example


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

    def text(self) -> str:
        r"""The content as text: UTF-8, without a byte-order mark, every line end as `\n`.

        Raises:
            DataError: it is not UTF-8; the message has the offset of the first wrong byte.
        """
        mark = len(codecs.BOM_UTF8) if self.content.startswith(codecs.BOM_UTF8) else 0
        try:
            text = self.content[mark:].decode("utf-8")
        except UnicodeDecodeError as error:
            offset = mark + error.start
            msg = (
                f"file {self.path!r} is not UTF-8: byte 0x{self.content[offset]:02x} at offset"
                f" {offset}; save it as UTF-8"
            )
            raise DataError(msg) from error
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


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
        sha256: digest of the file, 64 hex digits; empty only where nobody of this project has seen
            the file yet, and then the address must name a commit, which fixes the content.
        filename: where to keep it below the cache's folder, with `/` between parts; corpora that
            name the same place share the file. Its ending tells archives from plain files.
    """

    url: str
    sha256: str
    filename: str


@dataclass(frozen=True, slots=True)
class Pin:
    """What a split must hold.

    Attributes:
        passages: number of different passage ids; None only where nobody of this project has seen
            the split and its texts without questions are not counted in print.
        questions: number of questions.
        digest: `mcrc_adversarial.corpora.digest_examples` of its examples, 64 hex digits; empty
            only where nobody of this project has seen the split yet (then counts and ids count).
        ids: `mcrc_adversarial.corpora._splits.digest_ids` of a split that nobody of this project
            has seen, but whose questions are known to be another's; empty for others.
    """

    passages: int | None
    questions: int
    digest: str
    # Left out where pins are printed to be copied: almost none has it.
    ids: str = field(default="", repr=False)


Reader = Callable[[Sequence[RawFile], str], Iterator[Example]]


@dataclass(frozen=True)
class Corpus:
    """A corpus and how to read it.

    Attributes:
        name: kebab-case; the config name of the original.
        title: the name in prose, with the publication.
        version: raised whenever a row would change; part of the cache fingerprint.
        splits: for each split that exists, regular expressions (searched, ignoring case, in the
            path relative to where the search began, with the name of that folder in front) of its
            raw files. Each must fit at least one file. What one matches is the file's identity:
            the same match in two places must be the same bytes.
        read: (raw files of one split, in natural order of what their pattern matched; the split's
            name) -> examples in the order that every config of the corpus keeps.
        row_order: that order, in words.
        n_options: options per question, in words ("4").
        facts: name -> dtype of the corpus's own columns ("string", "int64", "float64", "bool",
            or "list<string>" and so on). Every example has every one, null where unknown.
        hints: words of which one must stand in the path of an archive (ignoring case) before it
            is opened, and which decide between files that fit equally well.
        rivals: words that mark a path as another corpus's, for corpora with equal file names.
            The deepest part of the path that holds a hint or a rival decides, in it the longest.
        pins: split -> what it must hold.
        licence: what may be done with it.
        downloads: the published files; empty where there is no address that a program may use.
        homepage: where a person gets the corpus.
        citation: BibTeX.
        bundled: folder inside the package that holds the raw files, for a shipped corpus.
        layout: the raw files in words, for messages ("RACE/{train,dev,test}/...").
        original: name of the corpus whose questions, under the same ids, this one has altered.
        scored_against: names of corpora, the first choice first, on whose questions, under the same
            ids, this one is an attack: where one of them is scored in the same run, this one's drop
            is measured against it.
        cluster: the column whose equal values mark rows on the same article: what intervals draw.
            Other than `passage_id` where a corpus has several versions of an article.
        joins: patterns, as in `splits`, of other corpora's files from which the reader takes parts
            that this one may not carry; they go to the reader of every split, as far as they are
            there.
        read_partial: as `read`, but leaves out the questions whose parts are not there, which
            `read` refuses; the reader wherever that is asked for, or unverified files are allowed.
        count_partial: (raw files of one split) -> how many questions of each source that leaves
            out; goes with `read_partial`.
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
    layout: str = ""
    original: str = ""
    scored_against: tuple[str, ...] = ()
    cluster: str = "passage_id"
    joins: tuple[str, ...] = ()
    read_partial: Reader | None = None
    count_partial: Callable[[Sequence[RawFile]], Mapping[str, int]] | None = None
