"""Corpora: raw files -> `Example`. One file a corpus (or a family that shares its raw form).

To add a corpus, write one file here that calls `corpora.register(Corpus(...))`.
"""

from __future__ import annotations

from mcrc_adversarial.corpora._contract import Corpus, Download, Licence, Pin, RawFile, Reader
from mcrc_adversarial.corpora._download import cache_folder, fetch, is_complete
from mcrc_adversarial.corpora._files import DATA_DIR_VARIABLE
from mcrc_adversarial.corpora._files import find as find_source
from mcrc_adversarial.corpora._source import Source
from mcrc_adversarial.corpora._splits import digest_examples, left_out, measure, read_split
from mcrc_adversarial.corpora._votes import VOTE_FACTS, name_of
from mcrc_adversarial.registry import Registry

__all__ = [
    "DATA_DIR_VARIABLE",
    "VOTE_FACTS",
    "Corpus",
    "Download",
    "Licence",
    "Pin",
    "RawFile",
    "Reader",
    "Source",
    "cache_folder",
    "corpora",
    "digest_examples",
    "fetch",
    "find_source",
    "is_complete",
    "left_out",
    "measure",
    "name_of",
    "read_split",
]

corpora: Registry[Corpus] = Registry("corpus", __name__)
