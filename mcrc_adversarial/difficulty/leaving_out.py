"""Leave one source out: train on the questions of the other sources, test on those of one.

Paper C's supervised comparison (its appendix D). A tenth of the training passages, drawn by
their ids, selects the checkpoint.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence

from mcrc_adversarial.difficulty.filtering import as_record
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws

_VERSION = 1
_VALIDATION = 0.1
_FEWEST = 2


def source_files(
    examples: Sequence[Example], seed: int = DEFAULT_SEED
) -> Iterator[tuple[str, str]]:
    """`<source>/{train,validation,test}.jsonl` with its text, for the corpus `custom`.

    Raises:
        DataError: a question names no source, there are fewer than two sources, or two whose names
            make one folder.
    """
    unnamed = [one for one in examples if not one.facts.get("source")]
    if unnamed:
        msg = (
            f"{len(unnamed)} of {len(examples)} questions name no source (the first is"
            f" {unnamed[0].id!r}); to leave a source out, that of each question has to be known"
        )
        raise DataError(msg)
    sources = list(dict.fromkeys(str(one.facts["source"]) for one in examples))
    if len(sources) < _FEWEST:
        msg = f"there is no source to leave out: all questions are of {sources[0]!r}"
        raise DataError(msg)
    folders = {re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-"): source for source in sources}
    if len(folders) < len(sources) or "" in folders:
        msg = f"the sources {sources} do not give folders of different names"
        raise DataError(msg)
    for folder, source in folders.items():
        others = [one for one in examples if str(one.facts["source"]) != source]
        selecting = _selecting({one.passage_id for one in others}, source, seed)
        parts = {
            "train": [one for one in others if one.passage_id not in selecting],
            "validation": [one for one in others if one.passage_id in selecting],
            "test": [one for one in examples if str(one.facts["source"]) == source],
        }
        for split, found in parts.items():
            lines = (json.dumps(as_record(one), ensure_ascii=False) for one in found)
            yield f"{folder}/{split}.jsonl", "".join(f"{line}\n" for line in lines)


def _selecting(passages: set[str], source: str, seed: int) -> set[str]:
    """A tenth of the passages, at least one: those with the smallest draws."""
    if len(passages) < _FEWEST:
        msg = f"without {source!r} there is one passage; training and selecting need two"
        raise DataError(msg)
    n = math.ceil(_VALIDATION * len(passages))
    return set(sorted(passages, key=lambda one: (_draw(one, seed), one))[:n])


def _draw(passage_id: str, seed: int) -> float:
    return Draws(seed, "leave-source-out", _VERSION, passage_id, passage_id).question().random()
