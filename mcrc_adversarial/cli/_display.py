"""Examples for a terminal: what an attack changed is marked, and nothing in a text is obeyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.text import Text

from mcrc_adversarial.attacks import REASONS, Attack, Attacked
from mcrc_adversarial.differences import Part, difference, visible
from mcrc_adversarial.example import LETTERS, Example

_STYLES = {"same": "", "removed": "red strike", "inserted": "bold green"}
_MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "inserted": ("{+", "+}")}


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
