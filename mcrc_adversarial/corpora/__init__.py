"""Corpora: raw files -> `Example`. One file a corpus (or a family that shares its raw form).

To add a corpus, write one file here that calls `corpora.register(Corpus(...))`.
"""

from __future__ import annotations

from mcrc_adversarial.corpora._contract import Corpus, Download, Licence, Pin, RawFile, Reader
from mcrc_adversarial.corpora._files import find as find_source
from mcrc_adversarial.corpora._source import Source
from mcrc_adversarial.corpora._splits import digest_examples, left_out, measure, read_split
from mcrc_adversarial.registry import Registry

__all__ = [
    "Corpus",
    "Download",
    "Licence",
    "Pin",
    "RawFile",
    "Reader",
    "Source",
    "corpora",
    "digest_examples",
    "find_source",
    "left_out",
    "measure",
    "read_split",
]

corpora: Registry[Corpus] = Registry("corpus", __name__)
