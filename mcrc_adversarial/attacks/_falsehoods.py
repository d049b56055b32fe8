"""Altering a text so that what it says, or asks for, is another thing: AdvRACE's rules.

Source: paper B (AdvRACE, arXiv:2004.14004), AddSent; the rules are those of its code,
Attacks/AddSent/AddSent.py.

The code looks tags up in a dictionary of the most frequent tag of each word, which cannot be had.
Here a near word's tag is the one that the tagger gives it standing alone, written with the capitals
of the word that it replaces. Antonyms are asked for of base forms (JJ, RB, VB), since WordNet has
base forms, and of its own comparatives and superlatives (`better`, `worst`, `least`); an antonym
has the degree of the word that it replaces. `n't` counts as `not` and takes the verb's full form
when it goes (`can't`, `can`). Capitals do not count for the negation: the code finds neither `NOT`
nor `Is`, and puts another `not` in (`is not NOT mentioned`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import NamedTuple

from mcrc_adversarial.attacks import Change, Parameter
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.resources import Antonyms, Neighbours, Tagger, Token, load
from mcrc_adversarial.stemming import lancaster_stem
from mcrc_adversarial.stopwords import STOPWORDS

# Name of a source of near words -> the resource.
NEIGHBOURS = {"glove": "glove", "bundled:minilm": "bundled-minilm"}
# Behind the first of these, in this order, `not` is put.
_AUXILIARIES = (
    "is", "was", "were", "are", "will", "did", "do", "does", "may", "would", "should", "could",
    "can",
)  # fmt: skip
# Adjective, adverb, verb: first letters of the tag -> (WordNet's letter, tag of the base form).
_OPEN = {"JJ": ("a", "JJ"), "RB": ("r", "RB"), "VB": ("v", "VB")}
_FULL_FORMS = {"ca": "can", "wo": "will", "sha": "shall"}
_LONGEST_NUMBER = 18
# Near words that are tagged together; the third or fourth one fits on average, the rest is cheap.
TRIED = 20


def check_neighbours(value: object) -> str:
    """Return the name of a source of near words.

    Raises:
        ParameterError: there is none of that name.
    """
    if not isinstance(value, str) or value not in NEIGHBOURS:
        msg = f"neighbours is {value!r}; it must be one of {', '.join(NEIGHBOURS)}"
        raise ParameterError(msg)
    return value


NEIGHBOURS_PARAMETER = Parameter(
    name="neighbours",
    default="glove",
    check=check_neighbours,
    parse=str,
    help="where near words come from: glove, as in the paper, or bundled:minilm",
)


def resource_names(neighbours: str) -> tuple[str, ...]:
    """What a `Falsifier` needs, with near words from there."""
    return "spacy-english", "wordnet", NEIGHBOURS[neighbours]


class Piece(NamedTuple):
    """A part of a text, and the changes in it with their offsets in it."""

    text: str
    changes: tuple[Change, ...] = ()


class Edit(NamedTuple):
    """The characters [start, end) of a text give way to `after`; `how` is the rule."""

    start: int
    end: int
    after: str
    how: str


@dataclass
class Falsifier:
    """Alters texts, and remembers which words it has put in.

    Attributes:
        tagger: parts of speech and names.
        antonyms: opposites.
        neighbours: near words.
        source: where near words come from, for the lineage.
        rng: the stream to draw from.
        used: words put in so far, in lower case; none is put in twice.
    """

    tagger: Tagger
    antonyms: Antonyms
    neighbours: Neighbours
    source: str
    rng: Random
    used: set[str] = field(default_factory=set)

    def question(self, text: str) -> list[Edit]:
        """Steps 2 and 3: numbers, names, one antonym; else a negation; in order of the text."""
        tokens = self.tagger.tokens(text)
        edits = list(self._altered(tokens))
        return edits or list(negated(tokens))

    def distractor(self, text: str) -> list[Edit]:
        """Step 4: numbers, names and nouns, all antonyms; else `not` in front."""
        edits = []
        for token in filter(counts, self.tagger.tokens(text)):
            if is_number(token.text):
                edits.append(self._number(token, 1, 10))
            elif token.is_entity or token.tag.startswith("NN"):
                edits += self._neighbour(token, farthest=True)
            else:
                edits += self._antonym(token)
        return edits or [Edit(0, 0, "not " if text.strip() else "not", "negation")]

    def statement(self, text: str) -> list[Edit]:
        """Numbers and names; where there are none one antonym; else a negation, as in step 3."""
        tokens = self.tagger.tokens(text)
        edits: list[Edit] = []
        for token in filter(counts, tokens):
            if is_number(token.text):
                edits.append(self._number(token, 10, 100))
            elif token.is_entity:
                edits += self._neighbour(token, farthest=False)
        if not edits:
            antonyms = (self._antonym(token) for token in filter(counts, tokens))
            edits = next((found for one in antonyms if (found := list(one))), [])
        return edits or list(negated(tokens))

    def _altered(self, tokens: Iterable[Token]) -> Iterator[Edit]:
        has_antonym = False
        for token in filter(counts, tokens):
            if is_number(token.text):
                yield self._number(token, 10, 100)
            elif token.is_entity:
                yield from self._neighbour(token, farthest=False)
            elif not has_antonym:
                for edit in self._antonym(token):
                    has_antonym = True
                    yield edit

    def _number(self, token: Token, least: int, greatest: int) -> Edit:
        return _edit(token, str(int(token.text) + self.rng.randint(least, greatest)), "number")

    def _neighbour(self, token: Token, *, farthest: bool) -> Iterator[Edit]:
        """The nearest word that may stand there, or the farthest whose tag is the same."""
        found = near_words(token.text, self.neighbours.nearest(token.text), farthest=farthest)
        while some := list(islice(found, TRIED)):
            # Together they take a fraction of the time; mostly they have been tagged before.
            self.tagger.prepare_words(written for _, written in some)
            for word, written in some:
                tag = self.tagger.word_tag(written)
                if word not in self.used and (tag == token.tag or (not tag and not farthest)):
                    self.used.add(word)
                    yield _edit(token, written, f"neighbour {self.source}")
                    return

    def _antonym(self, token: Token) -> Iterator[Edit]:
        degree = _degree(token.tag)
        found = [
            one
            for one in self.opposites(token)
            if one not in self.used and _degree(self.tagger.word_tag(one)) == degree
        ]
        if found:
            word = self.rng.choice(found)
            self.used.add(word)
            yield _edit(token, _with_capitals_of(token.text, word), "antonym")

    def opposites(self, token: Token) -> Sequence[str]:
        """Antonyms of an adjective, adverb or verb that WordNet has them of, of any degree."""
        pos, base = _OPEN.get(token.tag[:2], ("", ""))
        is_entry = _degree(token.tag) or token.tag == base
        return self.antonyms.antonyms(token.text, pos) if is_entry else ()


def make_falsifier(neighbours: str, rng: Random) -> Falsifier:
    """A `Falsifier` with this machine's resources.

    Raises:
        ResourceError: one is missing.
    """
    tagger, antonyms, vectors = map(load, resource_names(neighbours))
    return Falsifier(tagger, antonyms, vectors, neighbours, rng)


def edited(text: str, edits: Sequence[Edit]) -> Piece:
    """The text after the edits, which are in its order, and what they changed."""
    parts: list[str] = []
    changes: list[Change] = []
    done = length = 0
    for edit in edits:
        parts += (text[done : edit.start], edit.after)
        length += edit.start - done
        before = text[edit.start : edit.end]
        # Spaces beside a word that was put in or taken out are no part of it.
        offset = length + len(edit.after) - len(edit.after.lstrip())
        changes.append(Change("", offset, before.strip(), edit.after.strip(), edit.how))
        length += len(edit.after)
        done = edit.end
    return Piece("".join((*parts, text[done:])), tuple(changes))


def _degree(tag: str) -> str:
    """Letter of a comparative (R) or superlative (S), empty for all other tags."""
    return tag[2:] if tag.startswith(("JJ", "RB")) else ""


def near_words(text: str, nearest: Sequence[str], *, farthest: bool) -> Iterator[tuple[str, str]]:
    """Near words that are no stop words, are of letters alone, and have another stem.

    Args:
        text: the word that they may replace.
        nearest: what is near it, the nearest first.
        farthest: whether to begin with the last.

    Yields:
        The word, and how it is written with the capitals of `text`.
    """
    stem = lancaster_stem(text.lower())
    for word in reversed(nearest) if farthest else nearest:
        if word not in STOPWORDS and word.isalpha() and lancaster_stem(word) != stem:
            yield word, _with_capitals_of(text, word)


def _edit(token: Token, after: str, how: str) -> Edit:
    return Edit(token.start, token.start + len(token.text), after, how)


def counts(token: Token) -> bool:
    """Whether a token is a word that may be altered."""
    lower = token.text.lower()
    return lower not in STOPWORDS and lower not in _FULL_FORMS and any(map(str.isalnum, token.text))


def is_number(text: str) -> bool:
    """Whether a word is a whole number that can grow."""
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER


def _with_capitals_of(model: str, word: str) -> str:
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word.capitalize() if model[:1].isupper() else word


def negated(tokens: Sequence[Token]) -> Iterator[Edit]:
    """Step 3: takes a `not` out or puts one in; nothing where no verb and no adjective is."""
    lower = [token.text.lower().replace("\u2019", "'") for token in tokens]
    for place, word in enumerate(lower):
        if word in ("not", "n't"):
            yield from _without(tokens, place)
            return
    for auxiliary in _AUXILIARIES:
        if auxiliary in lower:
            token = tokens[lower.index(auxiliary)]
            end = token.start + len(token.text)
            yield Edit(end, end, " not", "negation")
            return
    for token in tokens:
        if token.tag.startswith(("JJ", "VB")):
            yield Edit(token.start, token.start, "not ", "negation")
            return


def _without(tokens: Sequence[Token], place: int) -> Iterator[Edit]:
    start, end = tokens[place].start, tokens[place].start + len(tokens[place].text)
    if place and tokens[place].text.lower() != "not":
        verb = tokens[place - 1]
        full = _FULL_FORMS.get(verb.text.lower(), verb.text)
        yield Edit(verb.start, end, _with_capitals_of(verb.text, full), "negation")
    else:
        follows = place + 1 < len(tokens)
        yield Edit(start, tokens[place + 1].start if follows else end, "", "negation")
