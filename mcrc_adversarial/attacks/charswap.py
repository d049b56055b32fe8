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
stay as they are (the code joins tokens anew); words are those of `compounds`, close to
NLTK's tokens (which cut `cannot` and `gonna` in two, and are stemmed otherwise where marks stand
inside, see `stemming`); stop words are told ignoring case; only letters change places, where the
code leaves out digits and ASCII punctuation alone.

    What did the captain wish for? -> What did the cpatain wsih for?
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from random import Random
from typing import NamedTuple, TypeAlias

from mcrc_adversarial.attacks import Attacked, Change, Parameter, in_order, register
from mcrc_adversarial.compounds import Runs, compounds, runs
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.stemming import lancaster_stem
from mcrc_adversarial.stopwords import STOPWORDS

_SHORTEST = 4
_FIELDS = ("passage", "question")
_STREAM_BITS = 128
# Where a word starts in a text, and the word.
_Placed: TypeAlias = tuple[int, str]


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
    words: Iterable[_Placed]
    if "passage" in chosen:
        words = keyword_words(example.passage, keywords((example.question, *example.options)))
        found["passage"] = swap_words("passage", example.passage, words, Random(streams["passage"]))
    if "question" in chosen:
        words = _counted(example.question)
        stream = Random(streams["question"])
        found["question"] = swap_words("question", example.question, words, stream)
    return Attacked(
        passage=found["passage"].text,
        question=found["question"].text,
        options=example.options,
        shuffle_degree=(None, None),
        reasons=in_order({"no-word" for name in chosen if not found[name].changes}),
        changes=(*found["passage"].changes, *found["question"].changes),
    )


def swap_word(word: str, draw: Callable[[int], int]) -> str:
    """The word rule.

    Args:
        word: of any length; a short word stays. Stop words are the caller's matter.
        draw: called with a number of places, returns one of them, from 0.

    >>> swap_word("captain", lambda n_places: 0)
    'cpatain'
    """
    n_places = len(word) - 3
    if n_places < 1:
        return word
    place = 1 + draw(n_places)
    if word[place] == word[place + 1]:
        place = 1 + draw(n_places)
    first, second = word[place], word[place + 1]
    if first == second or not (first.isalpha() and second.isalpha()):
        return word
    return f"{word[:place]}{second}{first}{word[place + 2 :]}"


def swap_words(name: str, text: str, words: Iterable[_Placed], rng: Random) -> Swapped:
    """Give `words`, in order, the word rule.

    Args:
        name: of the text, for the list of changes.
        text: what the words are of.
        words: where each starts, and the word; rising.
        rng: the stream to draw places from.
    """
    draw = _draw_from(rng)
    parts: list[str] = []
    changes: list[Change] = []
    done = 0
    for start, word in words:
        swapped = swap_word(word, draw)
        if swapped != word:
            parts += (text[done:start], swapped)
            done = start + len(word)
            changes.append(Change(name, start, word, swapped, "swap"))
    return Swapped("".join((*parts, text[done:])), changes)


def _draw_from(rng: Random) -> Callable[[int], int]:
    """`rng.randrange`, the same numbers in a third of its time."""
    bits = rng.getrandbits

    def draw(n_places: int) -> int:
        n_bits = n_places.bit_length()
        place = bits(n_bits)
        while place >= n_places:
            place = bits(n_bits)
        return place

    return draw


# The same words come again and again, and these are nearly all that RACE has.
@lru_cache(maxsize=1 << 17)
def _line(run: str) -> str:
    r"""What is searched for keywords in place of a run of `runs`, and a line's end.

    It is the lower-case form of its word, and the stem where that does not stand in the form
    anyway; nothing where the word is short or a stop word.
    """
    word = _word(run)
    lower = word.lower()
    if len(word) < _SHORTEST or lower in STOPWORDS:
        return "\n"
    stem = lancaster_stem(lower)
    return f"{lower}\n" if stem in lower else f"{lower} {stem}\n"


def _word(run: str) -> str:
    """A run without the end of a contraction."""
    if run.isalnum():
        return run
    return "".join(run[start:end] for start, end in compounds(run))


# Enough for the words of the questions and options that follow one another.
@lru_cache(maxsize=1 << 16)
def _keywords(run: str) -> tuple[str, ...]:
    lower = _line(run).rstrip("\n").partition(" ")[0]
    stem = lancaster_stem(lower)
    return (stem,) if stem in lower else (stem, lower)


def keywords(texts: Iterable[str]) -> frozenset[str]:
    """What a word must contain one of to be like a word of question and options.

    These are Lancaster stems and lower-case forms, without the forms that contain their stem: what
    contains such a form contains the stem.
    """
    found = chain.from_iterable(map(_keywords, runs(" ".join(texts)).texts))
    return frozenset(filter(None, found))


class _Index(NamedTuple):
    """The words of a passage, one a line, so that one search goes through all of them.

    Attributes:
        runs: what the words are cut from.
        lines: what is searched.
        starts: where each line starts.
    """

    runs: Runs
    lines: str
    starts: Sequence[int]


# The questions on one passage follow one another in every corpus.
@lru_cache(maxsize=4)
def _index(passage: str) -> _Index:
    found = runs(passage)
    lines = list(map(_line, found.texts))
    return _Index(found, "".join(lines), list(accumulate(map(len, lines), initial=0)))


def keyword_words(passage: str, wanted: Iterable[str]) -> list[_Placed]:
    """The words whose stem or lower-case form contains a keyword, with their offsets, in order."""
    (places, texts), lines, starts = _index(passage)
    found: set[int] = set()
    for keyword in wanted:
        hit = lines.find(keyword)
        while hit >= 0:
            number = bisect_right(starts, hit)
            found.add(number - 1)
            hit = lines.find(keyword, starts[number])
    return [(places[number], _word(texts[number])) for number in sorted(found)]


def _counted(text: str) -> Iterator[_Placed]:
    """The words that are neither short nor stop words."""
    for start, run in zip(*runs(text), strict=True):
        if _line(run) != "\n":
            yield start, _word(run)
