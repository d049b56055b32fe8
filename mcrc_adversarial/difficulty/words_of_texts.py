"""Counting the words of a passage: how many, how readable, how frequent.

A word here holds a letter or digit; a contraction ("isn't"), a number ("1,000", "3.5") and initials
("U.S.") are one each, which `mcrc_adversarial.words` cuts.

Flesch-Kincaid grade = 0.39 words/sentences + 11.8 syllables/words - 15.59, on the sentences of
sentencex. Syllables are counted by the package `readability` (vowel groups, with corrections), at
least one a word: left alone it counts none in `the` and `it`. What counted the paper's is not
known.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.words import sentences, words

_MILLION = 1_000_000
# What `words` cuts from a word: 's, n't and the like.
_CONTRACTED = re.compile(r"(n?['\u2019])[^\W_]+", re.IGNORECASE)
# Groups of a number, initials, o'clock: pieces with the one mark between them.
_JOINED = re.compile(r"\d+[.,]\d+|[^\W\d_]\.[^\W\d_]|[^\W_]+['\u2019][^\W_]+")
# Word -> occurrences in a million words; 0 for one that the list lacks.
Frequency = Callable[[str], float]


def plain_words(text: str) -> list[str]:
    """The words that hold a letter or digit: punctuation marks do not count, as in paper C.

    >>> plain_words("In the U.S., he doesn't have 1,000.")
    ['In', 'the', 'U.S', 'he', "doesn't", 'have', '1,000']
    """
    return [word for piece in text.split() for word in _of_piece(piece)]


@lru_cache(maxsize=1 << 17)
def _of_piece(piece: str) -> tuple[str, ...]:
    """The words of a text without spaces; what stands side by side in it may belong together."""
    found: list[str] = []
    cut = words(piece)
    for place, word in enumerate(cut):
        if not any(map(str.isalnum, word)):
            continue
        if found and _CONTRACTED.fullmatch(word):
            found[-1] += word
        elif found and place > 1 and _JOINED.fullmatch("".join(cut[place - 2 : place + 1])):
            found[-1] += cut[place - 1] + word
        else:
            found.append(word)
    return tuple(found)


def grade(text: str) -> float | None:
    """Flesch-Kincaid grade level; None for a text without words.

    >>> round(grade("The cat sat on the mat. It was happy."), 2)
    -0.72
    """
    from readability.langdata import LANGDATA

    syllables_of = LANGDATA["en"]["syllables"]
    lines = [found for one in sentences(text) if (found := plain_words(one))]
    n_words = sum(map(len, lines))
    if not n_words:
        return None
    n_syllables = sum(max(1, syllables_of(word)) for line in lines for word in line)
    return float(0.39 * n_words / len(lines) + 11.8 * n_syllables / n_words - 15.59)


def grade_tool() -> str:
    """What computes the grade, for notes."""
    return (
        f"Flesch-Kincaid grade: readability {version('readability')} (its syllables, at least one"
        f" a word) on the sentences of sentencex {version('sentencex')}"
    )


def mean_frequency(text: str, frequency: Frequency) -> float | None:
    """Mean occurrences in a million of the words of a text; None without words."""
    found = [frequency(word) for word in plain_words(text)]
    return sum(found) / len(found) if found else None


def unknown_share(texts: Iterable[str], frequency: Frequency) -> float | None:
    """Share of the words of all texts that the list lacks, from 0 to 1; None without words."""
    known = [frequency(word) > 0 for text in texts for word in plain_words(text)]
    return known.count(False) / len(known) if known else None


def from_wordfreq() -> tuple[Frequency, str]:
    """The English list of the package wordfreq, and its name for notes."""
    from wordfreq import word_frequency

    @cache
    def frequency(word: str) -> float:
        return float(word_frequency(word.casefold(), "en")) * _MILLION

    return frequency, f"wordfreq {version('wordfreq')} (not the paper's SUBTLEXus)"


def from_file(path: Path) -> tuple[Frequency, str]:
    """A list of the user's, such as SUBTLEXus, and its name for notes.

    Args:
        path: `.json`: a list of objects with `word` and `count`; else a table, tab-separated or
            CSV, with a heading that names `Word` and `FREQcount` (or `word` and `count`).

    Raises:
        DataError: it has another form.
    """
    counts = _json_counts(path) if path.suffix == ".json" else _table_counts(path)
    total = sum(counts.values())
    if not total:
        msg = f"file {str(path)!r} holds no count of a word"
        raise DataError(msg)
    million: Mapping[str, float] = {word: _MILLION * n / total for word, n in counts.items()}
    # Such files are often called index.json: the folder tells more.
    shown = "/".join(path.absolute().parts[-2:])
    name = f"{shown} ({len(counts)} words, {total:.0f} occurrences)"

    @cache
    def frequency(word: str) -> float:
        key = word.casefold().replace("\u2019", "'")
        # SUBTLEXus has no word with an apostrophe or a full stop: "isn't" is its `isn` and its `t`.
        parts = [key] if key in million else re.split(r"\W+", key)
        return sum(million.get(part, 0.0) for part in parts) / len(parts)

    return frequency, name


def _added(pairs: Iterable[tuple[str, float, str]]) -> dict[str, float]:
    """Counts by the word in small letters; SUBTLEXus has `I` and `FALSE` in capitals.

    Args:
        pairs: word, count, and where it stands, for messages.
    """
    found: dict[str, float] = {}
    for word, count, where in pairs:
        if not 0 <= count < math.inf:
            msg = f"{where}: the count of {word!r} is {count:g}; a finite number from 0 is needed"
            raise DataError(msg)
        found[word.casefold()] = found.get(word.casefold(), 0.0) + count
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        msg = (
            f"file {str(path)!r} is no text in UTF-8; unpack an archive first and name the file in"
            " it, save a spreadsheet as CSV"
        )
        raise DataError(msg) from error
    except OSError as error:
        msg = f"file {str(path)!r} cannot be read: {error}"
        raise DataError(msg) from error


def _json_counts(path: Path) -> dict[str, float]:
    text = _text(path)
    try:
        rows = [(str(row["word"]), float(row["count"])) for row in json.loads(text)]
    except (ValueError, KeyError, TypeError) as error:
        msg = f"file {str(path)!r} is no JSON list of objects with word and count: {error!r}"
        raise DataError(msg) from error
    return _added((*row, f"file {str(path)!r}, item {n}") for n, row in enumerate(rows))


def _table_counts(path: Path) -> dict[str, float]:
    lines = _text(path).splitlines()
    mark = "\t" if lines and "\t" in lines[0] else ","
    heading = [one.strip().casefold() for one in lines[0].split(mark)] if lines else []
    columns = [(heading.index(name)) for name in ("word",) if name in heading]
    columns += [heading.index(name) for name in ("freqcount", "count") if name in heading][:1]
    if len(columns) < 2:
        shown = ", ".join(heading)[:80]
        msg = f"file {str(path)!r}: its heading names no Word and FREQcount: {shown!r}"
        raise DataError(msg)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        where, cells = f"file {str(path)!r}, line {number}", line.split(mark)
        try:
            rows += [(cells[columns[0]], float(cells[columns[1]]), where)] if line.strip() else []
        except (IndexError, ValueError) as error:
            msg = f"{where}: it has no word and number: {error}"
            raise DataError(msg) from error
    return _added(rows)
