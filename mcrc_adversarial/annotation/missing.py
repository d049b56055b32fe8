"""What the sheets of an import lack, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.reading import Sheets
from mcrc_adversarial.annotation.votes import Judged


def incomplete(key: Key, sheets: Sheets) -> Iterator[str]:
    """Annotators with unanswered items, a line each."""
    for name, number in sheets.incomplete.items():
        total = len(key.sheets[name])
        if number == total:
            yield f"{name}: no answer to any of {total} items; is a file missing?"
        else:
            yield f"{name}: {number} of {total} items have no answer"


def without_votes(key: Key, by_config: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    """Configs with items without votes, a line each."""
    for config in key.configs:
        asked = sum(item.config == config and not item.is_catch for item in key.items.values())
        number = asked - len(by_config.get(config, ()))
        if number:
            yield f"{config}: {number} of {asked} items have no vote that counts"


def without_types(key: Key, items: Iterable[Judged], typing: Collection[str]) -> Iterator[str]:
    """Annotators who were asked for types and gave none, a line each."""
    if key.settings["types"]:
        for name in sorted({vote.annotator for one in items for vote in one.votes} - set(typing)):
            yield f"{name}: the column 'types' was left empty; no vote of theirs counts for types"
