r"""Passages that paper C's file may not carry, from the training files of their own corpora.

The keys are those of its authors: `race/train/high/1.txt`, MCTest's story id, `reclor_<id_string>`.
MCTest's fields are cut at tabs alone, as in `mc160`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from mcrc_adversarial.corpora._contract import RawFile
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.records import Record, as_list, parse_json

_RACE = re.compile(r"(?:^|/)(train/(?:middle|high)/\d+\.txt)$", re.IGNORECASE)
# A story's id, its properties, the story.
_STORY = 2


def passages_of(keys: Collection[str], files: Sequence[RawFile]) -> dict[str, str]:
    """The passages that the files hold of those that are asked for, by their keys.

    Raises:
        DataError: a file that should hold one is broken.
    """
    found: dict[str, str] = {}
    for file in files:
        path = file.path.lower()
        if place := _RACE.search(path):
            # Of 25,000 files a few hundred are wanted.
            key = f"race/{place.group(1)}"
            if key in keys:
                where = f"file {file.path!r}"
                found[key] = Record(parse_json(file.text(), where), where).text("article")
        elif path.endswith(".train.tsv"):
            found.update((key, text) for key, text in _stories(file) if key in keys)
        elif path.endswith("train.json"):
            found.update((key, text) for key, text in _contexts(file) if key in keys)
    return found


def _stories(file: RawFile) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(file.text().removesuffix("\n").split("\n"), start=1):
        fields = line.split("\t")
        if len(fields) <= _STORY:
            msg = f"file {file.path!r}, line {number}: {len(fields)} fields, expected a story"
            raise DataError(msg)
        yield fields[0], fields[_STORY].replace(r"\newline", "\n").replace(r"\tab", "\t")


def _contexts(file: RawFile) -> Iterator[tuple[str, str]]:
    where = f"file {file.path!r}"
    for number, value in enumerate(as_list(parse_json(file.text(), where), where)):
        record = Record(value, f"{where}, record {number}")
        yield f"reclor_{record.text('id_string')}", record.text("context")
