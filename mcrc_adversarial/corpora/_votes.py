"""The columns of corpora whose questions people and models have answered, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Fact
from mcrc_adversarial.records import Record, as_list, as_text

# The option of a vote that says that the question cannot be answered.
UNANSWERABLE = -1
_PAIR = 2

# Each vote, model and index stands at the same place in the lists that belong together:
# `source` of the passage; `method` that the question was collected by; `writer`, `writing_seconds`;
# `votes` (option from 0, or UNANSWERABLE), `voters`, `vote_seconds`; `filter_votes` and
# `human_votes` (places in `votes`, null where the file draws none); `models`, `models_right`.
VOTE_FACTS: Mapping[str, str] = {
    "source": "string",
    "method": "string",
    "writer": "string",
    "writing_seconds": "float64",
    "votes": "list<int64>",
    "voters": "list<string>",
    "vote_seconds": "list<float64>",
    "filter_votes": "list<int64>",
    "human_votes": "list<int64>",
    "models": "list<string>",
    "models_right": "list<bool>",
}


def index_of(option: int, n_options: int, where: str) -> int:
    """`option` if it is the index of one.

    Raises:
        DataError: it is not.
    """
    if not 0 <= option < n_options:
        msg = f"{where} is {option}; 0 to {n_options - 1} are allowed"
        raise DataError(msg)
    return option


def places(record: Record, name: str, n_votes: int) -> list[int]:
    """Places in the list of votes, each once.

    Raises:
        DataError: one is no place, or comes twice.
    """
    found = record.items(name)
    where = f"{record.where}: field {name!r}"
    kept = [one for one in found if type(one) is int]
    if len(kept) < len(found) or len(set(kept)) < len(kept):
        msg = f"{where} is {found!r}, expected different whole numbers"
        raise DataError(msg)
    return [index_of(one, n_votes, where) for one in kept]


def name_of(value: object, where: str) -> str:
    """A person's or model's name; a whole number is one too."""
    return str(value) if type(value) is int else as_text(value, where)


def right_or_wrong(pairs: Sequence[object], where: str) -> tuple[list[str], list[bool]]:
    """Names and whether each is right, from pairs [name, right?].

    Raises:
        DataError: an item has another form.
    """
    names, right = [], []
    for number, pair in enumerate(pairs):
        place = f"{where}, item {number}"
        parts = as_list(pair, place)
        if len(parts) != _PAIR or parts[1] not in (0, 1):
            msg = f"{place} is {pair!r}, expected a model's name and true or false"
            raise DataError(msg)
        names.append(name_of(parts[0], place))
        right.append(bool(parts[1]))
    return names, right


def seconds(votes: Sequence[Record], name: str, questions: int) -> Fact:
    """Seconds a question of each vote; null where one has none.

    Args:
        votes: the records.
        name: of the field.
        questions: that the time in the field was spent on.
    """
    if not votes or not all(vote.holds(name) for vote in votes):
        return None
    return [vote.number(name) / questions for vote in votes]
