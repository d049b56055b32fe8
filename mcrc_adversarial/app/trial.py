"""One question under one attack: what comes in from a page, and what became of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from mcrc_adversarial.attacks import Attack, Attacked, apply, attacks
from mcrc_adversarial.corpora.custom import Place, resolve_columns, to_example
from mcrc_adversarial.differences import Part, difference
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.rows import row

# Rows -> one score an option each; the softmax of a row's scores are its probabilities.
Ask: TypeAlias = Callable[[Mapping[str, Any]], Sequence[float]]
# Characters; a page is open to anybody, and an attack takes time by the length.
LONGEST = 20_000
_FIELDS = ("passage", "question", "options", "label")
_COLUMNS = resolve_columns(_FIELDS)
_PLACE = Place("question", 1)


class Field(NamedTuple):
    """A text of the question.

    Attributes:
        name: "Passage", "Question", or an option's letter.
        parts: what stayed, went and came.
        degree: ShuffleDegree from 0 to 1; None where nothing was shuffled.
        is_answer: whether it is the right option.
        chances: the model's probabilities before and after; of options only.
    """

    name: str
    parts: Sequence[Part]
    degree: float | None = None
    is_answer: bool = False
    chances: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, what an attack made of it, and what a model says to both.

    Attributes:
        example: the question.
        attack: the attack.
        attacked: what became of the question.
        chances: probability of each option before and after; None without a model.
    """

    example: Example
    attack: Attack
    attacked: Attacked
    chances: tuple[Sequence[float], Sequence[float]] | None = None

    def texts(self) -> Iterator[Field]:
        """Passage and question."""
        degrees: Mapping[str, float | None] = {}
        if "options" not in self.attack.touches:
            degrees = dict(zip(self.attack.touches, self.attacked.shuffle_degree, strict=True))
        for name in ("passage", "question"):
            spans = self.attacked.inserted if name == "passage" else ()
            degree = degrees.get(name)
            before, after = getattr(self.example, name), getattr(self.attacked, name)
            parts = difference(before, after, is_shuffled=degree is not None, inserted=spans)
            yield Field(name.capitalize(), parts, degree)

    def options(self) -> Iterator[Field]:
        """The options in order."""
        is_per_option = "options" in self.attack.touches
        for number, before in enumerate(self.example.options):
            degree = self.attacked.shuffle_degree[number] if is_per_option else None
            after = self.attacked.options[number]
            parts = difference(before, after, is_shuffled=degree is not None)
            chances = self.chances and (self.chances[0][number], self.chances[1][number])
            is_answer = number == self.example.label
            yield Field(LETTERS[number], parts, degree, is_answer, chances)


def read_question(
    passage: str, question: str, options: str, letter: str, known: Mapping[str, Example]
) -> Example:
    """The question that stands in a page's fields.

    A question of a corpus keeps its id, and so becomes what it is in the corpus's attacked config;
    any other gets the id that `mcrc-adversarial attack` would give it.

    Args:
        passage: text.
        question: text.
        options: one a line, of which blank ones do not count.
        letter: of the right option.
        known: a corpus's questions, by their texts as `key` gives them.

    Raises:
        DataError: an option or the right letter is missing, what comes is no text, or the texts are
            too long.
    """
    given: dict[str, object] = {
        "passage": passage,
        "question": question,
        "options": options,
        "letter": letter,
    }
    for name, value in given.items():
        # The page sends texts alone, but its API takes whatever comes.
        if not isinstance(value, str):
            msg = f"{name} is {value!r:.40}; a text is needed"
            raise DataError(msg)
    texts = [line.strip() for line in options.splitlines() if line.strip()]
    length = len(passage) + len(question) + sum(map(len, texts))
    if length > LONGEST:
        msg = f"the question has {length:,} characters; at most {LONGEST:,} are taken here"
        raise DataError(msg)
    values = (passage, question, texts, _index(letter, len(texts)))
    own = to_example(dict(zip(_FIELDS, values, strict=True)), _COLUMNS, _PLACE)
    return known.get(key(own), own)


def _index(letter: str, n_options: int) -> int:
    """Of the right option; what stands for wrong numbers of options is refused with these."""
    known, given = LETTERS[:n_options], letter.strip().upper()
    index = known.find(given) if len(given) == 1 else -1
    if index < 0 and known:
        msg = f"the right option is {letter!r:.40}; its letter is needed, A to {known[-1]}"
        raise DataError(msg)
    return index


def key(example: Example) -> str:
    """Equal for questions with the same texts and answer."""
    return "\0".join((example.passage, example.question, *example.options, str(example.label)))


def try_attack(
    example: Example, name: str, seed: int, threshold: float, ask: Ask | None = None
) -> Trial:
    """Attack a question, and ask a model about both forms.

    Args:
        example: the question.
        name: of the attack.
        seed: an int of at least 0.
        threshold: ShuffleDegree to lie above, for attacks that shuffle; others ignore it.
        ask: a model.

    Raises:
        UnknownNameError: there is no such attack.
        ParameterError: seed or threshold are not allowed.
    """
    attack = attacks.get(name)
    takes = {parameter.name for parameter in attack.parameters}
    given = {"shuffle_degree": threshold} if "shuffle_degree" in takes else {}
    attacked = apply(attack, example, seed, **given)
    if ask is None:
        return Trial(example, attack, attacked)
    before, after = (_chances(ask(one)) for one in (row(example), row(example, attacked)))
    return Trial(example, attack, attacked, (before, after))


def _chances(scores: Sequence[float]) -> list[float]:
    """Softmax."""
    most = max(scores)
    weights = [math.exp(score - most) for score in scores]
    return [weight / sum(weights) for weight in weights]
