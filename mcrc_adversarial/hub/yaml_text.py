"""A block of YAML that is changed key by key: what is not set stays letter for letter."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import yaml

_COMMENT = re.compile(r"(?:^|(?<=\s))#", re.MULTILINE)


class YamlText:
    """The text of a mapping, and its parts.

    Args:
        text: of the block; may be empty.
        line_break: for what is written.

    Raises:
        TypeError: it is no mapping.
        ValueError: its keys do not stand one a line.
        yaml.YAMLError: it is no YAML.
    """

    def __init__(self, text: str, line_break: str = "\n") -> None:
        self._line_break = line_break
        self.nodes: dict[str, yaml.Node] = {}
        self._texts: dict[str, str] = {"": text}
        root = composed(text)
        if root is None:
            return
        if not isinstance(root, yaml.MappingNode):
            msg = "its YAML block is no mapping"
            raise TypeError(msg)
        if not root.value:
            self._texts[""] = ""
            return
        starts = [key.start_mark.index for key, _ in root.value]
        if any(key.start_mark.column for key, _ in root.value) or root.flow_style:
            msg = "the keys of its YAML block do not begin their lines"
            raise ValueError(msg)
        self.nodes = {str(key.value): value for key, value in root.value}
        self._texts[""] = text[: starts[0]]
        for name, start, end in zip(self.nodes, starts, [*starts[1:], len(text)], strict=True):
            self._texts[name] = text[start:end]

    def set(self, name: str, node: yaml.Node) -> None:
        """Give a key this value; its text stays where that is the one that it has.

        Raises:
            ValueError: it would lose a comment.
        """
        before = self.nodes.get(name)
        if before is not None and _value(before) == _value(node):
            return
        old, trail = _without_trail(self._texts.get(name, ""))
        if _has_comment(old):
            msg = f"there is a comment within {name!r}, which would be lost"
            raise ValueError(msg)
        self.nodes[name], self._texts[name] = node, self._written(name, node) + trail

    def __str__(self) -> str:
        ended = (
            one if not one or one.endswith(("\n", "\r")) else one + self._line_break
            for one in self._texts.values()
        )
        return "".join(ended)

    def _written(self, name: str, node: yaml.Node) -> str:
        both = yaml.MappingNode("tag:yaml.org,2002:map", [(node_of(name), node)], flow_style=False)
        text: str = yaml.serialize(
            both, Dumper=yaml.SafeDumper, allow_unicode=True, width=inf, line_break=self._line_break
        )
        return text


def composed(text: str) -> yaml.Node | None:
    """The nodes of a text, in which every scalar still has its letters."""
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    return node


def node_of(value: Any) -> yaml.Node:
    """The node of a value."""
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=inf)
    node = composed(text)
    assert node is not None
    return node


def with_key(node: yaml.MappingNode, name: str, value: Any) -> yaml.MappingNode:
    """A mapping with one key set, which comes second where it is new."""
    others = [pair for pair in node.value if pair[0].value != name]
    pairs = [*others[:1], (node_of(name), node_of(value)), *others[1:]]
    return yaml.MappingNode(node.tag, pairs, flow_style=node.flow_style)


def _value(node: yaml.Node) -> tuple[str, Any]:
    """What a node says, however it is quoted and laid out."""
    if isinstance(node, yaml.ScalarNode):
        return node.tag, node.value
    if isinstance(node, yaml.MappingNode):
        return node.tag, [(_value(key), _value(value)) for key, value in node.value]
    return node.tag, [_value(one) for one in node.value]


def _without_trail(text: str) -> tuple[str, str]:
    """A key's own lines, and the empty and comment lines between it and the next key."""
    lines = text.splitlines(keepends=True)
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return "".join(lines[:end]), "".join(lines[end:])


def _has_comment(text: str) -> bool:
    marks = [match.start() for match in _COMMENT.finditer(text)]
    if not marks:
        return False
    scalars = [
        (event.start_mark.index, event.end_mark.index)
        for event in yaml.parse(text, Loader=yaml.SafeLoader)
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark
    ]
    return not all(any(low <= mark < high for low, high in scalars) for mark in marks)
