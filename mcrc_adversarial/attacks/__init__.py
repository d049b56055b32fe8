"""Attacks: (example, draws) -> `Attacked`. One file an attack, pure, no bookkeeping.

To add an attack, write one file here with a function under `@register(...)`. `apply` is the only
caller: it derives the randomness and checks that the attack kept its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from mcrc_adversarial.candidates import Task
from mcrc_adversarial.errors import AttackContractError, ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.registry import Registry
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws, check_seed

Field = Literal["passage", "question", "options"]
_TOGETHER = 512
FIELDS: tuple[Field, ...] = ("passage", "question", "options")

# Why an attack, or a part of it, could not apply. A closed list: rows, statistics and cards all
# use these codes, in this order.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "empty": "there was no text to alter",
        "no-sentence": "the passage has no sentence to draw",
        "one-word": "the text has fewer than two different words, so no other order",
        "equals-answer": "an altered distractor would equal the answer; another text stands there",
        "duplicate-distractors": "two distractors are equal, since the words allow no other",
        "threshold-unreachable": "no order drawn was above the ShuffleDegree threshold",
        "option-intact": "a distractor still stands word for word in the shuffled text",
        "no-span": "the passage has no other run of words of the answer's length",
        "one-distractor": "there is one distractor only, so one sentence instead of two",
        "few-candidates": "fewer fit candidates than distractors; original ones fill up",
        "alike": "no further candidate was different enough; the next best ones were taken",
        "same-text": "the texts that were chosen are the original ones",
        "no-word": "the passage or the question has no word that the attack may alter",
        "not-falsified": "a distractor holds nothing that could be altered to make it false",
    }
)


class Change(NamedTuple):
    """One thing that an attack did to a word, for the lineage of a row.

    Attributes:
        text: where: "passage", "question", or the name of a text that the attack made.
        start: character offset of `after` in that text as the attack left it.
        before: the word before, empty where one was put in.
        after: the word as it is now, empty where it was taken out.
        how: by which rule, in a word.
    """

    text: str
    start: int
    before: str
    after: str
    how: str


@dataclass(frozen=True, slots=True)
class Attacked:
    """What an attack made of an example; the answer keeps its text and its index.

    Attributes:
        passage: the passage, altered or not.
        question: the question, altered or not.
        options: as many as before.
        shuffle_degree: an attack on options: one item an option, None at the answer and wherever
            nothing was shuffled; else one item for each of passage and question that it touches.
        reasons: codes of `REASONS`, in that order.
        inserted: [start, end) character offsets of what was put into the passage, without the
            joining space.
        changes: what was done word by word, in the order of the texts; None for attacks that keep
            no lineage.
    """

    passage: str
    question: str
    options: tuple[str, ...]
    shuffle_degree: tuple[float | None, ...]
    reasons: tuple[str, ...] = ()
    inserted: tuple[tuple[int, int], ...] = ()
    changes: tuple[Change, ...] | None = None


# (example, draws, **parameters) -> Attacked. Each attack names its own keyword-only parameters,
# which no signature common to all can.
AttackFunction: TypeAlias = Callable[..., Attacked]
# Resolved parameters -> names of the resources that the attack needs then.
Needs: TypeAlias = Callable[[Mapping[str, Any]], tuple[str, ...]]
# (examples, resolved parameters): readies what the attack will ask for.
Prepare: TypeAlias = Callable[[Sequence[Example], Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an attack, besides the seed.

    Attributes:
        name: keyword of the attack's function.
        default: its value unless the user gives one.
        check: returns the value if it is allowed, else raises `ParameterError`.
        parse: makes a value of what stands on a command line; raises ValueError.
        help: one line: meaning and unit.
    """

    name: str
    default: Any
    check: Callable[[object], Any]
    parse: Callable[[str], Any]
    help: str


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack and the facts about it.

    Attributes:
        name: kebab-case.
        version: raised whenever a row would change; part of the cache fingerprint.
        paper: letter of the paper it is from ("A").
        source: paper and section.
        touches: the fields it may alter, in the order of `FIELDS`.
        summary: what it does, in a few words, for tables.
        parameters: what a user may set besides the seed.
        function: the attack itself.
        has_lineage: whether its rows list what was done word by word, in a column of their own.
        needs: which resources it needs beyond the package; None for none.
        prepare: readies what it needs of several examples at once, for speed alone.
        task: whose candidates it chooses among, made by a model beforehand; None for most.
    """

    name: str
    version: int
    paper: str
    source: str
    touches: tuple[Field, ...]
    summary: str
    parameters: tuple[Parameter, ...]
    function: AttackFunction
    has_lineage: bool = False
    needs: Needs | None = None
    prepare: Prepare | None = None
    task: Task | None = None

    @property
    def is_self_contained(self) -> bool:
        """Whether the package alone is enough for it, on any machine."""
        return self.needs is None

    def resource_names(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """The resources that it needs with these resolved parameters."""
        return () if self.needs is None else self.needs(parameters)

    def resolve(self, given: Mapping[str, object]) -> dict[str, Any]:
        """All parameters with their values: those given, checked, and the defaults of the rest.

        Raises:
            ParameterError: a parameter that the attack does not have, or a value out of range.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        if unknown := sorted(set(given) - set(known)):
            takes = ", ".join(known) or "no parameters besides the seed"
            msg = f"attack {self.name!r} has no parameter {unknown[0]!r}; it takes {takes}"
            raise ParameterError(msg)
        return {name: known[name].check(given.get(name, known[name].default)) for name in known}


