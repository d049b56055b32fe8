"""What the six attacks that replace distractors have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random

from mcrc_adversarial.attacks import Attacked, in_order
from mcrc_adversarial.example import Example
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE, draw_order
from mcrc_adversarial.words import joined_words, sentences, word_key, word_tuple


def append(distractor: str, text: str) -> str:
    """`text` behind the distractor, joined by a space unless the distractor is blank."""
    return f"{distractor} {text}" if distractor.strip() else text


def append_words(distractor: str, text: str) -> tuple[str, ...]:
    """The words of `append(distractor, text)`."""
    return joined_words(distractor, text) if distractor.strip() else word_tuple(text)


# The questions on one passage follow one another in every corpus, and a few hundred rows go through
# one attack after the other: a short memory is enough to cut each passage once.
@lru_cache(maxsize=1 << 9)
def _pool(passage: str, shuffleable: bool) -> Sequence[str]:
    pool = sentences(passage)
    if shuffleable:
        reach = [(_reach(word_tuple(sentence)), sentence) for sentence in pool]
        far = [sentence for degree, sentence in reach if degree > DEFAULT_SHUFFLE_DEGREE]
        pool = far or [sentence for degree, sentence in reach if degree] or pool
    return tuple(pool)


def _reach(sequence: Sequence[str]) -> float:
    """No order of the words has a greater ShuffleDegree: all but the commonest word can move."""
    others = len(sequence) - max(Counter(sequence).values())
    return min(1.0, 2 * others / len(sequence))


def draw_sentences(
    example: Example, rng: Random, *, shuffleable: bool = False
) -> Iterator[str | None]:
    """A random sentence of the passage for each distractor, None for all where there is none.

    Sentences are drawn without replacement while the passage has enough, then anew.

    Args:
        example: where the passage and the number of distractors come from.
        rng: the stream to draw from.
        shuffleable: whether a sentence should have an order far enough from its own (`Er...` has
            none above 0.5); where no sentence of the passage has, one with any other order is
            drawn, and where none has that, any.
    """
    pool = _pool(example.passage, shuffleable)
    missing = len(example.options) - 1
    while missing and pool:
        drawn = rng.sample(pool, min(missing, len(pool)))
        missing -= len(drawn)
        yield from drawn
    for _ in range(missing):
        yield None


def replace_distractors(
    example: Example, texts: Iterable[str | None], *, without_text: str = "no-sentence"
) -> Attacked:
    """Put `texts` in the distractors' place.

    A distractor stays as it is where it has no text, and where the text would equal the answer
    (case-folded, word by word).

    Args:
        example: the original.
        texts: one for each distractor, in order.
        without_text: the reason given where a text is None.
    """
    texts = tuple(texts)
    known = [text for text in texts if text is not None]
    if len(known) == len(texts) and _all_differ((example.answer, *known)):
        options = (*known[: example.label], example.answer, *known[example.label :])
        return _with_options(example, options, (None,) * len(options))
    draft = _Draft(example)
    for position, text in zip(_places(example), texts, strict=True):
        if text is None:
            draft.keep(position, without_text)
        else:
            draft.put(position, text)
    return draft.finish()


def shuffle_distractors(
    example: Example,
    sequences: Iterable[tuple[str, ...] | None],
    rng: Random,
    threshold: float,
) -> Attacked:
    """Shuffle `sequences` and put them in the distractors' place.

    A distractor stays as it is where it has no words, where they have no other order, and where
    each order would equal the answer (case-folded, word by word).

    Args:
        example: the original.
        sequences: the words for each distractor, in order; None where there is no sentence.
        rng: the stream to draw from.
        threshold: the ShuffleDegree must lie strictly above it.
    """
    draft = _Draft(example)
    for position, sequence in zip(_places(example), sequences, strict=True):
        if sequence is None:
            draft.keep(position, "no-sentence")
        else:
            draft.put_shuffled(position, sequence, rng, threshold)
    return draft.finish()


def _all_differ(texts: Sequence[str]) -> bool:
    """Whether no text equals another in all but case and white space.

    Then they differ in their words too, which need not be cut to know it.
    """
    return len({"".join(text.split()).casefold() for text in texts}) == len(texts)


def _places(example: Example) -> list[int]:
    """The indices of the distractors among the options."""
    places = list(range(len(example.options)))
    del places[example.label]
    return places


def _with_options(
    example: Example,
    options: tuple[str, ...],
    degrees: tuple[float | None, ...],
    reasons: tuple[str, ...] = (),
) -> Attacked:
    return Attacked(example.passage, example.question, options, degrees, reasons)


class _Draft:
    """The options as they are replaced one after the other."""

    __slots__ = ("answer", "degrees", "done", "example", "options", "reasons")

    def __init__(self, example: Example) -> None:
        self.example = example
        self.options = list(example.options)
        self.degrees: list[float | None] = [None] * len(self.options)
        self.reasons: set[str] = set()
        self.answer = word_key(example.answer)
        # Key of each distractor done so far -> whether one with this key was altered.
        self.done: dict[str, bool] = {}

    def keep(self, position: int, reason: str) -> None:
        self.reasons.add(reason)
        self._note(word_key(self.options[position]), altered=False)

    def put(self, position: int, text: str) -> None:
        key = word_key(text)
        if key == self.answer:
            self.keep(position, "equals-answer")
            return
        self._replace(position, text, key)

    def put_shuffled(
        self, position: int, sequence: tuple[str, ...], rng: Random, threshold: float
    ) -> None:
        order = draw_order(sequence, rng, threshold, judge=self._judge, never="equals-answer")
        if order is None:
            self.keep(position, self._why_no_order(sequence))
            return
        self.degrees[position] = order.degree
        if not order.reached:
            self.reasons.add("threshold-unreachable")
        self._replace(position, order.text, order.text.casefold())

    def _why_no_order(self, sequence: tuple[str, ...]) -> str:
        if not sequence:
            return "empty"
        has_one = len(set(sequence)) == 1
        equals_answer = " ".join(sequence).casefold() == self.answer
        return "one-word" if has_one and not equals_answer else "equals-answer"

    def _judge(self, text: str) -> str:
        key = text.casefold()
        if key == self.answer:
            return "equals-answer"
        return "duplicate-distractors" if key in self.done else ""

    def _replace(self, position: int, text: str, key: str) -> None:
        is_altered = text != self.options[position]
        self.options[position] = text
        self._note(key, altered=is_altered)

    def _note(self, key: str, *, altered: bool) -> None:
        if key in self.done and (altered or self.done[key]):
            self.reasons.add("duplicate-distractors")
        self.done[key] = altered or self.done.get(key, False)

    def finish(self) -> Attacked:
        return _with_options(
            self.example, tuple(self.options), tuple(self.degrees), in_order(self.reasons)
        )
