"""What a report could not compute, and why: one line a corpus and cause, the gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from mcrc_adversarial.configs import parse_config

_ORIGINAL = "original"
_MOST_NAMED = 4


class Weight(IntEnum):
    """How much a reader has to know of it, gravest first."""

    MISLEADS = 0
    LACKS_DATA = 1
    PART = 2
    ASIDE = 3


class Gap(NamedTuple):
    """Something that is not in a report.

    Attributes:
        why: a clause, without the names of what follows and without a full stop.
        about: model or run.
        configs: that it is about, of one corpus; or none.
        effect: what that leaves out, a clause.
        weight: of all gaps, the gravest come first.
    """

    why: str
    about: str = ""
    configs: tuple[str, ...] = ()
    effect: str = ""
    weight: Weight = Weight.PART


# A plain sentence counts as `Weight.PART`.
Missing: TypeAlias = str | Gap


def lines(missing: Iterable[Missing]) -> list[str]:
    """Sentences; those that differ in the config or the effect alone are one."""
    found: dict[tuple[str, str, str], list[Gap]] = {}
    for one in missing:
        gap = Gap(one) if isinstance(one, str) else one
        corpus = parse_config(gap.configs[0]).corpus if gap.configs else ""
        found.setdefault((gap.why, gap.about, corpus), []).append(gap)
    groups = sorted(found.values(), key=lambda gaps: min(gap.weight for gap in gaps))
    return [_line(gaps) for gaps in groups]


def _line(gaps: Sequence[Gap]) -> str:
    first = gaps[0]
    configs = list(dict.fromkeys(name for gap in gaps for name in gap.configs))
    effects = dict.fromkeys(gap.effect for gap in gaps if gap.effect)
    about = ", ".join(part for part in (first.about, _listed(configs)) if part)
    return f"{about}{': ' if about else ''}{'; '.join((first.why.rstrip('.'), *effects))}."


def _listed(configs: Sequence[str]) -> str:
    """Configs of one corpus: `race (original, addsent2opt)`, or `race (original, 13 attacks)`."""
    if len(configs) < 2:
        return "".join(configs)
    parts = [parse_config(name) for name in configs]
    original = [_ORIGINAL for one in parts if one.attack is None]
    attacks = [one.attack for one in parts if one.attack is not None]
    told = attacks if len(attacks) <= _MOST_NAMED else [f"{len(attacks)} attacks"]
    return f"{parts[0].corpus} ({', '.join(original + told)})"
