"""The Lancaster stemmer (Paice, "Another stemmer", SIGIR Forum 24(3), 1990).

AdvRACE's attacks compare words by these stems. No small library has it: NLTK does, at the price of
a second of import and of a dependency that nothing else here needs.
A word with marks inside is stemmed by its end here (`nest-building`, `nest-build`); NLTK goes by
the letters before the first mark, and leaves most such words whole.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

# Paice's rules as published: an ending written backwards, `*` where the word must be untouched so
# far, how many letters go, what is put there, and `>` to go on or `.` to stop.
_RULES = """
    ai*2. a*1. bb1. city3s. ci2> cn1t> dd1. dei3y> deec2ss. dee1. de2> dooh4> e1> feil1v. fi2>
    gni3> gai3y. ga2> gg1. ht*2. hsiug5ct. hsi3> i*1. i1y> ji1d. juf1s. ju1d. jo1d. jeh1r. jrev1t.
    jsim2t. jn1d. j1s. lbaifi6. lbai4y. lba3> lbi3. lib2l> lc1. lufi4y. luf3> lu2. lai3> lau3> la2>
    ll1. mui3. mu*2. msi3> mm1. nois4j> noix4ct. noi3> nai3> na2> nee0. ne2> nn1. pihs4> pp1. re2>
    rae0. ra2. ro2> ru2> rr1. rt1> rei3y> sei3y> sis2. si2> ssen4> ss0. suo3> su*2. s*1> s0.
    tacilp4y. ta2> tnem4> tne3> tna3> tpir2b. tpro2b. tcud1. tpmus2. tpec2iv. tulo2v. tsis0. tsi3>
    tt1. uqi3. ugo1. vis3j> vie0. vi2> ylb1> yli3y> ylp0. yl2> ygo1. yhp1. ymo1. ypo1. yti3> yte3>
    ytl2. yrtsi5. yra3> yro3> yfi3. ycn2t> yca3> zi2> zy1s.
"""
_VOWELS = frozenset("aeiouy")
_SHORTEST_FROM_VOWEL, _SHORTEST_FROM_CONSONANT = 2, 3


class _Rule(NamedTuple):
    ending: str
    needs_intact: bool
    removed: int
    added: str
    goes_on: bool


def _parse(text: str) -> _Rule:
    letters = text.rstrip(".>")
    digit = next(place for place, letter in enumerate(letters) if letter.isdigit())
    ending = letters[:digit]
    return _Rule(
        ending=ending.rstrip("*")[::-1],
        needs_intact=ending.endswith("*"),
        removed=int(letters[digit]),
        added=letters[digit + 1 :],
        goes_on=text.endswith(">"),
    )


_BY_LETTER: dict[str, list[_Rule]] = {}
for _text in _RULES.split():
    _BY_LETTER.setdefault(_text[0], []).append(_parse(_text))


# Enough for all words of a large corpus that are met in a row.
@lru_cache(maxsize=1 << 16)
def lancaster_stem(word: str) -> str:
    """The stem of a word in lower case; what does not end with a letter a to z stays whole.

    >>> [lancaster_stem(word) for word in ("maximum", "presumably", "provision", "owed", "ear")]
    ['maxim', 'presum', 'provid', 'ow', 'ear']
    """
    stem = word
    while rule := _first_rule(stem, is_intact=stem == word):
        stem = stem[: len(stem) - rule.removed] + rule.added
        if not rule.goes_on:
            break
    return stem


def _first_rule(stem: str, *, is_intact: bool) -> _Rule | None:
    for rule in _BY_LETTER.get(stem[-1:], ()):
        if (
            stem.endswith(rule.ending)
            and (is_intact or not rule.needs_intact)
            and _is_enough(stem, len(stem) - rule.removed)
        ):
            return rule
    return None


def _is_enough(stem: str, n_left: int) -> bool:
    """Whether a stem may be cut to so many letters."""
    if stem[0] in _VOWELS:
        return n_left >= _SHORTEST_FROM_VOWEL
    return n_left >= _SHORTEST_FROM_CONSONANT and not _VOWELS.isdisjoint(stem[1:3])
