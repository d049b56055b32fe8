"""Which questions people are asked, and what they are shown of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import apply_all, attacks, is_attacked
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import stream_seed

_VERSION = 1


def draws(seed: int, purpose: str, key: str) -> Random:
    """The generator of one decision; it depends on nothing but these three."""
    return Random(stream_seed(seed, f"annotate-{purpose}", _VERSION, "question", key))


class Candidate(NamedTuple):
    """A question that may be asked, as its config has it.

    Attributes:
        config: whose row it is.
        id: of the row.
        passage_id: of the row.
        passage: the text.
        question: may be empty.
        options: in the row's order.
        label: index of the answer.
    """

    config: str
    id: str
    passage_id: str
    passage: str
    question: str
    options: tuple[str, ...]
    label: int


class Catch(NamedTuple):
    """Where catch items come from, and how many a sheet has.

    Attributes:
        pool: questions whose answers are beyond doubt, best first.
        share: of the questions of a sheet, in [0, 1).
    """

    pool: Sequence[Candidate]
    share: float


@dataclass(frozen=True, slots=True)
class Item:
    """What the key holds of a question that was asked.

    Attributes:
        name: running number, as in Q0007.
        config: whose row it is.
        id: of the row.
        passage_id: of the row.
        label: index of the answer in the row's options.
        order: `order[p]` is the index, in the row's options, of the option shown at place p.
        is_catch: whether it is there to test the annotator.
    """

    name: str
    config: str
    id: str
    passage_id: str
    label: int
    order: tuple[int, ...]
    is_catch: bool


class Shown(NamedTuple):
    """What an annotator sees of a question: nothing tells its source or its answer.

    Attributes:
        name: running number.
        passage: the text.
        question: may be empty.
        options: in the shuffled order.
    """

    name: str
    passage: str
    question: str
    options: tuple[str, ...]


def blind(candidate: Candidate, name: str, seed: int, *, is_catch: bool = False) -> Item:
    """Shuffle the options of a question and give it a running number."""
    order = list(range(len(candidate.options)))
    draws(seed, "options", f"{candidate.config} {candidate.id}").shuffle(order)
    return Item(
        name,
        candidate.config,
        candidate.id,
        candidate.passage_id,
        candidate.label,
        tuple(order),
        is_catch,
    )


def shown(item: Item, candidate: Candidate) -> Shown:
    """What is shown of `candidate`, which became `item`."""
    options = tuple(candidate.options[index] for index in item.order)
    return Shown(item.name, candidate.passage, candidate.question, options)


def ranked(examples: Iterable[Example], seed: int) -> list[Example]:
    """The questions in a drawn order, which adding or removing others does not change."""
    return sorted(
        examples,
        key=lambda one: (
            stream_seed(seed, "annotate-sample", _VERSION, "question", one.id),
            one.id,
        ),
    )


def draw(
    examples: Sequence[Example],
    configs: Sequence[ConfigName],
    n: int,
    *,
    seed: int,
    attack_seed: int,
    parameters: Mapping[str, Any],
) -> list[Candidate]:
    """A simple random sample of each config of one corpus, the same questions where possible.

    Of each attack, the first `n` questions in a drawn order that it altered; of the original, all
    questions that any attack has, so that every attacked row has its clean one beside it, or the
    first `n` where there is no attack. An attack that chooses among candidates draws among the
    questions that these are of.

    Args:
        examples: all questions of a split.
        configs: of one corpus.
        n: questions of each attack, at least 1; fewer where it altered fewer.
        seed: of the order.
        attack_seed: seed that the attacks are made with.
        parameters: of the attacks, by name; each takes those that it has.

    Raises:
        ParameterError: an attack altered none of the questions.
    """
    order = ranked(examples, seed)
    found = {
        config: list(islice(_altered(config, order, attack_seed, parameters), n))
        for config in configs
        if config.attack is not None
    }
    for config, rows in found.items():
        if not rows:
            msg = (
                f"config {str(config)!r}: none of {len(order)} questions was altered; leave it out"
            )
            raise ParameterError(msg)
    chosen = {row.id for rows in found.values() for row in rows}
    wanted = [one for one in order if one.id in chosen] if chosen else order[:n]
    for config in configs:
        if config.attack is None:
            found[config] = [original(str(config), one) for one in wanted]
    return [row for config in configs for row in found[config]]


def original(config: str, example: Example) -> Candidate:
    """A question as its corpus has it."""
    return Candidate(
        config,
        example.id,
        example.passage_id,
        example.passage,
        example.question,
        example.options,
        example.label,
    )


def _altered(
    config: ConfigName,
    examples: Sequence[Example],
    seed: int,
    parameters: Mapping[str, Any],
) -> Iterator[Candidate]:
    assert config.attack is not None
    attack = attacks.get(config.attack)
    own = {one.name for one in attack.parameters}
    resolved = attack.resolve({name: parameters[name] for name in parameters if name in own})
    if attack.task is not None:
        file = candidates.read(resolved[attack.task.parameter], attack.task)
        examples = file.among(examples, str(config))
    results = apply_all(attack, examples, seed, resolved)
    for example, attacked in zip(examples, results, strict=True):
        if is_attacked(example, attacked):
            yield Candidate(
                str(config),
                example.id,
                example.passage_id,
                attacked.passage,
                attacked.question,
                attacked.options,
                example.label,
            )


def catch_pool(
    examples: Sequence[Example], config: str, taken: Iterable[Candidate], seed: int
) -> list[Candidate]:
    """Questions for catch items, none that is asked anyway: on other passages first."""
    used = {(one.id, one.passage_id) for one in taken}
    ids, passages = {one for one, _ in used}, {one for _, one in used}
    turns: dict[str, int] = {}
    pool = []
    for one in ranked(examples, seed):
        if one.id not in ids:
            turn = turns[one.passage_id] = turns.get(one.passage_id, 0) + 1
            pool.append((one.passage_id in passages, turn, original(config, one)))
    return [candidate for *_, candidate in sorted(pool, key=lambda one: one[:2])]
