"""The key of an export: what the sheets hide. It never goes to annotators."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mcrc_adversarial.annotation.items import Item
from mcrc_adversarial.errors import DataError

KEY_FILE = "KEY-do-not-give-to-annotators.json"
WARNING = (
    "Do not give this file to annotators: it says which attack, which row and which answer stands"
    " behind each item. `annotate import` needs it."
)
_FORMAT = 1


@dataclass(frozen=True)
class Key:
    """Everything about an export but its texts.

    Attributes:
        settings: what it was made with; plain JSON values, `seed` and `types` among them.
        items: by name.
        sheets: annotator -> names of the items on their sheet, in order.
    """

    settings: Mapping[str, Any]
    items: Mapping[str, Item]
    sheets: Mapping[str, tuple[str, ...]]

    @cached_property
    def export(self) -> str:
        """The export's own name: a digest of all that the key holds, as in x3f62a8b10c4d."""
        text = json.dumps(self._content(), ensure_ascii=False, sort_keys=True)
        # The letter in front keeps spreadsheets from taking it for a number.
        return f"x{hashlib.blake2b(text.encode('utf-8'), digest_size=6).hexdigest()}"

    @property
    def configs(self) -> tuple[str, ...]:
        """The configs that were asked about, in the order that they were given in."""
        return tuple(self.settings["configs"])

    @property
    def n_met_again(self) -> int:
        """How often an annotator is given another version of a question on their own sheet."""
        return sum(
            count - 1
            for names in self.sheets.values()
            for count in Counter(self.items[name].id for name in names).values()
        )

    def _content(self) -> dict[str, Any]:
        items = {name: _fields(item) for name, item in self.items.items()}
        sheets = {name: list(names) for name, names in self.sheets.items()}
        return {"settings": dict(self.settings), "items": items, "sheets": sheets}

    def text(self) -> str:
        """The text of the key's file."""
        head = {"warning": WARNING, "format": _FORMAT, "export": self.export}
        return json.dumps({**head, **self._content()}, ensure_ascii=False, indent=1) + "\n"


def _fields(item: Item) -> dict[str, Any]:
    fields = asdict(item)
    del fields["name"]
    return {**fields, "order": list(item.order)}


def read_key(path: Path) -> Key:
    """Read what `Key.text` wrote.

    Raises:
        DataError: there is no such file, it is no key, or it was changed.
    """
    if not path.is_file():
        msg = f"{path}: there is no such file; --key wants the {KEY_FILE} of the export"
        raise DataError(msg)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        items = {
            name: Item(**{**fields, "name": name, "order": tuple(fields["order"])})
            for name, fields in content["items"].items()
        }
        sheets = {name: tuple(names) for name, names in content["sheets"].items()}
        key = Key(content["settings"], items, sheets)
        is_whole = (content["format"], content["export"]) == (_FORMAT, key.export)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"{path}: this is no key of an export; --key wants its {KEY_FILE}"
        raise DataError(msg) from error
    if not is_whole:
        msg = f"{path}: the key was changed since `annotate export` wrote it; use the original"
        raise DataError(msg)
    return key
