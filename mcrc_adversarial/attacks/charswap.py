"""CharSwap: two neighbouring letters change places in words that the question is about.

Source: paper B (AdvRACE, arXiv:2004.14004), CharSwap; the rules are those of its code,
Attacks/charSwap/charAttack.py (the paper's own text was not at hand).

Word rule: words shorter than four characters and stop words stay. Else a place r is drawn from 1 to
length - 3, and the characters r and r + 1 (from 0) change places, so that the first and the last
never move. Where they are equal, r is drawn once more; where they still are, or one of them is a
digit or a mark, the word stays.
Question: every word gets the word rule. Passage: every word whose Lancaster stem or lower-case form
contains a keyword gets it; keywords are the stems and lower-case forms of the words of question and
options, by the same test of length and stop words. Options stay.

What is not known: the code calls this the correct strategy, but as published the line that writes
the passage back is switched off, and names of its files tell of versions without the question and
with all words. Which version the released test set has cannot be told without it; `fields=question`
and `fields=passage` make the others.

Where this departs from the code: letters are swapped where they stand, so that spaces and marks
stay as they are (the code joins tokens anew); words are those of `words.compounds`, close to
NLTK's tokens (which cut `cannot` and `gonna` in two, and are stemmed otherwise where marks stand
inside, see `stemming`); stop words are told ignoring case; only letters change places, where the
code leaves out digits and ASCII punctuation alone.

    What did the captain wish for? -> What did the cpatain wsih for?
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from mcrc_adversarial.attacks import Attacked, Change, Parameter, in_order, register
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.stemming import lancaster_stem
from mcrc_adversarial.stopwords import STOPWORDS
from mcrc_adversarial.words import compounds

_SHORTEST = 4
_FIELDS = ("passage", "question")
_STREAM_BITS = 128


def check_fields(value: object) -> str:
    """Return the fields to alter, in the order of rows, with commas between them.

    Raises:
        ParameterError: it is no text that names passage, question or both.
    """
    named = value.split(",") if isinstance(value, str) else []
    found = {name.strip() for name in named}
    if not found or not found <= set(_FIELDS) or len(found) < len(named):
        msg = f"fields is {value!r}; it must be passage, question, or passage,question"
        raise ParameterError(msg)
    return ",".join(name for name in _FIELDS if name in found)


class Swapped(NamedTuple):
    """A text after the word rule: the text, and what was changed in it."""

    text: str
    changes: list[Change]


@register(
    "charswap",
    version=1,
    paper="B",
    source="arXiv:2004.14004, CharSwap (NoviScl/AdvRACE, Attacks/charSwap/charAttack.py)",
    touches=("passage", "question"),
    summary="two inner letters swapped in the question's words, and in passage words like its"
    " and the options'",
    parameters=(
        Parameter(
            name="fields",
            default="passage,question",
            check=check_fields,
            parse=str,
            help="which texts to alter: passage, question, or passage,question",
        ),
    ),
    has_lineage=True,
)
def charswap(example: Example, draws: Draws, *, fields: str) -> Attacked:
    """Swap letters in the question, and in the passage's words that hold a keyword."""
    rng = draws.question()
    # One stream a text, so that a text is the same whether or not the other is altered too.
    streams = {name: rng.getrandbits(_STREAM_BITS) for name in _FIELDS}
    chosen = fields.split(",")
    found = {name: Swapped(getattr(example, name), []) for name in _FIELDS}
    if "passage" in chosen:
        spans = keyword_spans(example.passage, keywords((example.question, *example.options)))
        found["passage"] = swap_words("passage", example.passage, spans, Random(streams["passage"]))
    if "question" in chosen:
        spans = list(_eligible_spans(example.question))
        stream = Random(streams["question"])
        found["question"] = swap_words("question", example.question, spans, stream)
    return Attacked(
        passage=found["passage"].text,
        question=found["question"].text,
        options=example.options,
        shuffle_degree=(None, None),
        reasons=in_order({"no-word" for name in chosen if not found[name].changes}),
        changes=(*found["passage"].changes, *found["question"].changes),
    )


def swap_word(word: str, draw: Callable[[int, int], int]) -> str:
    """The word rule.

    Args:
        word: of any length; a short word stays. Stop words are the caller's matter.
        draw: called with the least and the greatest place, returns one of them or between.

    >>> swap_word("captain", min)
    'cpatain'
    """
    if len(word) < _SHORTEST:
        return word
    place = draw(1, len(word) - 3)
    if word[place] == word[place + 1]:
        place = draw(1, len(word) - 3)
    first, second = word[place], word[place + 1]
    if first == second or not (first.isalpha() and second.isalpha()):
        return word
    return word[:place] + second + first + word[place + 2 :]


def swap_words(name: str, text: str, spans: Iterable[tuple[int, int]], rng: Random) -> Swapped:
    """Give the words at `spans`, in order, the word rule.

    Args:
        name: of the text, for the list of changes.
        text: what the spans are of.
        spans: [start, end) of words, rising.
        rng: the stream to draw places from.
    """
    parts: list[str] = []
    changes: list[Change] = []
    done = 0
    for start, end in spans:
        word = text[start:end]
        swapped = swap_word(word, rng.randint)
        if swapped != word:
            parts += (text[done:start], swapped)
            done = end
            changes.append(Change(name, start, word, swapped, "swap"))
    return Swapped("".join((*parts, text[done:])), changes)


def _eligible_spans(text: str) -> Iterator[tuple[int, int]]:
    for start, end in compounds(text):
        if end - start >= _SHORTEST and text[start:end].lower() not in STOPWORDS:
            yield start, end


# Options and questions come once or twice, but so do those of the rows around them.
@lru_cache(maxsize=1 << 12)
def _forms(text: str) -> frozenset[str]:
    """Lower-case forms and stems of a text's words."""
    lower = {text[start:end].lower() for start, end in _eligible_spans(text)}
    return frozenset(lower | {lancaster_stem(word) for word in lower})


def keywords(texts: Iterable[str]) -> frozenset[str]:
    """Lower-case forms and Lancaster stems of the words of question and options."""
    return frozenset().union(*map(_forms, texts))


class _Index(NamedTuple):
    """The eligible words of a passage, one a line, so that one search goes through all of them."""

    spans: Sequence[tuple[int, int]]
    lines: str
    starts: Sequence[int]


# The questions on one passage follow one another in every corpus.
@lru_cache(maxsize=64)
def _index(passage: str) -> _Index:
    spans = tuple(_eligible_spans(passage))
    lines, starts, length = [], [], 0
    for start, end in spans:
        lower = passage[start:end].lower()
        lines.append(f"{lower} {lancaster_stem(lower)}")
        starts.append(length)
        length += len(lines[-1]) + 1
    return _Index(spans, "\n".join(lines), starts)


def keyword_spans(passage: str, wanted: Iterable[str]) -> list[tuple[int, int]]:
    """[start, end) of the words whose stem or lower-case form contains a keyword, in order."""
    spans, lines, starts = _index(passage)
    found: set[int] = set()
    for keyword in wanted:
        place = lines.find(keyword)
        while place >= 0:
            number = bisect_right(starts, place) - 1
            found.add(number)
            if number + 1 == len(starts):
                break
            place = lines.find(keyword, starts[number + 1])
    return [spans[number] for number in sorted(found)]
