"""What people's votes say of a question: valid or not, agreed on or not, answered right or not.

Paper C (Sugawara et al. 2022): of five votes two, drawn at random, filter. A question is valid if
at least one of them is the right option, and has high agreement if both are. The majority of the
other three is the human answer. The paper leaves open what a three-way split counts and whether
"cannot be answered" is a vote like any other; `Rules` makes both a choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws, check_seed

Human = Literal["majority", "mean"]
NoMajority = Literal["wrong", "share", "out"]
Unanswerable = Literal["wrong", "out"]
_VERSION = 1
_N_HUMAN = 3
_DECIMALS = 9


@dataclass(frozen=True)
class Rules:
    """How votes are counted.

    Attributes:
        n_filter: votes that filter.
        n_human: of the other votes, how many measure people; None: as many as the corpus names,
            and 3 where it names none.
        human: `majority`: the option with most votes is the human answer; `mean`: the share of
            right votes.
        no_majority: what a question counts on which several options have most votes (a three-way
            split): `wrong`, `share` (one over the number of these options if the right one is
            among them), or `out` (it has no human answer).
        unanswerable: a vote that the question cannot be answered is a vote for a `wrong` option, or
            is left `out` of the human answer. It never confirms a question either way.
        seed: of the draw, for corpora whose file names no votes.

    Raises:
        ParameterError: a value is out of range.
    """

    n_filter: int = 2
    n_human: int | None = None
    human: Human = "majority"
    no_majority: NoMajority = "wrong"
    unanswerable: Unanswerable = "wrong"
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name, value in (("n_filter", self.n_filter), ("n_human", self.n_drawn)):
            if type(value) is not int or value < 1:
                msg = f"{name} is {value!r}; an integer of at least 1 is needed"
                raise ParameterError(msg)
        for name, kind in (
            ("human", Human),
            ("no_majority", NoMajority),
            ("unanswerable", Unanswerable),
        ):
            if getattr(self, name) not in get_args(kind):
                msg = f"{name} is {getattr(self, name)!r}; allowed: {', '.join(get_args(kind))}"
                raise ParameterError(msg)

    @property
    def n_drawn(self) -> int:
        """How many votes measure people where the corpus names none."""
        return _N_HUMAN if self.n_human is None else self.n_human

    @property
    def is_right_or_wrong(self) -> bool:
        """Whether a human answer is right or wrong, and never partly right."""
        return self.human == "majority" and self.no_majority != "share"

    def sentences(self) -> tuple[str, ...]:
        """The choices, for the notes of tables."""
        of_split = {
            "wrong": "counts as wrong",
            "share": "counts by the right one's share of these options",
            "out": "has no human answer",
        }
        how = (
            f"the option that most of {self.n_drawn} other votes name; a question on which several"
            f" options have most votes {of_split[self.no_majority]}"
            if self.human == "majority"
            else f"the share of right ones among {self.n_drawn} other votes"
        )
        vote = {"wrong": "counts as a wrong option", "out": "is left out of the human answer"}
        return (
            f"Valid: at least one of {self.n_filter} filtering votes is right; high agreement: all"
            f" of them are. Human: {how}. A vote that a question cannot be answered"
            f" {vote[self.unanswerable]}. Where the corpus does not name the votes, they are drawn"
            f" with seed {self.seed}.",
        )


@dataclass(frozen=True)
class Votes:
    """The votes on one question.

    Attributes:
        options: index of the option that each vote names, None for "cannot be answered".
        seconds: that each took; None where not known.
        filtering: places of the votes that filter; None where they are to be drawn.
        measuring: places of the votes that measure people; None as above.
        voters: who voted; empty where not known.
    """

    options: tuple[int | None, ...]
    seconds: tuple[float | None, ...] = ()
    filtering: tuple[int, ...] | None = None
    measuring: tuple[int, ...] | None = None
    voters: tuple[str, ...] = ()

    @property
    def mean_seconds(self) -> float | None:
        """Mean over the votes with a time; None where no vote has one."""
        known = [one for one in self.seconds if one is not None]
        # Equal means of fifths of seconds are to be ties to a rank correlation.
        return round(math.fsum(known) / len(known), _DECIMALS) if known else None


class Judgement(NamedTuple):
    """What the votes say; None where there are too few of them.

    Attributes:
        valid: whether one of the filtering votes is right.
        high_agreement: whether all of them are.
        human: the human answer's accuracy, from 0 to 1.
    """

    valid: bool | None = None
    high_agreement: bool | None = None
    human: float | None = None


def judge(votes: Votes, label: int, question_id: str, rules: Rules) -> Judgement:
    """Count the votes on one question.

    Args:
        votes: on it.
        label: index of the right option.
        question_id: key of the draw.
        rules: for what paper C leaves open.

    Raises:
        DataError: the file names votes that there are not, a vote twice, or either the votes that
            filter or those that measure alone.
        ParameterError: it names another number of votes that measure people than is asked for.

    >>> five = Votes((2, 1, 2, 2, None), filtering=(0, 1), measuring=(2, 3, 4))
    >>> judge(five, 2, "test/1-0", Rules())
    Judgement(valid=True, high_agreement=False, human=1.0)
    """
    filtering, measuring = _drawn(votes, question_id, rules)
    filters = [votes.options[place] == label for place in filtering]
    enough = len(filters) >= rules.n_filter
    return Judgement(
        any(filters) if enough else None,
        all(filters) if enough else None,
        _human([votes.options[place] for place in measuring], label, rules) if measuring else None,
    )


def _drawn(votes: Votes, question_id: str, rules: Rules) -> tuple[Sequence[int], Sequence[int]]:
    """Places of the votes that filter and of those that measure; too few give none."""
    n = len(votes.options)
    if votes.filtering is not None and votes.measuring is not None:
        _check_named(votes.filtering, votes.measuring, n, question_id)
        if rules.n_human not in (None, len(votes.measuring)):
            msg = (
                f"question {question_id!r}: the corpus names {len(votes.measuring)} votes that"
                f" measure people, and {rules.n_human} are asked for; leave out --human-votes"
            )
            raise ParameterError(msg)
        return votes.filtering, votes.measuring
    if votes.filtering is not None or votes.measuring is not None:
        raise _half_named(votes, question_id)
    draws = Draws(rules.seed, "difficulty-votes", _VERSION, question_id, question_id)
    order = draws.question().sample(range(n), n)
    measuring = order[rules.n_filter : rules.n_filter + rules.n_drawn]
    return order[: rules.n_filter], measuring if len(measuring) == rules.n_drawn else ()


def _half_named(votes: Votes, question_id: str) -> DataError:
    parts = ("filter", "measure people")
    named, other = parts if votes.measuring is None else parts[::-1]
    return DataError(
        f"question {question_id!r}: the votes that {named} are named, and those that {other} are"
        " not; name both or neither"
    )


def _check_named(
    filtering: Sequence[int], measuring: Sequence[int], n: int, question_id: str
) -> None:
    """A vote that filtered a question says nothing more of how well people answer it."""
    places = [*filtering, *measuring]
    for number, place in enumerate(places):
        if not 0 <= place < n:
            msg = f"question {question_id!r}: there is no vote {place}; it has {n} votes"
            raise DataError(msg)
        if place in places[:number]:
            msg = (
                f"question {question_id!r}: vote {place} is named twice among those that filter"
                f" ({list(filtering)}) and those that measure people ({list(measuring)}); name each"
                " vote once"
            )
            raise DataError(msg)


def _human(options: Sequence[int | None], label: int, rules: Rules) -> float | None:
    counted = [one for one in options if one is not None or rules.unanswerable == "wrong"]
    if not counted:
        return None
    if rules.human == "mean":
        return counted.count(label) / len(counted)
    counts = Counter(counted)
    most = max(counts.values())
    leading = [option for option, count in counts.items() if count == most]
    if len(leading) == 1:
        return float(leading[0] == label)
    if rules.no_majority == "out":
        return None
    return float(label in leading) / len(leading) if rules.no_majority == "share" else 0.0
