"""Filled sheets -> answers: everything that is wrong with them is said, nothing is guessed."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.sheets import (
    ANNOTATOR,
    ANSWER,
    COMMENT,
    EXPORT,
    ITEM,
    NEEDED,
    SECONDS,
    TYPES,
    UNANSWERABLE,
)
from mcrc_adversarial.annotation.texts import misplaced
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES, type_name
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.spreadsheets import restored

# What spreadsheets put between cells; none of it stands in a heading of ours.
_DELIMITERS = (",", ";", "\t")
# A passage may be longer than what the csv module takes for a cell unless told.
_LONGEST_CELL = 1 << 27


class Answer(NamedTuple):
    """One filled line of a sheet.

    Attributes:
        annotator: who.
        item: name of the item.
        place: of the option chosen, as shown; None for "unanswerable".
        seconds: that it took, None where not measured.
        types: comprehension types, in the order of `COMPREHENSION_TYPES`.
        comment: of the annotator, often empty.
    """

    annotator: str
    item: str
    place: int | None
    seconds: float | None
    types: tuple[str, ...]
    comment: str


@dataclass(frozen=True)
class Sheets:
    """What was read.

    Attributes:
        answers: in the order of the files.
        files: how many were read.
        problems: a line each, naming file and line.
        incomplete: annotator -> items of the sheet without an answer, none where there is none.
    """

    answers: tuple[Answer, ...]
    files: int
    problems: tuple[str, ...]
    incomplete: Mapping[str, int]


class _Line(NamedTuple):
    """One line that is filled or not, and where it stands."""

    where: str
    annotator: str
    item: str
    answer: Answer | None


class _Place(NamedTuple):
    path: Path
    where: str


class _ProblemError(Exception):
    """A line that cannot be used; the message is for the annotator's employer."""


def read_sheets(paths: Sequence[Path], key: Key) -> Sheets:
    """Read filled sheets: CSV files of the export, or what its forms saved.

    Args:
        paths: of the files.
        key: of the export.

    Returns:
        All answers, and all problems; where there is a problem, the answers are not all.
    """
    problems: list[str] = []
    answers: dict[tuple[str, str], Answer] = {}
    first: dict[tuple[str, str], _Place] = {}
    for path in paths:
        in_file: dict[tuple[str, str], _Place] = {}
        again: list[tuple[_Line, _Place]] = []
        for line in _lines(path, key, problems):
            at = (line.annotator, line.item)
            before = in_file.get(at) or (line.answer and first.get(at))
            if before:
                again.append((line, before))
                continue
            in_file[at] = _Place(path, line.where)
            if line.answer is not None:
                first[at] = _Place(path, line.where)
                answers[at] = line.answer
        problems += _answered_before(again)
    missing = {
        name: sum((name, item) not in answers for item in items)
        for name, items in key.sheets.items()
    }
    incomplete = {name: number for name, number in missing.items() if number}
    return Sheets(tuple(answers.values()), len(paths), tuple(problems), incomplete)


def _answered_before(again: Sequence[tuple[_Line, _Place]]) -> Iterator[str]:
    """A line for the lines that one annotator answered in one earlier file: a sheet given twice."""
    groups: dict[tuple[str, Path], list[tuple[_Line, _Place]]] = {}
    for line, before in again:
        groups.setdefault((line.annotator, before.path), []).append((line, before))
    for (annotator, path), found in groups.items():
        line, before = found[0]
        if len(found) == 1:
            yield f"{line.where}: {annotator} answered it before, in {before.where}"
        else:
            yield (
                f"{line.where} and {len(found) - 1} more: {annotator} answered them before, in"
                f" {path}; give each sheet once"
            )


def sheet_files(paths: Sequence[Path]) -> list[Path]:
    """The files among `paths`, and the .csv files of the folders among them, by name.

    Raises:
        DataError: a folder has none.
    """
    files = []
    for path in paths:
        own = sorted(path.glob("*.csv")) if path.is_dir() else [path]
        if not own:
            msg = f"{path}: the folder has no .csv file; give filled sheets, or saved answers"
            raise DataError(msg)
        files += own
    return files


