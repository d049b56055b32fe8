"""What must hold of every attacked example, whatever the attack: each check raises if it does not.

The degrees are recomputed from the texts alone; `SOURCES` says from which words each text that an
attack shuffles may have come. An attack that reports degrees needs an entry there.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

from reference import degree, key, share_above

from mcrc_adversarial.attacks import REASONS, Attack, Attacked
from mcrc_adversarial.example import Example
from mcrc_adversarial.rows import attack_columns
from mcrc_adversarial.shuffling import MAX_DRAWS
from mcrc_adversarial.words import sentences, words

SHORT = 6

# (example, original distractor) -> the texts that its altered version may be a shuffle of.
_Source = Callable[[Example, str], list[str]]
OPTION_SOURCES: dict[str, _Source] = {
    "addans2opt-shuffle": lambda example, distractor: [f"{distractor} {example.answer}"],
    "ans2opt-shuffle": lambda example, _: [example.answer],
    "sent2opt-shuffle": lambda example, _: sentences(example.passage),
    "addsent2opt-shuffle": lambda example, distractor: [
        f"{distractor} {sentence}" for sentence in sentences(example.passage)
    ],
}
TEXT_SOURCES: dict[str, Callable[[Example], list[str]]] = {
    "addsent2pas-shuffle": lambda example: [" ".join([example.question, *example.distractors])],
    "p-shuffle": lambda example: [example.passage],
    "q-shuffle": lambda example: [example.question],
    "pq-shuffle": lambda example: [example.passage, example.question],
}


def check_everything(
    attack: Attack, example: Example, attacked: Attacked, threshold: float
) -> None:
    """All the checks of this module."""
    check_fields(attack, example, attacked)
    check_distractors(example, attacked)
    check_reasons(attacked)
    check_degree_shape(attack, example, attacked)
    check_degrees(attack, example, attacked, threshold)
    check_columns(attack, example, attacked)
    check_inserted(example, attacked)


def check_fields(attack: Attack, example: Example, attacked: Attacked) -> None:
    """Only the declared fields differ; the answer keeps its text and its index."""
    for name in ("passage", "question", "options"):
        if name not in attack.touches:
            assert getattr(example, name) == getattr(attacked, name)
    assert len(example.options) == len(attacked.options)
    assert example.answer == attacked.options[example.label]


def check_distractors(example: Example, attacked: Attacked) -> None:
    """No altered distractor equals the answer; two that are equal are reported."""
    answer = key(words(example.answer))
    kept_or_altered: list[tuple[str, bool]] = []
    for position, (before, after) in enumerate(zip(example.options, attacked.options, strict=True)):
        if position != example.label:
            assert before == after or key(words(after)) != answer
            kept_or_altered.append((key(words(after)), before != after))
    altered = {text for text, is_altered in kept_or_altered if is_altered}
    texts = Counter(text for text, _ in kept_or_altered)
    if any(texts[text] > 1 for text in altered):
        assert "duplicate-distractors" in attacked.reasons


def check_reasons(attacked: Attacked) -> None:
    """Reasons come from the closed list, once each and in its order."""
    assert attacked.reasons == tuple(code for code in REASONS if code in attacked.reasons)


def check_degree_shape(attack: Attack, example: Example, attacked: Attacked) -> None:
    """One item an option, none at the answer; else one for each text that the attack touches."""
    degrees = attacked.shuffle_degree
    if "options" in attack.touches:
        assert len(degrees) == len(example.options)
        assert degrees[example.label] is None
    else:
        assert len(degrees) == len(attack.touches)
    assert all(one is None or (type(one) is float and 0 < one <= 1) for one in degrees)


def check_columns(attack: Attack, example: Example, attacked: Attacked) -> None:
    """`attacked` is true exactly where a touched field differs; a row left alone says why."""
    columns = attack_columns(example, attacked)
    differs = any(getattr(example, name) != getattr(attacked, name) for name in attack.touches)
    assert differs == columns["attacked"]
    if not differs:
        assert columns["reason"]


def check_inserted(example: Example, attacked: Attacked) -> None:
    """Taking the inserted text out, with its joining space, gives the original passage."""
    rest = attacked.passage
    for start, end in reversed(attacked.inserted):
        assert 0 <= start < end <= len(rest)
        assert rest[start:end] == rest[start:end].strip()
        if start:
            assert rest[start - 1] == " "
            rest = rest[: start - 1] + rest[end:]
        else:
            # In front of everything the joining space stands behind.
            assert rest[end : end + 1] in ("", " ")
            rest = rest[end + 1 :]
    if attacked.inserted:
        assert example.passage == rest


def check_degrees(attack: Attack, example: Example, attacked: Attacked, threshold: float) -> None:
    """Degrees equal a recomputation, and are above the threshold wherever one can be."""
    missed = False
    for reported, text, sources in _slots(attack, example, attacked):
        assert _characters(text) in map(_characters, sources), f"{text!r} is not of {sources!r}"
        missed = missed or reported <= threshold
        if not any(map(_starts_oddly, sources)):
            sequences = _rearranged(text, [words(source) for source in sources])
            assert reported in [degree(sequence, words(text)) for sequence in sequences]
            if reported <= threshold:
                assert any(_is_out_of_reach(sequence, threshold) for sequence in sequences)
    assert missed == ("threshold-unreachable" in attacked.reasons)
    if None in attacked.shuffle_degree and "shuffle" in attack.name:
        _check_nothing_shuffled(example, attacked)


def _characters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def _starts_oddly(text: str) -> bool:
    """Whether a part starts with a mark or zero-width character.

    Such a part at the start of a text clings to another word once it is shuffled.
    """
    return any(unicodedata.category(part[0]) in ("Mn", "Mc", "Me", "Cf") for part in text.split())


def _check_nothing_shuffled(example: Example, attacked: Attacked) -> None:
    options = len(attacked.shuffle_degree) == len(example.options)
    unshuffled = sum(one is None for one in attacked.shuffle_degree)
    if not options or unshuffled > 1:
        assert {"empty", "no-sentence", "one-word", "equals-answer"} & set(attacked.reasons)


def _is_out_of_reach(sequence: list[str], threshold: float) -> bool:
    """Whether a hundred draws may miss: all orders of a short sequence are looked at."""
    if len(sequence) > SHORT:
        # So many different words always have an order above any threshold that a draw misses.
        return len(set(sequence)) < len(sequence) or threshold > 0.9
    return (1 - share_above(sequence, threshold)) ** MAX_DRAWS > 1e-9


def _rearranged(text: str, candidates: list[list[str]]) -> list[list[str]]:
    """Those of the candidates that have the words of `text`."""
    shuffled = Counter(words(text))
    found = [candidate for candidate in candidates if Counter(candidate) == shuffled]
    assert found, f"{text!r} is no other order of any of {candidates!r}"
    return found


def _slots(
    attack: Attack, example: Example, attacked: Attacked
) -> Iterator[tuple[float, str, list[str]]]:
    """Each degree, the text it is of, and the texts that this may be a shuffle of."""
    if "options" in attack.touches:
        for position, reported in enumerate(attacked.shuffle_degree):
            if reported is not None:
                sources = OPTION_SOURCES[attack.name](example, example.options[position])
                yield reported, attacked.options[position], sources
        return
    if any(one is not None for one in attacked.shuffle_degree):
        texts = [getattr(attacked, name) for name in attack.touches]
        if attacked.inserted:
            texts = [attacked.passage[start:end] for start, end in attacked.inserted]
        sources = TEXT_SOURCES[attack.name](example)
        for reported, text, source in zip(attacked.shuffle_degree, texts, sources, strict=True):
            if reported is not None:
                yield reported, text, [source]
