"""Counting the words of a passage: how many, how readable, how frequent.

Flesch-Kincaid grade = 0.39 words/sentences + 11.8 syllables/words - 15.59. Sentences are those of
sentencex, words those of `mcrc_adversarial.words` that hold a letter or digit, a contraction being
one. Syllables are counted by the package `readability` (vowel groups, with corrections), at least
one a word: left alone it counts none in `the` and `it`. What counted the paper's is not known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.words import sentences, words

_MILLION = 1_000_000
# Word -> occurrences in a million words; 0 for one that the list lacks.
Frequency = Callable[[str], float]


def plain_words(text: str) -> list[str]:
    """The words that hold a letter or digit: punctuation marks do not count, as in paper C."""
    return [word for word in words(text) if any(map(str.isalnum, word))]


def grade(text: str) -> float | None:
    """Flesch-Kincaid grade level; None for a text without words.

    >>> round(grade("The cat sat on the mat. It was happy."), 2)
    -0.72
    """
    from readability.langdata import LANGDATA

    syllables_of = LANGDATA["en"]["syllables"]
    lines = [found for one in sentences(text) if (found := uncut(one))]
    n_words = sum(map(len, lines))
    if not n_words:
        return None
    n_syllables = sum(max(1, syllables_of(word)) for line in lines for word in line)
    return float(0.39 * n_words / len(lines) + 11.8 * n_syllables / n_words - 15.59)


def uncut(sentence: str) -> list[str]:
    """Words with the contractions that were cut from them, as in "isn't"."""
    found: list[str] = []
    for word in plain_words(sentence):
        if found and (word.startswith(("'", "\u2019")) or word.lower() in ("n't", "n\u2019t")):
            found[-1] += word
        else:
            found.append(word)
    return found


def grade_tool() -> str:
    """What computes the grade, for notes."""
    return (
        f"Flesch-Kincaid grade: readability {version('readability')} (its syllables, at least one"
        f" a word) on the sentences of sentencex {version('sentencex')}"
    )


def mean_frequency(text: str, frequency: Frequency) -> float | None:
    """Mean occurrences in a million of the words of a text; None without words."""
    found = plain_words(text)
    return sum(frequency(word) for word in found) / len(found) if found else None


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
    return lambda word: million.get(word.casefold(), 0.0), name


def _added(pairs: list[tuple[str, float]]) -> dict[str, float]:
    """Counts by the word in small letters; SUBTLEXus has `I` and `FALSE` in capitals."""
    found: dict[str, float] = {}
    for word, count in pairs:
        found[word.casefold()] = found.get(word.casefold(), 0.0) + count
    return found


def _json_counts(path: Path) -> dict[str, float]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return _added([(str(row["word"]), float(row["count"])) for row in rows])
    except (OSError, ValueError, KeyError, TypeError) as error:
        msg = f"file {str(path)!r} is no JSON list of objects with word and count: {error!r}"
        raise DataError(msg) from error


def _table_counts(path: Path) -> dict[str, float]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"file {str(path)!r} cannot be read: {error}"
        raise DataError(msg) from error
    mark = "\t" if lines and "\t" in lines[0] else ","
    heading = [one.strip().casefold() for one in lines[0].split(mark)] if lines else []
    columns = [(heading.index(name)) for name in ("word",) if name in heading]
    columns += [heading.index(name) for name in ("freqcount", "count") if name in heading][:1]
    if len(columns) < 2:
        msg = f"file {str(path)!r}: its heading names no Word and FREQcount: {heading!r}"
        raise DataError(msg)
    try:
        rows = [line.split(mark) for line in lines[1:] if line.strip()]
        return _added([(row[columns[0]], float(row[columns[1]])) for row in rows])
    except (IndexError, ValueError) as error:
        msg = f"file {str(path)!r} holds a line without a word and a number: {error}"
        raise DataError(msg) from error
