"""Reading one split of a corpus, with everything checked that a corpus promises."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mcrc_adversarial.collecting import seldom_collected
from mcrc_adversarial.corpora._contract import Corpus, Pin, Reader
from mcrc_adversarial.corpora._source import Source
from mcrc_adversarial.errors import DataError, VerificationError
from mcrc_adversarial.example import Example, Fact

_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)
_DTYPES: dict[str, type] = {"string": str, "int64": int, "float64": float, "bool": bool}

_Key = tuple[str, int, str, str, Reader]


class _Read(NamedTuple):
    """What was read of a split: the pin that it fulfils, and the questions left out by source."""

    examples: list[Example]
    found: Pin
    left_out: Mapping[str, int]


# Forked workers inherit what their parent has read.
_read_before: dict[_Key, _Read] = {}


def digest_examples(examples: Iterable[Example]) -> str:
    """SHA-256 (64 hex digits) over the examples, in order, one canonical JSON line each.

    A line is the array [id, passage_id, passage, question, options, label, facts], without spaces,
    the keys of facts sorted, in UTF-8.

    >>> digest_examples([Example("t/1-0", "t/1", "Ice.", "Cold?", ("Yes", "No"), 0)])[:16]
    'a9a31ec381cc3f15'
    """
    digest = hashlib.sha256()
    passage, encoded = "", '""'
    for example in examples:
        # Questions on one passage stand together, and it is nearly all of the line.
        if example.passage != passage:
            passage, encoded = example.passage, _CANONICAL.encode(example.passage)
        ids = _CANONICAL.encode([example.id, example.passage_id])
        rest = _CANONICAL.encode(
            [example.question, example.options, example.label, dict(example.facts)]
        )
        digest.update(f"{ids[:-1]},{encoded},{rest[1:]}\n".encode())
    return digest.hexdigest()


def digest_ids(examples: Iterable[Example]) -> str:
    """SHA-256 (64 hex digits) over the sorted ids, one a line, in UTF-8."""
    ids = sorted(example.id for example in examples)
    return hashlib.sha256("".join(f"{one}\n" for one in ids).encode()).hexdigest()


def measure(examples: Sequence[Example]) -> Pin:
    """The pin that these examples fulfil."""
    passages = len({example.passage_id for example in examples})
    return Pin(passages, len(examples), digest_examples(examples))


def read_split(
    corpus: Corpus,
    source: Source,
    split: str,
    *,
    verify: bool = True,
    skip_incomplete: bool = False,
) -> list[Example]:
    """The examples of one split, checked, in the order that every config of the corpus keeps.

    What was read once is kept for the life of the process.

    Args:
        corpus: how to read.
        source: where its raw files are.
        split: name of a split whose files are there.
        verify: whether to check them against the corpus's pin, where it has one for the split;
            unverified, incomplete questions are left out too.
        skip_incomplete: whether to leave out the questions whose parts are not there, which are
            else an error; `left_out` counts them, and they count for the pin.

    Raises:
        CorpusNotFoundError: the source has no files of the split.
        DataError: a raw file or an example breaks a contract.
        VerificationError: the examples are not the published ones.
    """
    read = _read(corpus, source, split, is_partial=skip_incomplete or not verify)
    if verify and (pin := corpus.pins.get(split)):
        _verify(corpus, split, read, pin)
    return list(read.examples)


def left_out(corpus: Corpus, source: Source, split: str) -> Mapping[str, int]:
    """How many questions of each source have parts that are not there; empty where none.

    Raises:
        CorpusNotFoundError: the source has no files of the split.
        DataError: a raw file or an example breaks a contract.
    """
    return _read(corpus, source, split, is_partial=True).left_out


@seldom_collected()
def _read(corpus: Corpus, source: Source, split: str, *, is_partial: bool) -> _Read:
    reader = corpus.read_partial if is_partial and corpus.read_partial else corpus.read
    key = (corpus.name, corpus.version, source.fingerprint, split, reader)
    if key not in _read_before:
        files = source.read(split)
        examples = list(reader(files, split))
        _check(corpus, split, examples)
        count = corpus.count_partial if is_partial else None
        counted = {} if count is None else count(files)
        _read_before[key] = _Read(examples, measure(examples), counted)
    return _read_before[key]


def _verify(corpus: Corpus, split: str, read: _Read, pin: Pin) -> None:
    differs = []
    found, n_left_out = read.found, sum(read.left_out.values())
    if found.questions + n_left_out != pin.questions:
        and_out = f" and {n_left_out} left out" if n_left_out else ""
        differs.append(f"{found.questions} questions{and_out} instead of {pin.questions}")
    # Of a part, neither the passages nor the digest are known.
    if not n_left_out and pin.passages is not None and found.passages != pin.passages:
        differs.append(f"{found.passages} passages instead of {pin.passages}")
    if not n_left_out and pin.digest and found.digest != pin.digest:
        differs.append(f"digest {found.digest} instead of {pin.digest}")
    # Where counts differ, ids do so too.
    if not differs and pin.ids and digest_ids(read.examples) != pin.ids:
        differs.append("some ids are not those of its questions, and some of these are missing")
    if differs:
        msg = (
            f"corpus {corpus.name!r}, split {split!r} is not the published one:"
            f" {'; '.join(differs)}; fetch it again from {corpus.homepage}, or go on with"
            " allow_unverified=True (--allow-unverified)"
        )
        raise VerificationError(msg)


def _check(corpus: Corpus, split: str, examples: Sequence[Example]) -> None:
    where = f"corpus {corpus.name!r}, split {split!r}"
    if not examples:
        msg = f"{where} holds no question; expected: {corpus.layout or corpus.row_order}"
        raise DataError(msg)
    ids: set[str] = set()
    first_on: dict[str, Example] = {}
    for example in examples:
        if example.id in ids:
            msg = f"{where}: two questions have the id {example.id!r}; ids must be unique"
            raise DataError(msg)
        ids.add(example.id)
        first = first_on.setdefault(example.passage_id, example)
        if first.passage != example.passage:
            msg = (
                f"{where}: records {first.id!r} and {example.id!r} share the passage_id"
                f" {example.passage_id!r}, but not the passage"
            )
            raise DataError(msg)
        _check_facts(corpus, where, example)


def _check_facts(corpus: Corpus, where: str, example: Example) -> None:
    if example.facts.keys() != corpus.facts.keys():
        msg = (
            f"{where}, record {example.id!r}: its facts are {sorted(example.facts)}; the corpus"
            f" declares {sorted(corpus.facts)}"
        )
        raise DataError(msg)
    for name, dtype in corpus.facts.items():
        value = example.facts[name]
        if value is not None and not _has_dtype(value, dtype):
            msg = f"{where}, record {example.id!r}: fact {name!r} is {value!r}, not a {dtype}"
            raise DataError(msg)


def _has_dtype(value: Fact, dtype: str) -> bool:
    if dtype.startswith("list<"):
        inner = _DTYPES[dtype.removeprefix("list<").removesuffix(">")]
        return isinstance(value, list) and all(type(item) is inner for item in value)
    return type(value) is _DTYPES[dtype]
