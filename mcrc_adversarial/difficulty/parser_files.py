"""Surprisals of Roark's incremental parser (Roark et al. 2009), as paper C takes them.

`bin/tdparse -p` prints a line of columns a word: `pfix-The`, prefix probability, total surprisal
(`srprsl`), syntactic (`nolex`) and lexical (`lex`), and others. Its input is one sentence a line;
`parser_input` writes it, and the output is set beside the same sentences again. Averages are over
words, which the paper does not state; tokens of punctuation and the ends of sentences are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.words import sentences, words

_LINE = re.compile(r"^pfix([-+:])(\S*)\s+(.*)$")
_SYNTACTIC, _LEXICAL = 2, 3


class Surprisal(NamedTuple):
    """Means over the words of a passage, in the parser's unit (natural logarithm)."""

    syntactic: float
    lexical: float


class _Word(NamedTuple):
    text: str
    syntactic: float
    lexical: float


def passages_of(examples: Sequence[Example]) -> dict[str, str]:
    """Each passage once, by its id, in order."""
    return {example.passage_id: example.passage for example in examples}


def tokenised(passage: str) -> list[list[str]]:
    """The sentences of a passage, cut into words and marks."""
    return [found for one in sentences(passage) if (found := words(one))]


def parser_input(examples: Sequence[Example]) -> str:
    """What the parser is to read: one sentence a line, words between spaces."""
    passages = passages_of(examples).values()
    return "".join(f"{' '.join(one)}\n" for text in passages for one in tokenised(text))


def read_parser(path: Path, examples: Sequence[Example]) -> Mapping[str, Surprisal]:
    """The parser's output on `parser_input` of the same examples: passage id -> surprisals.

    Raises:
        DataError: the file cannot be read, or its words are not those of the passages.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"output of the parser {str(path)!r} cannot be read: {error}"
        raise DataError(msg) from error
    found = _words(text, path)
    result = {}
    for passage_id, passage in passages_of(examples).items():
        kept = []
        for token in (token for sentence in tokenised(passage) for token in sentence):
            word = _next(found, token, path, passage_id)
            if any(map(str.isalnum, token)):
                kept.append(word)
        if kept:
            result[passage_id] = Surprisal(
                sum(one.syntactic for one in kept) / len(kept),
                sum(one.lexical for one in kept) / len(kept),
            )
    if (rest := next(found, None)) is not None:
        msg = f"file {str(path)!r}: after the last passage comes {rest.text!r}; parse the same file"
        raise DataError(msg)
    return result


def _next(found: Iterator[_Word], token: str, path: Path, passage_id: str) -> _Word:
    word = next(found, None)
    if word is None or word.text != token:
        given = "nothing" if word is None else repr(word.text)
        msg = (
            f"file {str(path)!r}: {given} stands where {token!r} of passage {passage_id!r} should;"
            " parse what --write-parser-input wrote, with tdparse -p"
        )
        raise DataError(msg)
    return word


def _words(text: str, path: Path) -> Iterator[_Word]:
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line.strip())
        # Headings, trees, and the end of a sentence (`</s>`) are no words.
        if match is None or match.group(2) in ("", "</s>") or _is_heading(match):
            continue
        where, word = f"file {str(path)!r}, line {number}", match.group(2)
        try:
            values = [float(one) for one in match.group(3).split()]
            parts = values[_SYNTACTIC], values[_LEXICAL]
        except (ValueError, IndexError) as error:
            msg = f"{where}: no surprisals behind {word!r}"
            raise DataError(msg) from error
        if not all(map(math.isfinite, parts)):
            msg = f"{where}: a surprisal of {word!r} is not finite: {match.group(3)!r}"
            raise DataError(msg)
        yield _Word(word, *parts)


def _is_heading(match: re.Match[str]) -> bool:
    """Names of columns follow it; numbers follow the word `header` of a passage."""
    return match.group(2) == "header" and match.group(3)[:1].isalpha()
