"""Words and sentences, as the attacks cut them.

One rule for words has to explain all of paper A's printed examples (arXiv:1910.12391, figures 1,
3, 4 and 9): `does n't`, `day 's`, and every punctuation mark on its own (`9 : 00`). No published
tokeniser does, hence the expression below.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from sentencex import segment as segment_text

# Scripts that do not separate words by spaces: their characters count one by one. Han, kana, Thai,
# Lao, Burmese and Khmer, with their extensions.
UNSPACED = (
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f"
    "\u1780-\u17ff\u19e0-\u19ff"
)
UNSPACED_ASTRAL = "\U00016fe2-\U00016fe3\U0001b000-\U0001b16f\U00020000-\U0003134f"
# Zero-width characters that are no combining marks: soft hyphen, zero-width space, joiners,
# direction marks, byte-order mark.
_ZERO_WIDTH = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
# Skin tones cling to an emoji; tags spell the flags of regions (England) behind a black flag.
_CLINGING_ASTRAL = "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"

# Latin, Greek, Cyrillic, their punctuation and symbols: no marks, no zero-width characters, no
# unspaced scripts. Nearly all text is of this kind, and for it a far faster rule does.
_PLAIN = re.compile(
    "[\0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff"
    "\u2000-\u200a\u2010-\u2029\u202f-\u205f\u2070-\u20bf\u2100-\u23e8]*"
)
CONTRACTION = "['\u2019](?:[sSmMdD]|[rR][eE]|[vV][eE]|[lL][lL])"
CONTRACTED_NOT = "[nN]['\u2019][tT]"

# Characters: most passages are shorter, and so many of them are no strain on the memory.
_SHORT = 2000

_PLAIN_WORD = re.compile(
    rf"""
    [^\W_]+(?={CONTRACTED_NOT}(?![^\W_]))          # does|n't
  | {CONTRACTED_NOT}(?![^\W_])
  | {CONTRACTION}(?![^\W_])             # day|'s
  | [^\W_]+
  | _+
  | [^\w\s]
    """,
    re.VERBOSE,
)

# The same for ASCII, in a third of the time: a word that no apostrophe follows is taken at once.
_LETTER = "[a-zA-Z0-9]"
_MARK = "[^a-zA-Z0-9_\\s\x1c-\x1f]"
_ASCII_WORD = re.compile(
    rf"""
    {_LETTER}+(?![a-zA-Z0-9'])
  | (?!'){_MARK}
  | {_LETTER}+(?={CONTRACTED_NOT}(?!{_LETTER}))
  | {CONTRACTED_NOT}(?!{_LETTER})
  | {CONTRACTION}(?!{_LETTER})
  | {_LETTER}+
  | _+
  | '
    """,
    re.VERBOSE | re.ASCII,
)
_ASCII_WORD_OR_MARK = re.compile(rf"{_LETTER}+|{_MARK}|_+", re.ASCII)

# Quotes and brackets; and what may end a sentence, or stand between two.
_MARKS_AROUND = " \"'`\u2018\u2019\u201c\u201d\u00ab\u00bb()[]"
_MARKS_BEHIND = f"{_MARKS_AROUND}.,;:!?\u2026\u3002\uff01\uff1f"

# A turn of a dialogue begins a sentence, whatever the turn before it ends with.
_TURN = re.compile(r"\n(?=[^\W\d_][\w.' -]{0,29}:\s)")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
# sentencex 1.0.32 panics where one of these stands between an initial and its full stop.
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")


def _class_of_marks(codes: Iterable[int]) -> str:
    """The combining marks among `codes`, as the inside of a character class."""
    ranges: list[list[int]] = []
    for code in codes:
        if unicodedata.category(chr(code)).startswith("M"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@lru_cache(maxsize=2)
def _any_word(*, astral: bool) -> re.Pattern[str]:
    """`_PLAIN_WORD` for any text: each character counts with what clings to it.

    Without characters above U+FFFF in its classes the expression is ten times faster.
    """
    marks = _class_of_marks(range(0x300, 0x10000))
    clinging, unspaced = _ZERO_WIDTH, UNSPACED
    if astral:
        # Above the emoji there are no marks but the variation selectors.
        marks += _class_of_marks((*range(0x10000, 0x1F000), *range(0xE0100, 0xE01F0)))
        clinging += _CLINGING_ASTRAL
        unspaced += UNSPACED_ASTRAL + _FLAG_LETTERS
    # Behind a space, a mark or joiner has only the word before the space to stand with, and so
    # has a zero-width character that stands alone.
    cling = (
        rf"(?:[{marks}{clinging}]"
        rf"|\s+(?=[{marks}\u200c\u200d]|[{_ZERO_WIDTH}]+(?:\s|\Z)))*"
    )
    letter = rf"[^\W_{unspaced}{marks}]"
    flag = rf"|[{_FLAG_LETTERS}]{{2}}{cling}" if astral else ""
    return re.compile(
        rf"""
        [{_ZERO_WIDTH}]*
        (?:
            (?:{letter}{cling})+(?={CONTRACTED_NOT}(?!{letter}))
          | {CONTRACTED_NOT}(?!{letter}){cling}
          | {CONTRACTION}(?!{letter}){cling}
          | (?:{letter}{cling})+
          | (?:_{cling})+
          {flag}
          | [^\s{_ZERO_WIDTH}]{cling}(?:(?<=\u200d)[^\w\s]{cling})*
        )
        | [{_ZERO_WIDTH}]+{cling}
        """,
        re.VERBOSE,
    )


# No plain word holds white space, and the same pieces between spaces come again and again: to
# remember them is five times as fast as to cut each anew.
@lru_cache(maxsize=1 << 17)
def _plain_words(piece: str) -> tuple[str, ...]:
    return tuple(_PLAIN_WORD.findall(piece))


def words(text: str) -> list[str]:
    """The words of `text`, in order; nothing but white space is lost.

    Contractions are cut as in `does n't` and `day 's`; each punctuation mark, each emoji and each
    character of a script written without spaces (Han, kana, Thai, Lao, Khmer, Burmese; not Hangul)
    is a word; a run of `_` is one word. A word never starts with a combining mark or joiner unless
    the text does, and zero-width characters stay with their neighbour.

    >>> words("He doesn't work after 9:00.")
    ['He', 'does', "n't", 'work', 'after', '9', ':', '00', '.']
    """
    if text.isascii():
        return (_ASCII_WORD if "'" in text else _ASCII_WORD_OR_MARK).findall(text)
    if _PLAIN.fullmatch(text):
        return list(chain.from_iterable(map(_plain_words, text.split())))
    return _any_word(astral=max(text) > "\uffff").findall(text)


def is_plain(text: str) -> bool:
    """Whether the parts of `text` between white space are cut one by one.

    The words of two such texts, joined by a space, are those of the one and those of the other;
    and its own, in any order between single spaces, are cut into themselves.
    """
    return text.isascii() or _PLAIN.fullmatch(text) is not None


# Options, questions and sentences come again from row to row and from attack to attack.
@lru_cache(maxsize=1 << 13)
def _short_words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def word_tuple(text: str) -> tuple[str, ...]:
    """`words`, remembered for a while if the text is short."""
    return _short_words(text) if len(text) < _SHORT else tuple(words(text))


def joined_words(first: str, second: str) -> tuple[str, ...]:
    """The words of two texts joined by a space.

    >>> joined_words("He doesn't", "work.")
    ('He', 'does', "n't", 'work', '.')
    """
    if is_plain(first) and is_plain(second):
        return word_tuple(first) + word_tuple(second)
    return tuple(words(f"{first} {second}"))


@lru_cache(maxsize=1 << 13)
def _short_key(text: str) -> str:
    return " ".join(word_tuple(text)).casefold()


def word_key(text: str) -> str:
    """The words of `text` between single spaces, case-folded: texts that share it count as equal.

    >>> word_key("Doesn't  he?")
    "does n't he ?"
    """
    return _short_key(text) if len(text) < _SHORT else " ".join(words(text)).casefold()


def bare_key(text: str) -> str:
    """`word_key` without the marks at the ends of a text, unless it holds nothing else.

    >>> bare_key("He slept."), bare_key("'he slept'"), bare_key(".5"), bare_key("?!")
    ('he slept', 'he slept', '. 5', '? !')
    """
    key = word_key(text)
    return key.rstrip(_MARKS_BEHIND).lstrip(_MARKS_AROUND) or key


def n_words(text: str) -> int:
    """The number of words of `text`, without making them.

    >>> n_words("He doesn't work after 9:00.")
    9
    """
    if len(text) < _SHORT:
        return len(_short_words(text))
    return len(words(text))


def sentence_ends(text: str) -> list[int]:
    """Offsets behind each sentence of `text`, in order; see `sentences`.

    >>> sentence_ends("Dr. Lee left.  Why? ")
    [13, 19]
    """
    narrow = text if text.isascii() else _WIDE_SPACE.sub(" ", text)
    ends, done = [], 0
    for turn in _TURN.split(narrow):
        for segment in segment_text("en", turn):
            sentence = segment.strip()
            if any(map(str.isalnum, sentence)):
                done = narrow.index(sentence, done) + len(sentence)
                ends.append(done)
    return ends


def sentences(text: str) -> list[str]:
    r"""The sentences of `text` that hold a letter or digit, white space folded to single spaces.

    Boundaries are sentencex's, and the start of each turn (`W: `) of a dialogue.

    >>> sentences("Dr. Lee left. Why?\nNobody knows.")
    ['Dr. Lee left.', 'Why?', 'Nobody knows.']
    """
    narrow = text if text.isascii() else _WIDE_SPACE.sub(" ", text)
    turns = _TURN.split(narrow)
    found = (segment for turn in turns for segment in segment_text("en", turn))
    return [" ".join(sentence.split()) for sentence in found if _LETTER_OR_DIGIT.search(sentence)]
