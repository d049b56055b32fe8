"""AddSent: two sentences that seem to answer the question are put into the passage.

Source: paper B (AdvRACE, arXiv:2004.14004), AddSent; the seven steps are those of its code,
Attacks/AddSent/AddSent.py (the paper's own text was not at hand). After Jia and Liang (2017), but
with the question's own distractors and without people who check the result.

1. A distractor is drawn. 2. The question is altered word by word: whole numbers grow by 10 to 100,
words of names become a near word, one adjective, adverb or verb its antonym. 3. Where nothing
changed, a `not` is taken out or put in. 4. Where that was not possible, the distractor is altered
instead. 5. The sentence is the question with the distractor in its blank, or behind it. 6. It
stands at a random sentence boundary. 7. All of it once more, with another distractor and other
words. Question, options and label stay.

Where this departs from the code, besides what `_falsehoods` says: sentences are sentencex's; a
boundary without white space (`over.She`) is none; with a single distractor there is one sentence; a
distractor that equals the answer (but for case, or marks at its ends) is never taken, and one that
step 4 would turn into the answer stays as it is (reason `equals-answer`; the code checks neither);
a word that the first sentence got, near word or antonym, is not put into the second (the code lets
an antonym come again); white space inside an inserted sentence is folded to single spaces. As in
the code, a distractor is glued to what its blank is glued to (`take_only`). Near words come from
GloVe, or, with `neighbours=bundled:minilm`, from the input embeddings of a BERT; the lineage says
which.

    "When did Ann lose 3 coats?", "in May" -> "When did Eva lose 58 coats? in May"
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from mcrc_adversarial.attacks import Attacked, Change, in_order, register
from mcrc_adversarial.attacks._falsehoods import (
    NEIGHBOURS_PARAMETER,
    Falsifier,
    Piece,
    edited,
    make_falsifier,
    resource_names,
)
from mcrc_adversarial.attacks._readying import ready
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import bare_key, sentence_ends

_SENTENCES = 2
_BLANK = re.compile("_+")


def _needs(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return resource_names(parameters["neighbours"])


def _prepare(examples: Sequence[Example], parameters: Mapping[str, Any]) -> None:
    distractors: dict[str, list[str]] = {}
    for example in examples:
        distractors.setdefault(example.question, []).extend(example.distractors)
    # What is readied draws nothing.
    ready(make_falsifier(parameters["neighbours"], Random(0)), distractors)


class _Sentence(NamedTuple):
    """A sentence to insert, what was done to make it, whether its distractor became the answer."""

    text: str
    changes: tuple[Change, ...]
    was_answer: bool = False


@register(
    "addsent",
    version=2,
    paper="B",
    source="arXiv:2004.14004, AddSent (NoviScl/AdvRACE, Attacks/AddSent/AddSent.py)",
    touches=("passage",),
    summary="two sentences made of the altered question and a distractor, put into the passage",
    parameters=(NEIGHBOURS_PARAMETER,),
    has_lineage=True,
    needs=_needs,
    prepare=_prepare,
)
def addsent(example: Example, draws: Draws, *, neighbours: str) -> Attacked:
    """Insert two sentences."""
    rng = draws.question()
    falsifier = make_falsifier(neighbours, rng)
    answer = bare_key(example.answer)
    places = [place for place, one in enumerate(example.options) if bare_key(one) != answer]
    chosen = rng.sample(places, min(_SENTENCES, len(places)))
    made = [_sentence(example, place, falsifier) for place in chosen]
    passage, inserted, order = _insert(example.passage, [one.text for one in made], rng)
    # Numbered as they stand in the passage.
    changes = tuple(
        change._replace(text=f"sentence {number}")
        for number, place in enumerate(order, start=1)
        for change in made[place].changes
    )
    return Attacked(
        passage=passage,
        question=example.question,
        options=example.options,
        shuffle_degree=(None,),
        reasons=in_order(_reasons(example, made)),
        inserted=inserted,
        changes=changes,
    )


def _reasons(example: Example, made: Sequence[_Sentence]) -> set[str]:
    found = {"one-distractor"} if len(example.options) <= _SENTENCES else set()
    if len(made) < min(_SENTENCES, len(example.options) - 1) or any(one.was_answer for one in made):
        found.add("equals-answer")
    return found


def _sentence(example: Example, place: int, falsifier: Falsifier) -> _Sentence:
    """Steps 2 to 5 for the distractor at `place`."""
    question, distractor = example.question, example.options[place]
    edits = falsifier.question(question)
    altered = edited(question, edits)
    drawn = Change("", 0, "", "", f"distractor {LETTERS[place]}")
    kept = edited(distractor, [])
    filler = kept if edits else edited(distractor, falsifier.distractor(distractor))
    was_answer = bare_key(filler.text) == bare_key(example.answer)
    if was_answer:
        filler = kept
    drawn = drawn._replace(after=" ".join(filler.text.split()))
    pieces = _filled(altered, filler._replace(changes=(drawn, *filler.changes)))
    return _folded(pieces)._replace(was_answer=was_answer)


def _filled(question: Piece, filler: Piece) -> list[Piece]:
    """The question with `filler` in its blanks, or behind it; listed once, in the first blank."""
    blanks = list(_BLANK.finditer(question.text))
    if not blanks:
        return [question, Piece(" "), filler]
    pieces, done = [], 0
    for blank in blanks:
        pieces += [_part(question, done, blank.start()), filler]
        filler = Piece(filler.text)
        done = blank.end()
    return [*pieces, _part(question, done, len(question.text))]


def _part(piece: Piece, start: int, end: int) -> Piece:
    inside = (one for one in piece.changes if start <= one.start <= end)
    moved = tuple(one._replace(start=one.start - start) for one in inside)
    return Piece(piece.text[start:end], moved)


def _folded(pieces: Sequence[Piece]) -> _Sentence:
    """The pieces as one text with single spaces, and the changes with their offsets there."""
    whole = "".join(piece.text for piece in pieces)
    words = list(re.finditer(r"\S+", whole))
    starts = [word.start() for word in words]
    text = " ".join(word.group() for word in words)
    kept = [0]
    for word in words:
        kept.append(kept[-1] + len(word.group()) + 1)

    def moved(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        if number < 0:
            return 0
        inside = min(offset - starts[number], len(words[number].group()) + 1)
        return min(kept[number] + inside, len(text))

    changes, done = [], 0
    for piece in pieces:
        changes += [one._replace(start=moved(done + one.start)) for one in piece.changes]
        done += len(piece.text)
    return _Sentence(text, tuple(changes))


# The questions on one passage follow one another in every corpus.
@lru_cache(maxsize=64)
def _boundaries(passage: str) -> tuple[int, ...]:
    """Offsets at which a sentence may be put in: the start, and the end of each sentence."""
    ends = [end for end in sentence_ends(passage) if passage[end : end + 1].isspace()]
    last = len(passage)
    return tuple(dict.fromkeys((0, *ends, last))) if passage.strip() else (last,)


def _insert(
    passage: str, texts: Sequence[str], rng: Random
) -> tuple[str, tuple[tuple[int, int], ...], list[int]]:
    """Put each text at a random boundary, the second perhaps before or behind the first.

    Returns:
        The passage, the offsets of the texts in it, and which text stands there.
    """
    boundaries = _boundaries(passage)
    order: list[tuple[int, int]] = []
    for text in range(len(texts)):
        place = rng.randrange(len(boundaries) + len(order))
        before = [one for one in order if one[0] < place]
        order = [*before, (place, text), *((at + 1, one) for at, one in order if at >= place)]
    parts, spans, done, length = [], [], 0, 0
    for number, (place, text) in enumerate(order):
        # A place counts the sentences put in before it too.
        offset = boundaries[place - number]
        for part, is_new in _joined(passage[done:offset], texts[text], at_start=offset == 0):
            if is_new:
                spans.append((length, length + len(part)))
            parts.append(part)
            length += len(part)
        done = offset
    whole = "".join((*parts, passage[done:]))
    if not passage:
        # No space has to part the last sentence from a passage that is not there.
        whole = whole.removesuffix(" ")
    return whole, tuple(spans), [text for _, text in order]


def _joined(before: str, text: str, *, at_start: bool) -> Iterator[tuple[str, bool]]:
    """The passage up to a boundary, the joining space, and the text; or text, then space."""
    yield before, False
    if not at_start:
        yield " ", False
    yield text, True
    if at_start:
        yield " ", False