def _lines(path: Path, key: Key, problems: list[str]) -> Iterator[_Line]:
    """The lines of a file that can be used; what is wrong with the others is added."""
    try:
        for number, cells in _records(path):
            try:
                yield _line(cells, f"{path}, line {number}", key)
            except _ProblemError as problem:
                problems.append(str(problem))
    except DataError as error:
        problems.append(str(error))


def _records(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Number of the first line of each record, and its cells by column, as they were written."""
    text = _text(path)
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    heading = [cell.strip() for cell in next(reader, [])]
    missing = [name for name in NEEDED if heading.count(name) != 1]
    if missing:
        msg = (
            f"{path}, line 1: column {missing[0]!r} is not there once; a sheet has"
            f" {', '.join(NEEDED)}, and may have {TYPES}, {SECONDS}, {COMMENT}"
        )
        raise DataError(msg)
    number = reader.line_num + 1
    try:
        for record in reader:
            if any(map(str.strip, record)):
                cells = [*map(restored, record), *[""] * (len(heading) - len(record))]
                yield number, dict(zip(heading, cells, strict=False))
            number = reader.line_num + 1
    except csv.Error as error:
        msg = f"{path}, line {number}: {error}; save the sheet as 'CSV UTF-8' again"
        raise DataError(msg) from error


def _text(path: Path) -> str:
    if not path.is_file():
        msg = f"{path}: there is no such file"
        raise DataError(msg)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 at byte {error.start}; save the sheet as 'CSV UTF-8'"
        raise DataError(msg) from error


def _line(cells: Mapping[str, str], place: str, key: Key) -> _Line:
    export, annotator, item = (cells[name].strip() for name in (EXPORT, ANNOTATOR, ITEM))
    if export != key.export:
        msg = f"{place}: a sheet of export {export!r}; the key is of {key.export!r}"
        # All other lines would say the same.
        raise DataError(msg)
    if annotator not in key.sheets:
        msg = f"{place}: {annotator!r} is no annotator of this export"
        raise _ProblemError(msg)
    if item not in key.items:
        msg = f"{place}: {item!r} is no item of this export"
        raise _ProblemError(msg)
    if item not in key.sheets[annotator]:
        msg = f"{place}: item {item} is not on the sheet of {annotator}"
        raise _ProblemError(msg)
    where = f"{place}, item {item}"
    _check_texts(cells, where, item, key)
    return _Line(where, annotator, item, _answer(cells, where, len(key.items[item].order)))


def _check_texts(cells: Mapping[str, str], where: str, item: str, key: Key) -> None:
    # Keys of earlier versions have no digests.
    known = key.settings.get("text_digests", {})
    if item in known and (column := misplaced(cells, known[item], known)):
        msg = (
            f"{where}: the cell {column!r} holds another text of this export than the item's; undo"
            " what moved the cells (a sort of some columns?), or delete the columns of texts"
        )
        raise _ProblemError(msg)


def _answer(cells: Mapping[str, str], where: str, n_options: int) -> Answer | None:
    text = cells[ANSWER].strip()
    # Without an answer the other cells have no meaning: time runs as soon as a form is open.
    if not text:
        return None
    letters = LETTERS[:n_options]
    if text.lower() == UNANSWERABLE:
        place = None
    elif len(text) == 1 and text.upper() in letters:
        place = letters.index(text.upper())
    else:
        msg = f"{where}: answer {text!r} is none of {', '.join(letters)}, {UNANSWERABLE}"
        raise _ProblemError(msg)
    return Answer(
        cells[ANNOTATOR].strip(),
        cells[ITEM].strip(),
        place,
        _seconds(cells.get(SECONDS, "").strip(), where),
        _types(cells.get(TYPES, ""), where),
        cells.get(COMMENT, "").strip(),
    )


def _seconds(text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        seconds = float(text) if text.isascii() else math.nan
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        msg = f"{where}: seconds {text!r} is no number of seconds, as in 41 or 41.5"
        raise _ProblemError(msg)
    return seconds


def _types(text: str, where: str) -> tuple[str, ...]:
    given = [type_name(one.strip()) for one in text.split(";") if one.strip()]
    unknown = [one for one in given if one not in COMPREHENSION_TYPES]
    if unknown:
        allowed = "; ".join(COMPREHENSION_TYPES)
        msg = f"{where}: type {unknown[0]!r} is none of {allowed}"
        raise _ProblemError(msg)
    return tuple(one for one in COMPREHENSION_TYPES if one in given)
