"""What the six attacks that replace distractors have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random

from mcrc_adversarial.attacks import Attacked, in_order
from mcrc_adversarial.example import Example
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE, draw_order
from mcrc_adversarial.words import sentences, words


def append(distractor: str, text: str) -> str:
    """`text` behind the distractor, joined by a space unless the distractor is blank."""
    return f"{distractor} {text}" if distractor.strip() else text


# The questions on one passage follow one another in every corpus, so a short memory is enough to
# cut each passage once.
@lru_cache(maxsize=64)
def _pool(passage: str, shuffleable: bool) -> Sequence[str]:
    pool = sentences(passage)
    if shuffleable:
        reach = [(_reach(words(sentence)), sentence) for sentence in pool]
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
    example: Example,
    texts: Iterable[str | None],
    *,
    without_text: str = "no-sentence",
    shuffle: tuple[Random, float] | None = None,
) -> Attacked:
    """Put `texts` in the distractors' place.

    A distractor stays as it is where it has no text, where its text has no other order, and where
    the altered text would equal the answer (case-folded, word by word).

    Args:
        example: the original.
        texts: one for each distractor, in order.
        without_text: the reason given where a text is None.
        shuffle: the stream and the ShuffleDegree threshold, to shuffle each text first.
    """
    if shuffle is None:
        texts = tuple(texts)
        known = [text for text in texts if text is not None]
        if len(known) == len(texts) and _all_differ((example.answer, *known)):
            options = [*known[: example.label], example.answer, *known[example.label :]]
            return _with_options(example, options, [None] * len(options))
    draft = _Draft(example)
    for (position, original), text in zip(_distractors(example), texts, strict=True):
        if text is None:
            draft.keep(position, original, without_text)
        elif shuffle is None:
            draft.put(position, original, text)
        else:
            draft.put_shuffled(position, original, text, *shuffle)
    return draft.finish()


def _all_differ(texts: Sequence[str]) -> bool:
    """Whether no text equals another in all but case and white space.

    Then they differ in their words too, which need not be cut to know it.
    """
    return len({"".join(text.split()).casefold() for text in texts}) == len(texts)


def _with_options(
    example: Example,
    options: Iterable[str],
    degrees: Iterable[float | None],
    reasons: Iterable[str] = (),
) -> Attacked:
    return Attacked(
        passage=example.passage,
        question=example.question,
        options=tuple(options),
        shuffle_degree=tuple(degrees),
        reasons=in_order(set(reasons)),
    )


def _distractors(example: Example) -> list[tuple[int, str]]:
    return [pair for pair in enumerate(example.options) if pair[0] != example.label]


def _key(text: Iterable[str]) -> str:
    return " ".join(text).casefold()


class _Draft:
    """The options as they are replaced one after the other."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self.options = list(example.options)
        self.degrees: list[float | None] = [None] * len(example.options)
        self.reasons: set[str] = set()
        self.answer = _key(words(example.answer))
        # Key of each distractor done so far -> whether one with this key was altered.
        self.done: dict[str, bool] = {}

    def keep(self, position: int, original: str, reason: str) -> None:
        self.reasons.add(reason)
        self._note(_key(words(original)), altered=False)

    def put(self, position: int, original: str, text: str) -> None:
        key = _key(words(text))
        if key == self.answer:
            self.keep(position, original, "equals-answer")
            return
        self.options[position] = text
        self._note(key, altered=text != original)

    def put_shuffled(
        self, position: int, original: str, text: str, rng: Random, threshold: float
    ) -> None:
        sequence = words(text)
        order = draw_order(sequence, rng, threshold, judge=self._judge, never="equals-answer")
        if order is None:
            self.keep(position, original, self._why_no_order(sequence))
            return
        self.options[position] = " ".join(order.words)
        self.degrees[position] = order.degree
        if not order.reached:
            self.reasons.add("threshold-unreachable")
        self._note(_key(order.words), altered=self.options[position] != original)

    def _why_no_order(self, sequence: list[str]) -> str:
        if not sequence:
            return "empty"
        has_one = len(set(sequence)) == 1
        return "one-word" if has_one and _key(sequence) != self.answer else "equals-answer"

    def _judge(self, order: list[str]) -> str:
        key = _key(order)
        if key == self.answer:
            return "equals-answer"
        return "duplicate-distractors" if key in self.done else ""

    def _note(self, key: str, *, altered: bool) -> None:
        if key in self.done and (altered or self.done[key]):
            self.reasons.add("duplicate-distractors")
        self.done[key] = altered or self.done.get(key, False)

    def finish(self) -> Attacked:
        return _with_options(self.example, self.options, self.degrees, self.reasons)
