"""What a push changes that nobody asked for by name: one line each, for the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.hub.cards import entries, read_card
from mcrc_adversarial.hub.present import Present


def notes(
    before: Present, card: str, everything: Iterable[FileRecord], removed: Sequence[str]
) -> list[str]:
    """One line for each thing.

    Args:
        before: what the repository holds.
        card: its new one.
        everything: the files that are ours from now on.
        removed: paths that are deleted.
    """
    old, new = read_card(before.card, before.repo_id).data, read_card(card, before.repo_id).data
    return [
        *_outdated(before, everything),
        *_replaced(before, removed),
        *_in_card(old, new),
        *_passed_over(before),
    ]


def _outdated(before: Present, everything: Iterable[FileRecord]) -> Iterator[str]:
    staying = {(record.config, record.split) for record in everything}
    splits: dict[str, list[str]] = {}
    for one in before.records:
        if (one.config, one.split) not in staying:
            splits.setdefault(one.config, []).append(one.split)
    for config, gone in splits.items():
        yield f"removed: {config} {', '.join(gone)} (made with other inputs)"


def _replaced(before: Present, removed: Sequence[str]) -> Iterator[str]:
    ours = {record.path for record in before.records}
    for path in removed:
        if path not in ours:
            yield f"removed: {path} (of the config that was replaced)"


def _in_card(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    stated = old.get("license")
    if stated is not None and stated != new["license"]:
        yield f"card: licence {stated!r} became {new['license']!r}, for it is not that of all rows"
    for name, one in entries(new, "configs").items():
        was = entries(old, "configs").get(name)
        if was is not None and one.get("default") and not was.get("default"):
            yield f"card: {name!r} is marked as the default, for it is what loads without a name"
    if "default" in entries(new, "configs").keys() - entries(old, "configs").keys():
        yield "card: the files that load_dataset found there by itself are the config 'default' now"


def _passed_over(before: Present) -> Iterator[str]:
    if paths := before.passed_over:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        yield (
            f"card: load_dataset took {', '.join(sorted(paths)[:3])}{more} for the data, and no"
            " longer does"
        )
