"""Reading JSON records field by field, with the file, the record and the field in every error."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from mcrc_adversarial.errors import DataError


def parse_json(text: str, where: str, *, unique_names: bool = False) -> object:
    """The JSON value that `text` is.

    Args:
        text: one JSON document.
        where: the file, and the line if need be, for messages.
        unique_names: whether a name that an object has twice is an error; else the last one holds.

    Raises:
        DataError: it is no JSON, or none that Python reads.
    """
    try:
        value: object = json.loads(text, object_pairs_hook=_once if unique_names else None)
    except _TwiceError as error:
        msg = f"{where}: the name {error.args[0]!r} comes twice in one object"
        raise DataError(msg) from error
    except json.JSONDecodeError as error:
        # `where` names the line already where the text is one of many.
        at = f"line {error.lineno}, " if error.lineno > 1 else ""
        msg = f"{where}: broken JSON at {at}column {error.colno}: {error.msg}"
        raise DataError(msg) from error
    except RecursionError as error:
        msg = f"{where}: JSON that cannot be read: nested too deeply"
        raise DataError(msg) from error
    except ValueError as error:
        # A number of thousands of digits.
        msg = f"{where}: JSON that cannot be read: {error}"
        raise DataError(msg) from error
    return value


class _TwiceError(Exception):
    """A name that an object has twice."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


class Record:
    """A JSON object whose fields are asked for by name and type.

    Args:
        value: what the JSON parser gave.
        where: file and record, for messages.

    Raises:
        DataError: from here and from every method: the value is missing or has another type.
    """

    __slots__ = ("_fields", "where")

    def __init__(self, value: object, where: str) -> None:
        self.where = where
        if not isinstance(value, Mapping):
            msg = f"{where}: found {_kind(value)}, expected an object with named fields"
            raise DataError(msg)
        self._fields = value

    def names(self) -> list[str]:
        """The names of all fields, in the order of the document."""
        return list(self._fields)

    def value(self, name: str) -> object:
        """What stands in field `name`, of whatever type."""
        return self._get(name)

    def _get(self, name: str) -> object:
        try:
            return self._fields[name]
        except KeyError:
            found = ", ".join(map(str, self._fields)) or "none"
            msg = f"{self.where}: field {name!r} is missing; fields found: {found}"
            raise DataError(msg) from None

    def text(self, name: str) -> str:
        """The text in field `name`."""
        return as_text(self._get(name), f"{self.where}: field {name!r}")

    def integer(self, name: str) -> int:
        """The whole number in field `name`."""
        value = self._get(name)
        if type(value) is not int:
            msg = f"{self.where}: field {name!r} is {_kind(value)}, expected a whole number"
            raise DataError(msg)
        return value

    def number(self, name: str) -> float:
        """The number in field `name`, whole or not."""
        value = self._get(name)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            msg = f"{self.where}: field {name!r} is {_kind(value)}, expected a number"
            raise DataError(msg)
        number = float(str(value))
        # Python reads NaN and Infinity, which JSON does not have.
        if not math.isfinite(number):
            msg = f"{self.where}: field {name!r} is {number}, expected a finite number"
            raise DataError(msg)
        return number

    def flag(self, name: str) -> bool:
        """Whether field `name` is true."""
        value = self._get(name)
        if type(value) is not bool:
            msg = f"{self.where}: field {name!r} is {_kind(value)}, expected true or false"
            raise DataError(msg)
        return value

    def holds(self, name: str) -> bool:
        """Whether there is a field `name`, and it is not null."""
        return self._fields.get(name) is not None

    def items(self, name: str) -> list[object]:
        """The list in field `name`."""
        return as_list(self._get(name), f"{self.where}: field {name!r}")

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts in field `name`."""
        return as_texts(self._get(name), f"{self.where}: field {name!r}")


def as_text(value: object, where: str) -> str:
    """`value` if it is a text.

    Raises:
        DataError: it is not.
    """
    if not isinstance(value, str):
        msg = f"{where} is {_kind(value)}, expected a text"
        raise DataError(msg)
    return value


def as_list(value: object, where: str) -> list[object]:
    """`value` if it is a list.

    Raises:
        DataError: it is not.
    """
    if not isinstance(value, list):
        msg = f"{where} is {_kind(value)}, expected a list"
        raise DataError(msg)
    return value


def as_texts(value: object, where: str) -> tuple[str, ...]:
    """`value` as a tuple if it is a list of texts.

    Raises:
        DataError: it is not.
    """
    items = as_list(value, where)
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) < len(items):
        for index, item in enumerate(items):
            as_text(item, f"{where}, item {index}")
    return texts


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    if value is None:
        return "null"
    return names.get(type(value), "a number")
