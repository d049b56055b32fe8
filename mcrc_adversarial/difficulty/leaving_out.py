"""Leave one source out: train on the questions of the other sources, test on those of one.

Paper C's supervised comparison (its appendix D). A tenth of the training passages, drawn by their
ids alone, selects the checkpoint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from mcrc_adversarial.difficulty.filtering import as_record
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws

_VERSION = 1
_VALIDATION = 0.1


def source_files(
    examples: Sequence[Example], seed: int = DEFAULT_SEED
) -> Iterator[tuple[str, str]]:
    """`<source>/{train,validation,test}.jsonl` with its text, for the corpus `custom`.

    Raises:
        DataError: there are fewer than two sources, or two whose names make one folder.
    """
    sources = list(dict.fromkeys(str(one.facts.get("source")) for one in examples))
    if len(sources) < 2:
        msg = f"there is no source to leave out: all questions are of {', '.join(sources)!r}"
        raise DataError(msg)
    folders = {re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-"): source for source in sources}
    if len(folders) < len(sources) or "" in folders:
        msg = f"the sources {sources} do not give folders of different names"
        raise DataError(msg)
    for folder, source in folders.items():
        parts: dict[str, list[Example]] = {"train": [], "validation": [], "test": []}
        for one in examples:
            is_test = one.facts.get("source") == source
            parts["test" if is_test else _split(one, seed)].append(one)
        for split, found in parts.items():
            lines = (json.dumps(as_record(one), ensure_ascii=False) for one in found)
            yield f"{folder}/{split}.jsonl", "".join(f"{line}\n" for line in lines)


def _split(one: Example, seed: int) -> str:
    key = one.passage_id
    draw = Draws(seed, "leave-source-out", _VERSION, key, key).question().random()
    return "validation" if draw < _VALIDATION else "train"