attacks: Registry[Attack] = Registry("attack", __name__)


def register(
    name: str,
    *,
    version: int,
    paper: str,
    source: str,
    touches: tuple[Field, ...],
    summary: str,
    parameters: tuple[Parameter, ...] = (),
    has_lineage: bool = False,
    needs: Needs | None = None,
    prepare: Prepare | None = None,
    task: Task | None = None,
) -> Callable[[AttackFunction], AttackFunction]:
    """Decorate a function to register it as an attack; see `Attack` for the arguments."""

    def add(function: AttackFunction) -> AttackFunction:
        attacks.register(
            Attack(
                name=name,
                version=version,
                paper=paper,
                source=source,
                touches=touches,
                summary=summary,
                parameters=parameters,
                function=function,
                has_lineage=has_lineage,
                needs=needs,
                prepare=prepare,
                task=task,
            )
        )
        return function

    return add


def self_contained() -> tuple[str, ...]:
    """Names of the attacks that need nothing beyond the package, sorted.

    `all` and `CORPUS:*` mean these, so that they are the same on every machine; an attack that
    needs a resource is made where it is named.
    """
    return tuple(attack.name for attack in attacks if attack.is_self_contained)


def apply(
    attack: Attack, example: Example, seed: int = DEFAULT_SEED, **parameters: object
) -> Attacked:
    """Attack one example.

    Args:
        attack: from `attacks.get(name)`.
        example: stays as it is.
        seed: an int of at least 0.
        **parameters: those of the attack; each has a default.

    Raises:
        ParameterError: the seed or a parameter is not allowed.
        AttackContractError: the attack broke its own declaration: a bug in it.
    """
    return apply_resolved(attack, example, check_seed(seed), attack.resolve(parameters))


def apply_resolved(
    attack: Attack, example: Example, seed: int, parameters: Mapping[str, Any]
) -> Attacked:
    """`apply` for many examples: `seed` and `parameters` have been checked once, by the caller."""
    draws = Draws(seed, attack.name, attack.version, example.id, example.passage_id)
    attacked = attack.function(example, draws, **parameters)
    _check_contract(attack, example, attacked)
    return attacked


def apply_all(
    attack: Attack, examples: Iterable[Example], seed: int, parameters: Mapping[str, Any]
) -> Iterator[Attacked]:
    """`apply_resolved` for each example, a few hundred of them readied together."""
    if attack.prepare is None:
        for example in examples:
            yield apply_resolved(attack, example, seed, parameters)
        return
    left = iter(examples)
    while some := list(islice(left, _TOGETHER)):
        attack.prepare(some, parameters)
        for example in some:
            yield apply_resolved(attack, example, seed, parameters)


def _check_contract(attack: Attack, example: Example, attacked: Attacked) -> None:
    touches = attack.touches
    if (
        len(attacked.options) != len(example.options)
        or attacked.options[example.label] != example.answer
        or ("passage" not in touches and attacked.passage != example.passage)
        or ("question" not in touches and attacked.question != example.question)
        or ("options" not in touches and attacked.options != example.options)
    ):
        msg = (
            f"attack {attack.name!r} altered the answer or a field besides"
            f" {', '.join(touches)} of record {example.id!r}; this is a bug in the attack"
        )
        raise AttackContractError(msg)
    if attack.has_lineage != (attacked.changes is not None):
        msg = (
            f"attack {attack.name!r} and record {example.id!r}: a lineage is there, or missing,"
            " against what the attack declares; this is a bug in the attack"
        )
        raise AttackContractError(msg)


def is_attacked(example: Example, attacked: Attacked) -> bool:
    """Whether any field differs from the original."""
    return (
        attacked.options != example.options
        or attacked.passage != example.passage
        or attacked.question != example.question
    )


def in_order(reasons: set[str]) -> tuple[str, ...]:
    """The codes among `reasons` that occur, in the order of `REASONS`."""
    return tuple(code for code in REASONS if code in reasons) if reasons else ()
