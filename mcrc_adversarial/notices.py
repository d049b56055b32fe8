"""What a page or a sheet that shows a corpus's texts says about their licence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone

from mcrc_adversarial.corpora import Licence, corpora


def licence_lines(names: Iterable[str], changed_on: str) -> list[str]:
    """The corpora with their licences, and the notices that these ask for, a paragraph each.

    Args:
        names: of the corpora, in any order.
        changed_on: the day that the texts were altered on, as in 2026-01-31.
    """
    titles: dict[Licence, list[str]] = {}
    for name in sorted(set(names)):
        titles.setdefault(corpora.get(name).licence, []).append(corpora.get(name).title)
    lines = []
    for licence, of_licence in titles.items():
        lines.append(f"{'; '.join(of_licence)}: licence {licence.name}.")
        if licence.notice:
            lines[-1] += f" {licence.notice} Changed on {changed_on}."
    return lines


def today() -> str:
    """The day in UTC, as in 2026-01-31."""
    return datetime.now(timezone.utc).date().isoformat()
