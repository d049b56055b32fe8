"""A line on how a released altered set differs from the corpus that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcrc_adversarial.comparison import compare
from mcrc_adversarial.corpora import Corpus, corpora, find_source, read_split
from mcrc_adversarial.tables import is_at_hand


def against_original(
    corpus: Corpus, splits: Sequence[str], data_dir: Path | None, *, verify: bool
) -> list[str]:
    """One line a split; none where the corpus has no original, or that is not on this machine.

    Args:
        corpus: the altered set.
        splits: of both.
        data_dir: where raw files are; see `find_source`.
        verify: whether the set must be the published one; its original need not be.

    Raises:
        McrcError: raw files are broken, or those of the set are not the published ones.
    """
    original = corpora.get(corpus.original) if corpus.original else None
    if original is None or not is_at_hand(original, data_dir):
        return []
    lines = []
    for split in splits:
        rows = [
            read_split(one, find_source(one, data_dir), split, verify=verify and one is corpus)
            for one in (corpus, original)
        ]
        found = compare(*rows)
        counts = ", ".join(f"{what} {len(ids)}" for what, ids in found.differing.items())
        lines.append(
            f"{corpus.name} and {original.name}, {split}: in both {found.in_both}, {counts}"
            f" (`mcrc-adversarial compare {corpus.name}` shows which)"
        )
    return lines
