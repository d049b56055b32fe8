"""Files of votes: JSON Lines, a question each.

`{"id": ..., "config": ..., "votes": [{"annotator": ..., "option": ..., "seconds": ...}, ...],
"types": [...]}`: `option` is an index in the corpus's own order, null for a vote that the question
cannot be answered; `seconds` may be null. Nobody may vote twice on a question. `source`, `method`
and `writing_seconds` may be there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcrc_adversarial.corpora import name_of
from mcrc_adversarial.difficulty.votes import Votes
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.records import Record, as_list, as_text, as_texts, parse_json


@dataclass(frozen=True)
class VotedQuestion:
    """What a line says of a question."""

    votes: Votes
    types: tuple[str, ...]
    source: str | None
    method: str | None
    writing_seconds: float | None


def read_votes(
    path: Path, config: str, say: Callable[[str], None] = lambda _: None
) -> dict[str, VotedQuestion]:
    """The votes on the questions of one config, by the questions' ids.

    Args:
        path: a line may be of another config, as where several were annotated together.
        config: of the questions.
        say: is told how many lines of other configs are left out, where there are any.

    Raises:
        DataError: the file cannot be read, a line is broken, names a question twice, or none is of
            the config.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"file of votes {str(path)!r} cannot be read: {error}"
        raise DataError(msg) from error
    found: dict[str, VotedQuestion] = {}
    others = Counter[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        where = f"file {str(path)!r}, line {number}"
        record = Record(parse_json(line, where), where)
        if record.text("config") != config:
            others[record.text("config")] += 1
            continue
        question_id = record.text("id")
        if question_id in found:
            msg = f"{where}: question {question_id!r} stands in the file twice"
            raise DataError(msg)
        found[question_id] = _question(record)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(others.items()))
    if not found:
        which = (
            f" of config {config!r}, only of others ({counts}); give one of these" if counts else ""
        )
        msg = f"file of votes {str(path)!r} holds no line{which}"
        raise DataError(msg)
    if counts:
        say(f"{others.total()} line(s) of --votes are left out, of other configs ({counts}).")
    return found


def _question(record: Record) -> VotedQuestion:
    votes = [
        Record(value, f"{record.where}, vote {number}")
        for number, value in enumerate(as_list(record.value("votes"), record.where))
    ]
    _check_annotators(votes)
    # Null is a vote too; a vote without the field is a mistake.
    options = tuple(None if one.value("option") is None else one.integer("option") for one in votes)
    return VotedQuestion(
        Votes(
            options,
            tuple(_seconds(one, "seconds") for one in votes),
        ),
        as_texts(record.value("types"), f"{record.where}: field 'types'")
        if record.holds("types")
        else (),
        _text(record, "source"),
        _text(record, "method"),
        _seconds(record, "writing_seconds"),
    )


def _seconds(record: Record, name: str) -> float | None:
    seconds = record.number(name) if record.holds(name) else None
    if seconds is not None and seconds < 0:
        msg = f"{record.where}: field {name!r} is {seconds:g}, expected seconds from 0"
        raise DataError(msg)
    return seconds


def _check_annotators(votes: Sequence[Record]) -> None:
    """Several votes of one person are no agreement."""
    seen: set[str] = set()
    for one in votes:
        if not one.holds("annotator"):
            continue
        name = name_of(one.value("annotator"), f"{one.where}: field 'annotator'")
        if name in seen:
            msg = f"{one.where}: annotator {name!r} votes twice on the question; keep one vote"
            raise DataError(msg)
        seen.add(name)


def _text(record: Record, name: str) -> str | None:
    where = f"{record.where}: field {name!r}"
    return as_text(record.value(name), where) if record.holds(name) else None
