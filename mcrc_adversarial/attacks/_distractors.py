"""What the six attacks that replace distractors have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from mcrc_adversarial.attacks import Attacked, in_order
from mcrc_adversarial.example import Example
from mcrc_adversarial.shuffling import draw_order
from mcrc_adversarial.words import sentences, words


def append(distractor: str, text: str) -> str:
    """`text` behind the distractor, joined by a space unless the distractor is empty."""
    return f"{distractor} {text}" if distractor else text


def draw_sentences(
    example: Example, rng: Random, *, shuffleable: bool = False
) -> Iterator[str | None]:
    """A random sentence of the passage for each distractor, None for all where there is none.

    Sentences are drawn without replacement while the passage has enough, then anew.

    Args:
        example: where the passage and the number of distractors come from.
        rng: the stream to draw from.
        shuffleable: whether a sentence needs two different words, so that it has another order;
            where no sentence of the passage has, any is drawn.
    """
    pool: Sequence[str] = sentences(example.passage)
    if shuffleable:
        pool = [sentence for sentence in pool if len(set(words(sentence))) > 1] or pool
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
    draft = _Draft(example)
    for (position, original), text in zip(_distractors(example), texts, strict=True):
        if text is None:
            draft.keep(position, original, without_text)
        elif shuffle is None:
            draft.put(position, original, text)
        else:
            draft.put_shuffled(position, original, text, *shuffle)
    return draft.finish()


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
        if len(set(sequence)) < 2:
            is_answer = _key(sequence) == self.answer
            self.keep(position, original, "equals-answer" if is_answer else "one-word")
            return
        order = draw_order(sequence, rng, threshold, judge=self._judge, never="equals-answer")
        if order is None:
            self.keep(position, original, "equals-answer")
            return
        self.options[position] = " ".join(order.words)
        self.degrees[position] = order.degree
        if not order.reached:
            self.reasons.add("threshold-unreachable")
        self._note(_key(order.words), altered=True)

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
        return Attacked(
            passage=self.example.passage,
            question=self.example.question,
            options=tuple(self.options),
            shuffle_degree=tuple(self.degrees),
            reasons=in_order(self.reasons),
        )
