"""Candidates: texts that a model wrote down beforehand, from which an attack chooses distractors.

A candidates file is JSON Lines. Its first line is the lineage: which checkpoint, at which
revision, computing in which number type, with which settings and versions, was asked about which
questions. Each other line holds one question's candidates, the best first. Lines are found by the
text of passage and question, so that one file serves every config with the same questions. The
attack itself needs no model: the same file gives the same rows everywhere.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.example import Example

FORMAT = 1
_LOG = logging.getLogger(__name__)


class Task(NamedTuple):
    """What a model is asked for.

    Attributes:
        name: of the task.
        attack: that chooses among the candidates.
        parameter: of the attack; it names the file.
    """

    name: str
    attack: str
    parameter: str


SPANS = Task("span-extraction", "distractor-extraction", "spans")
GENERATED = Task("distractor-generation", "distractor-generation", "generated")
TASKS: Mapping[str, Task] = MappingProxyType({task.name: task for task in (SPANS, GENERATED)})


def content_key(passage: str, question: str) -> str:
    """What a question is found by: 32 hex digits of its passage and its own text."""
    content = json.dumps([passage, question]).encode("utf-8")
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@dataclass(frozen=True)
class CandidateFile:
    """A candidates file that was read.

    Attributes:
        path: of the file.
        sha256: of its content.
        lineage: its first line.
        texts: content key -> candidates, the best first.
    """

    path: str
    sha256: str
    lineage: Mapping[str, Any]
    texts: Mapping[str, tuple[str, ...]]

    @property
    def source(self) -> str:
        """Checkpoint and revision, in short."""
        return f"{self.lineage['model']}@{str(self.lineage['revision'])[:12]}"

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that were asked about; none where the questions came from a file."""
        return tuple(self.lineage["splits"])

    @property
    def identity(self) -> str:
        """What rows depend on, for fingerprints and cards: never the file's place."""
        facts = self.lineage
        return (
            f"{facts['model']}, revision {facts['revision']}, {facts['dtype']}, seed"
            f" {facts['seed']}, sha256 {self.sha256}"
        )

    def covered(self, found: Sequence[str], config: str) -> list[str]:
        """The splits among those found that were asked about; a note names the others.

        Args:
            found: splits of the corpus; all count where the questions came from a file.
            config: which is made, for the note.

        Raises:
            ResourceError: none was.
        """
        kept = [split for split in found if not self.splits or split in self.splits]
        if not kept:
            msg = (
                f"config {config!r}: {self.path} has candidates of {', '.join(self.splits)} alone,"
                f" but here are {', '.join(found) or 'no splits'}; make candidates for these"
            )
            raise ResourceError(msg)
        if left_out := ", ".join(split for split in found if split not in kept):
            _LOG.warning(
                "%s: %s has candidates of %s alone; left out: %s",
                config,
                self.path,
                ", ".join(self.splits),
                left_out,
            )
        return kept

    def of(self, example: Example) -> tuple[str, ...]:
        """The candidates of a question, the best first.

        Raises:
            ResourceError: the file has none for it.
        """
        try:
            return self.texts[content_key(example.passage, example.question)]
        except KeyError:
            splits = ", ".join(self.splits) or "no split"
            msg = (
                f"record {example.id!r}: {self.path} has no candidates for it; the file is of"
                f" {self.lineage['corpus']} ({splits}, limit {self.lineage['limit']}): make"
                " candidates for all questions that are attacked"
            )
            raise ResourceError(msg) from None

    def among(self, examples: Sequence[Example], config: str) -> list[Example]:
        """The questions that there are candidates for; a note counts the others.

        Args:
            examples: to choose from.
            config: which is made, for the note.

        Raises:
            ResourceError: there are candidates for none of them.
        """
        found = [one for one in examples if content_key(one.passage, one.question) in self.texts]
        if examples and not found:
            self.check(examples)
        if len(found) < len(examples):
            _LOG.warning(
                "%s: %s has candidates for %d of %d questions; drawn among these",
                config,
                self.path,
                len(found),
                len(examples),
            )
        return found

    def check(self, examples: Iterable[Example]) -> None:
        """Raise unless there are candidates for each question.

        Raises:
            ResourceError: there are none for one; the message names it.
        """
        for example in examples:
            self.of(example)


def read(path: str, task: Task) -> CandidateFile:
    """Read a candidates file; it is remembered as long as its size and time stay the same.

    Args:
        path: of the file; empty where none was given.
        task: that the attack needs candidates of.

    Raises:
        ResourceError: none was given, there is none, it is of another task, or it is broken.
    """
    if not path:
        msg = (
            f"attack {task.attack!r} chooses among candidates that a model makes beforehand; make"
            f" them with: mcrc-adversarial candidates CORPUS --task {task.name} --model CHECKPOINT"
            f" --output FILE; then give {task.parameter}=FILE"
        )
        raise ResourceError(msg)
    try:
        status = Path(path).stat()
    except OSError as error:
        msg = f"{task.parameter} is {path!r}: cannot be read ({error.strerror or error})"
        raise ResourceError(msg) from error
    found = _read(path, status.st_size, status.st_mtime_ns)
    if found.lineage["task"] != task.name:
        msg = (
            f"{task.parameter} is {path!r}, which holds candidates of {found.lineage['task']!r};"
            f" those of {task.name!r} are needed"
        )
        raise ResourceError(msg)
    return found


# A file for each attack, and one more of each for another corpus.
@lru_cache(maxsize=4)
def _read(path: str, _size: int, _modified: int) -> CandidateFile:
    try:
        lines = Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: cannot be read ({error})"
        raise ResourceError(msg) from error
    lineage = parse_lineage(lines[0], f"{path}, line 1")
    texts = dict(parse_questions(lines[1:], path))
    if len(texts) != lineage["questions"] or len(lines) - 1 != lineage["questions"]:
        msg = (
            f"{path}: {len(lines) - 1} questions, but its first line says"
            f" {lineage['questions']}; the file was cut or altered, make it again"
        )
        raise ResourceError(msg)
    return CandidateFile(path, file_digest(Path(path)), lineage, texts)


_LINEAGE = {
    "format": int,
    "task": str,
    "model": str,
    "revision": str,
    "dtype": str,
    "seed": int,
    "corpus": str,
    "splits": list,
    "limit": int,
    "questions": int,
}


def parse_lineage(line: str, place: str) -> Mapping[str, Any]:
    """The lineage that a line holds.

    Raises:
        ResourceError: it holds none, or one of another format.
    """
    try:
        found = json.loads(line)
        # A half of a character that has two cannot be written anywhere.
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        found = None
    is_right = isinstance(found, dict) and all(
        type(found.get(name)) is kind for name, kind in _LINEAGE.items()
    )
    if not is_right or found["format"] != FORMAT:
        msg = f"{place}: this is no lineage of format {FORMAT}; give a file that `candidates` wrote"
        raise ResourceError(msg)
    assert isinstance(found, dict)
    return found


def parse_questions(lines: Iterable[str], path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Content key and candidates of each line behind the lineage.

    Raises:
        ResourceError: a line holds none.
    """
    for number, line in enumerate(lines, start=2):
        try:
            row = json.loads(line)
            texts = tuple(one["text"] for one in row["candidates"])
            # Fails where one is no text, or no text that can be written.
            "".join(texts).encode("utf-8")
            is_right = isinstance(row["key"], str)
        except (ValueError, RecursionError, KeyError, TypeError):
            is_right = False
        if not is_right:
            msg = f"{path}, line {number}: this is no question with candidates; make the file again"
            raise ResourceError(msg)
        yield row["key"], texts
