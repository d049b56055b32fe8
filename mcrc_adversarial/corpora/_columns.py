"""Which columns of a person's own table hold what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import MAX_OPTIONS, MIN_OPTIONS

# Our names -> the user's; several columns for `options` mean one option each, None for `id` or
# `passage_id` means that no column serves as such.
Columns: TypeAlias = Mapping[str, str | Sequence[str] | None]

_REQUIRED = ("passage", "question", "options", "label")
_OPTIONAL = ("id", "passage_id")
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Which columns of a table hold what.

    Attributes:
        passage: name of a text column.
        question: name of a text column.
        options: name of one column of lists (or of JSON lists as text), or the names of 2 to 26
            text columns, one an option; then a question with fewer options has null in the last.
        label: name of a column of indices from 0, or letters.
        id: name of a column of unique texts or integers, None for none.
        passage_id: likewise, shared by the questions on one passage.
    """

    passage: str
    question: str
    options: str | tuple[str, ...]
    label: str
    id: str | None = None
    passage_id: str | None = None

    @property
    def option_columns(self) -> tuple[str, ...]:
        """The column or columns of the options."""
        return (self.options,) if isinstance(self.options, str) else self.options

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are read."""
        optional = (name for name in (self.id, self.passage_id) if name is not None)
        return (self.passage, self.question, *self.option_columns, self.label, *optional)


OURS = ColumnMap("passage", "question", "options", "label", "id", "passage_id")
# On the Hub, RACE's `example_id` is the name of the passage's file, shared by its questions.
RACE = ColumnMap("article", "question", "options", "answer", None, "example_id")


def resolve_columns(
    available: Sequence[str], columns: Columns | None = None, table: str = "the table"
) -> ColumnMap:
    """Find out which of the columns `available` hold what.

    Args:
        available: the names of a table's columns.
        columns: our names -> theirs. What is left out of passage, question, options and label has
            our names; where one of these is not there, each of them singly has our name or RACE's
            on the Hub (article, question, options, answer). A left-out id or passage_id has our
            name, or there is none. Without `columns`, all four have our names, or all RACE's.
        table: its name, for messages.

    Raises:
        DataError: a column is missing, named twice, or has a name that is not known, or both our
            name and RACE's are there where they are looked up singly.
    """
    try:
        return _known(available) if columns is None else _mapped(available, columns)
    except DataError as error:
        msg = f"{table}: {error}"
        raise DataError(msg) from error


def _known(available: Sequence[str]) -> ColumnMap:
    for layout in (OURS, RACE):
        if {layout.passage, layout.question, *layout.option_columns, layout.label} <= {*available}:
            return replace(
                layout,
                id=layout.id if layout.id in available else None,
                passage_id=layout.passage_id if layout.passage_id in available else None,
            )
    msg = (
        f"found the columns {_listed(available)}; needed are {', '.join(_REQUIRED)}, or RACE's"
        " article, question, options, answer; else say which is which, as in"
        ' columns={"passage": "text", "options": ["A", "B", "C", "D"]}, or on the command line'
        " --columns passage=text,options=A+B+C+D"
    )
    raise DataError(msg)


def _listed(names: Sequence[str]) -> str:
    more = f", ... ({len(names)} in all)" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def _mapped(available: Sequence[str], columns: Any) -> ColumnMap:
    if not isinstance(columns, Mapping):
        msg = f"columns is a {type(columns).__name__}; it must map our names to yours"
        raise DataError(msg)
    for name in columns:
        if name not in (*_REQUIRED, *_OPTIONAL):
            takes = ", ".join((*_REQUIRED, *_OPTIONAL))
            msg = f"columns: {name!r} is no name of ours; to be mapped are {takes}"
            raise DataError(msg)
    found = _left_out(available, columns)
    chosen: dict[str, Any] = {name: columns.get(name, found.get(name)) for name in _REQUIRED}
    options = chosen["options"]
    if isinstance(options, Sequence) and not isinstance(options, str):
        chosen["options"] = tuple(options)
        if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
            msg = (
                f"columns: options names {len(options)} columns; name one column of lists as a"
                f" text, or {MIN_OPTIONS} to {MAX_OPTIONS} columns, one an option"
            )
            raise DataError(msg)
    several = chosen["options"] if isinstance(chosen["options"], tuple) else ()
    taken = (*columns.values(), *chosen.values(), *several)
    for name in _OPTIONAL:
        spare = name if name in available and name not in taken else None
        chosen[name] = columns.get(name, spare)
    _check_names(available, chosen)
    return ColumnMap(**chosen)


def _left_out(available: Sequence[str], columns: Columns) -> dict[str, str]:
    """The columns of the texts and the label that a map does not name."""
    missing = [name for name in _REQUIRED if name not in columns]
    if {*missing} <= {*available}:
        return {name: name for name in missing}
    given = [value for value in columns.values() if isinstance(value, str)]
    found = {}
    for ours in missing:
        names = tuple(dict.fromkeys((ours, getattr(RACE, ours))))
        there = [name for name in names if name in available and name not in given]
        if len(there) != 1:
            what = "both" if there else "neither" if len(names) > 1 else "no"
            msg = (
                f"columns: {ours} is not mapped, and there is {what}"
                f" {(' and ' if there else ' nor ').join(map(repr, names))}; say which column"
                f" it is; found {_listed(available)}"
            )
            raise DataError(msg)
        found[ours] = there[0]
    return found


def _check_names(available: Sequence[str], chosen: Mapping[str, Any]) -> None:
    owners: dict[str, str] = {}
    for ours, given in chosen.items():
        if given is None and ours in _OPTIONAL:
            continue
        for theirs in given if isinstance(given, tuple) else (given,):
            if not isinstance(theirs, str) or theirs not in available:
                msg = f"columns: there is no {theirs!r} for {ours}; found {_listed(available)}"
                raise DataError(msg)
            if theirs in owners:
                msg = f"columns: {theirs!r} is named for {owners[theirs]} and again for {ours}"
                raise DataError(msg)
            owners[theirs] = ours
