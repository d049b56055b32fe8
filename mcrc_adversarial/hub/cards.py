"""The card of a repository to which others add too: only what is ours is written anew.

Ours are the configs of the manifest, and the text between two marks. Whatever else stands in the
card, YAML keys and configs that a user pushed, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import yaml
from huggingface_hub.repocard import REGEX_YAML_BLOCK

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.export.card import body, metadata
from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.hub.data_files import Claim
from mcrc_adversarial.hub.yaml_text import YamlText, node_of, with_key

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
    default: str | None = None,
) -> str:
    """The text of README.md.

    Args:
        present: the repository's card, None where it has none.
        records: all files that are ours, of which there is at least one.
        dropped: names of the configs whose present entries are no longer true.
        repo_id: of the repository.
        before: the files for which an earlier push wrote the card; none where none did.
        found: an entry for files of others that so far were found without one.
        default: the config of others that `load_dataset` is to take where none is named.

    Raises:
        HubError: the present card cannot be understood, or not be kept as it is.
    """
    theirs = read_card(present, repo_id)
    ours: dict[str, Any] = metadata(records).to_dict()  # type: ignore[no-untyped-call]
    strange = entries(theirs.data, "configs").keys() - entries(ours, "configs").keys()
    is_ours_alone = found is None and strange <= set(dropped)
    written = metadata(before).license if before else None
    ours["license"] = _licence(theirs.data.get("license"), written, ours, is_ours_alone)
    own = f"{_BEGIN}\n\n{body(records, repo_id)}\n{_END}\n"
    try:
        for name, value in ours.items():
            if name in _CONFIGS:
                also = [found] if found is not None and name == "configs" else []
                node = _all_entries(theirs, name, ours, dropped, also, default)
                theirs.block.set(name, node)
            elif name in _LISTS:
                _extend(theirs.block, name, value)
            elif name == "license" or name not in theirs.block.nodes:
                theirs.block.set(name, node_of(value))
        card = theirs.with_text(own)
    except (ValueError, yaml.YAMLError) as error:
        raise _error(repo_id, "kept as it is", error) from error
    _check_kept(theirs.data, read_card(card, repo_id).data, ours, dropped, repo_id)
    return card


class Card(NamedTuple):
    """A card taken apart: what stands before its YAML block, the block, its values, the text."""

    opening: str
    block: YamlText
    data: dict[str, Any]
    text: str
    line_break: str

    def with_text(self, own: str) -> str:
        """The whole of it, with our part of the text written anew."""
        end = self.line_break
        own = own.replace("\n", end)
        before, is_ours, rest = self.text.partition(_BEGIN)
        after = rest.partition(_END)[2]
        if not is_ours:
            after = end
            if before.strip():
                before = before.rstrip("\r\n") + 2 * end
            elif not before:
                before = end
        return f"{self.opening}{self.block}---{end}{before}{own.rstrip()}{after}"


def read_card(text: str | None, repo_id: str) -> Card:
    """Take a card apart; None is an empty one.

    Raises:
        HubError: it cannot be understood.
    """
    text = text or ""
    line_break = "\r\n" if "\r\n" in text else "\n"
    match = REGEX_YAML_BLOCK.match(text)
    opening, block = (match[1], match[2]) if match else (f"---{line_break}", "")
    try:
        data = yaml.safe_load(block) or {}
        card = Card(
            opening, YamlText(block, line_break), data, text[match.end() :] if match else text,
            line_break,
        )  # fmt: skip
        _check(card)
    except (ValueError, TypeError, yaml.YAMLError) as error:
        raise _error(repo_id, "understood", error) from error
    return card


def entries(data: Mapping[str, Any], field: str) -> dict[str, dict[str, Any]]:
    """The entries of `configs` or `dataset_info`, by config name.

    Raises:
        TypeError: they are no mappings.
        ValueError: two have the same name.
    """
    found = data.get(field) or []
    listed = [found] if isinstance(found, dict) else found
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        msg = f"{field} is no list of mappings"
        raise TypeError(msg)
    by_name = {str(one.get("config_name", "default")): one for one in listed}
    if len(by_name) < len(listed):
        msg = f"{field} has two entries of one name"
        raise ValueError(msg)
    return by_name


def _error(repo_id: str, what: str, error: object) -> HubError:
    reason = " ".join(str(error).split())
    return HubError(
        f"README.md of {repo_id!r} cannot be {what} ({reason}); mend or delete it there"
    )


def _check(card: Card) -> None:
    if len(card.data) < len(card.block.nodes) or not all(isinstance(one, str) for one in card.data):
        msg = "its YAML block has keys that are no text, or twice the same"
        raise ValueError(msg)
    marks = re.findall(f"{re.escape(_BEGIN)}|{re.escape(_END)}", card.text)
    if marks not in ([], [_BEGIN, _END]):
        msg = (
            f"the marks {_BEGIN!r} and {_END!r} are not there once each, so that nobody can tell"
            " which text is whose"
        )
        raise ValueError(msg)
    for field in _CONFIGS:
        entries(card.data, field)
    for entry in entries(card.data, "configs").values():
        Claim(entry)
    for name in _LISTS:
        _items(card.block.nodes.get(name), name)


def _items(node: yaml.Node | None, name: str) -> list[yaml.Node]:
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return []
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not all(isinstance(one, yaml.ScalarNode) for one in items):
        msg = f"{name} is no text or list of texts"
        raise TypeError(msg)
    return list(items)


def _extend(block: YamlText, name: str, own: Sequence[str]) -> None:
    present = block.nodes.get(name)
    items = _items(present, name)
    new = [node_of(one) for one in own if one not in {item.value for item in items}]
    if new:
        tag, flow = "tag:yaml.org,2002:seq", getattr(present, "flow_style", False)
        is_list = isinstance(present, yaml.SequenceNode)
        node = yaml.SequenceNode(tag, [*items, *new], flow_style=flow if is_list else False)
        block.set(name, node)


def _all_entries(
    theirs: Card,
    field: str,
    ours: Mapping[str, Any],
    dropped: Collection[str],
    found: Sequence[Mapping[str, Any]],
    default: str | None,
) -> yaml.Node:
    names = list(entries(theirs.data, field))
    present = theirs.block.nodes.get(field)
    listed = present.value if isinstance(present, yaml.SequenceNode) else [present]
    nodes = {
        name: node
        for name, node in zip(names, listed, strict=False)
        if name not in dropped
    }  # fmt: skip
    before = entries(theirs.data, field)
    for name, one in entries(ours, field).items():
        nodes[name] = node_of(_entry(name, one, before.get(name, {})))
    nodes.update({str(one["config_name"]): node_of(one) for one in found})
    if field == "configs" and default in nodes:
        nodes[default] = with_key(nodes[default], "default", True)
    tag = "tag:yaml.org,2002:seq"
    return yaml.SequenceNode(tag, [nodes[name] for name in sorted(nodes)], flow_style=False)


def _entry(name: str, one: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"default": before["default"]} if "default" in before else {}
    return {"config_name": name, **kept, **one}


def _licence(stated: Any, written: Any, ours: Mapping[str, Any], is_ours_alone: bool) -> Any:
    """Ours stands for what is ours, and `other` for what has several."""
    is_written_by_us = is_ours_alone and stated in (None, written)
    return ours["license"] if is_written_by_us or stated == ours["license"] else "other"


def _check_kept(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    ours: Mapping[str, Any],
    dropped: Collection[str],
    repo_id: str,
) -> None:
    """Raise where the value of a key or a config of others is another one than before."""
    shared = {*_LISTS, *_CONFIGS, "license"}
    kept = old.keys() - shared
    lost = [name for name in old if name in kept and (name not in new or new[name] != old[name])]
    for field in _CONFIGS:
        own = entries(ours, field).keys() | set(dropped)
        there = entries(new, field)
        for name, one in entries(old, field).items():
            if name not in own and {**one, "default": 0} != {**there.get(name, {}), "default": 0}:
                lost.append(f"{field} {name}")
    if lost:
        msg = f"{', '.join(lost)} would get another value"
        raise _error(repo_id, "kept as it is", msg)
