"""Examples for a terminal: what an attack changed is marked, and nothing in a text is obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal, NamedTuple

from rich.text import Text

from mcrc_adversarial.attacks import REASONS, Attack, Attacked
from mcrc_adversarial.example import LETTERS, Example

# C0 (but tab and line feed), C1, and what changes the direction of a line or ends it.
_CONTROL = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)
_PIECE = re.compile(r"\s+|\S+")
_STYLES = {"same": "", "removed": "red strike", "inserted": "bold green"}
_MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "inserted": ("{+", "+}")}

Kind = Literal["same", "removed", "inserted"]


class Part(NamedTuple):
    """A stretch of text, and whether it stands in the original, the altered text, or both."""

    kind: Kind
    text: str


def visible(text: str) -> str:
    r"""`text` with its control characters written out, so that a terminal does not obey them.

    >>> visible("a\x1b[31m\u202eb")
    'a\\x1b[31m\\u202eb'
    """
    return _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def difference(
    before: str,
    after: str,
    *,
    is_shuffled: bool = False,
    inserted: Sequence[tuple[int, int]] = (),
) -> list[Part]:
    """What became of a text.

    Args:
        before: the original.
        after: the altered text.
        is_shuffled: whether its words stand in another order, so that all of it is new.
        inserted: [start, end) offsets of what was put in, where the attack says so.

    >>> difference("at home", "at home all day")
    [Part(kind='same', text='at home'), Part(kind='inserted', text=' all day')]
    """
    if before == after:
        parts = [Part("same", after)]
    elif inserted:
        parts = list(_by_offsets(after, inserted))
    elif is_shuffled:
        parts = [Part("removed", before), Part("inserted", after)]
    else:
        parts = list(_by_words(_PIECE.findall(before), _PIECE.findall(after)))
    return [part for part in parts if part.text]


def _by_offsets(after: str, inserted: Sequence[tuple[int, int]]) -> Iterator[Part]:
    done = 0
    for start, end in inserted:
        yield Part("same", after[done:start])
        yield Part("inserted", after[start:end])
        done = end
    yield Part("same", after[done:])


def _by_words(before: Sequence[str], after: Sequence[str]) -> Iterator[Part]:
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for change, first, last, start, end in changes:
        if change == "equal":
            yield Part("same", "".join(after[start:end]))
            continue
        yield Part("removed", "".join(before[first:last]))
        yield Part("inserted", "".join(after[start:end]))


def marked(parts: Sequence[Part], *, in_colour: bool) -> Text:
    """The parts in a row: by styles, or as `[-removed-]{+inserted+}` where there are none."""
    text = Text()
    for kind, group in groupby(parts, key=lambda part: part.kind):
        inside = visible("".join(part.text for part in group))
        if in_colour:
            text.append(inside, style=_STYLES[kind])
        else:
            opening, closing = _MARKS[kind]
            text.append(f"{opening}{inside}{closing}")
    return text


def render(
    example: Example,
    attack: Attack | None = None,
    attacked: Attacked | None = None,
    *,
    in_colour: bool,
) -> Text:
    """One example, or what `attack` made of it, as several lines."""
    lines = [Text(visible(example.id), style="bold")]
    facts = (f"{name}: {value}" for name, value in example.facts.items() if value is not None)
    lines += [Text(visible(fact), style="dim") for fact in facts]
    degrees = _degrees(attack, attacked)
    for name in ("passage", "question"):
        before = getattr(example, name)
        after = before if attacked is None else getattr(attacked, name)
        spans = attacked.inserted if attacked is not None and name == "passage" else ()
        parts = difference(before, after, is_shuffled=degrees.get(name) is not None, inserted=spans)
        lines += [Text(), _heading(name, degrees.get(name)), marked(parts, in_colour=in_colour)]
    lines += [Text(), _heading("options", None)]
    lines += _options(example, attacked, in_colour=in_colour)
    if attacked is not None and attacked.reasons:
        lines.append(Text())
        lines += [Text(f"reason {code}: {REASONS[code]}") for code in attacked.reasons]
    return Text("\n").join(lines)


def _degrees(attack: Attack | None, attacked: Attacked | None) -> Mapping[str, float | None]:
    """ShuffleDegree of passage and question, where the attack shuffles these."""
    if attack is None or attacked is None or "options" in attack.touches:
        return {}
    return dict(zip(attack.touches, attacked.shuffle_degree, strict=True))


def _heading(name: str, degree: float | None) -> Text:
    shown = "" if degree is None else f" (ShuffleDegree {degree:.3f})"
    return Text(f"{name.capitalize()}{shown}", style="bold")


def _options(example: Example, attacked: Attacked | None, *, in_colour: bool) -> Iterator[Text]:
    is_per_option = attacked is not None and len(attacked.shuffle_degree) == len(example.options)
    for position, before in enumerate(example.options):
        after = before if attacked is None else attacked.options[position]
        degree = attacked.shuffle_degree[position] if attacked and is_per_option else None
        star = "*" if position == example.label else " "
        line = Text(f"{star} {LETTERS[position]}  ", style="bold" if star == "*" else "")
        parts = difference(before, after, is_shuffled=degree is not None)
        line.append_text(marked(parts, in_colour=in_colour))
        if degree is not None and before != after:
            line.append(f"  (ShuffleDegree {degree:.3f})", style="dim")
        yield line
