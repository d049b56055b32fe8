"""The card of a repository to which others add too: only what is ours is written anew.

Ours are the configs of the manifest, and the text between two marks. Whatever else stands in the
card, YAML keys and configs that a user pushed, stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import yaml
from huggingface_hub import DatasetCard, DatasetCardData

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.export.card import body, metadata
from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.hub.data_files import Claim

_BEGIN = "<!-- mcrc-adversarial: what stands from here to the end mark is written anew -->"
_END = "<!-- /mcrc-adversarial -->"
_LISTS = ("language", "task_categories", "tags")
_CONFIGS = ("dataset_info", "configs")


def merged_card(
    present: str | None,
    records: Sequence[FileRecord],
    dropped: Collection[str],
    repo_id: str,
    *,
    before: Sequence[FileRecord] = (),
    found: Mapping[str, Any] | None = None,
) -> str:
    """The text of README.md.

    Args:
        present: the repository's card, None where it has none.
        records: all files that are ours, of which there is at least one.
        dropped: names of the configs whose present entries are no longer true.
        repo_id: of the repository.
        before: the files for which an earlier push wrote the card; none where none did.
        found: an entry for files of others that so far were found without one.

    Raises:
        HubError: the present card cannot be understood.
    """
    theirs = read_card(present, repo_id)
    ours = read_card(f"---\n{metadata(records).to_yaml()}\n---\n", repo_id)
    their_data = theirs.data if found is None else {**theirs.data, "configs": [dict(found)]}
    data = _merged_data(their_data, ours.data, dropped)
    is_ours_alone = len(data["configs"]) == len(entries(ours.data, "configs"))
    written = metadata(before).license if before else None
    data["license"] = _licence(theirs.data.get("license"), written, ours.data, is_ours_alone)
    block = DatasetCardData(**data).to_yaml(line_break="\n", original_order=list(data))
    own = f"{_BEGIN}\n\n{body(records, repo_id)}\n{_END}\n"
    return f"---\n{block}\n---\n\n{_merged_text(theirs.text, own)}"


class Card(NamedTuple):
    """A card taken apart: its YAML block, and the text below."""

    data: dict[str, Any]
    text: str


def read_card(text: str | None, repo_id: str) -> Card:
    """Take a card apart; None is an empty one.

    Raises:
        HubError: it cannot be understood.
    """
    try:
        card = DatasetCard(text or "---\n{}\n---\n", ignore_metadata_errors=True)
        data: dict[str, Any] = card.data.to_dict()  # type: ignore[no-untyped-call]
        for field in _CONFIGS:
            entries(data, field)
        for entry in entries(data, "configs").values():
            Claim(entry)
    except (ValueError, TypeError, yaml.YAMLError) as error:
        msg = (
            f"README.md of {repo_id!r} cannot be understood ({' '.join(str(error).split())});"
            " mend or delete it there"
        )
        raise HubError(msg) from error
    return Card(data, card.text)


def entries(data: Mapping[str, Any], field: str) -> dict[str, dict[str, Any]]:
    """The entries of `configs` or `dataset_info`, by config name.

    Raises:
        TypeError: they are no mappings.
    """
    found = data.get(field) or []
    listed = [found] if isinstance(found, dict) else found
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        msg = f"{field} is no list of mappings"
        raise TypeError(msg)
    return {str(one.get("config_name", "default")): one for one in listed}


def _merged_data(
    theirs: dict[str, Any], ours: dict[str, Any], dropped: Collection[str]
) -> dict[str, Any]:
    merged = {**ours, **theirs}
    for field in _LISTS:
        merged[field] = list(dict.fromkeys([*_listed(theirs.get(field)), *ours[field]]))
    names = entries(ours, "configs").keys() | set(dropped)
    for field in _CONFIGS:
        before = entries(theirs, field)
        strange = {name: one for name, one in before.items() if name not in names}
        both = {**strange, **entries(ours, field)}
        merged[field] = [_entry(name, both[name], before.get(name, {})) for name in sorted(both)]
    return merged


def _licence(stated: Any, written: Any, ours: Mapping[str, Any], is_ours_alone: bool) -> Any:
    """Ours stands for what is ours, and `other` for what has several."""
    is_written_by_us = is_ours_alone and stated in (None, written)
    return ours["license"] if is_written_by_us or stated == ours["license"] else "other"


def _entry(name: str, one: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"default": before["default"]} if "default" in before else {}
    return {"config_name": name, **kept, **one}


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def _merged_text(text: str, own: str) -> str:
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        before, after = text, ""
    return "\n\n".join(filter(None, (before.strip(), own.strip(), after.strip()))) + "\n"
