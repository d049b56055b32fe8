"""Leave one source out: train on the questions of the other sources, test on those of one.

Paper C's supervised comparison (its appendix D). A tenth of the training passages, drawn by
their ids, selects the checkpoint.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence

from mcrc_adversarial.difficulty.filtering import as_record
from mcrc_adversarial.difficulty.slugs import slugs
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws

_VERSION = 1
_VALIDATION = 0.1
_FEWEST = 2


def source_files(
    examples: Sequence[Example],
    seed: int = DEFAULT_SEED,
    say: Callable[[str], object] = lambda _: None,
) -> Iterator[tuple[str, str]]:
    """`<source>/{train,validation,test}.jsonl` with its text, for the corpus `custom`.

    A passage of the source that is left out is nothing to train on, though a question on it names
    another source.

    Args:
        examples: questions that name their sources.
        seed: of the draw of the passages that select the checkpoint.
        say: told what is left out, and which folder is whose where its name does not tell.

    Raises:
        DataError: a question names no source, there are fewer than two sources, or too few passages
            without one.
    """
    sources = _sources(examples)
    for folder, source in zip(slugs(sources), sources, strict=True):
        if folder[:1].isdigit() and not source[:1].isdigit():
            say(f"{folder}: the source {source!r}")
        test = [one for one in examples if _source(one) == source]
        others = _apart(folder, test, [one for one in examples if _source(one) != source], say)
        selecting = _selecting({one.passage_id for one in others}, source, seed)
        parts = {
            "train": [one for one in others if one.passage_id not in selecting],
            "validation": [one for one in others if one.passage_id in selecting],
            "test": test,
        }
        for split, found in parts.items():
            lines = (json.dumps(as_record(one), ensure_ascii=False) for one in found)
            yield f"{folder}/{split}.jsonl", "".join(f"{line}\n" for line in lines)


def _source(one: Example) -> str:
    return str(one.facts["source"])


def _sources(examples: Sequence[Example]) -> list[str]:
    unnamed = [one for one in examples if not one.facts.get("source")]
    if unnamed:
        msg = (
            f"{len(unnamed)} of {len(examples)} questions name no source (the first is"
            f" {unnamed[0].id!r}); to leave a source out, that of each question has to be known"
        )
        raise DataError(msg)
    sources = list(dict.fromkeys(map(_source, examples)))
    if len(sources) < _FEWEST:
        msg = f"there is no source to leave out: all questions are of {sources[0]!r}"
        raise DataError(msg)
    return sources


def _apart(
    folder: str, test: Sequence[Example], others: Sequence[Example], say: Callable[[str], object]
) -> list[Example]:
    """The others without those on a passage of the test, by its id or its text."""
    names, texts = {one.passage_id for one in test}, {one.passage for one in test}
    kept = [one for one in others if one.passage_id not in names and one.passage not in texts]
    if len(kept) < len(others):
        n_passages = len({one.passage_id for one in others} - {one.passage_id for one in kept})
        say(
            f"{folder}: {len(others) - len(kept)} questions on {n_passages} passages are left out"
            " of train and validation, since questions of the test stand on these passages too"
        )
    return kept


def _selecting(passages: set[str], source: str, seed: int) -> set[str]:
    """A tenth of the passages, at least one: those with the smallest draws."""
    if len(passages) < _FEWEST:
        msg = (
            f"without the passages of {source!r} there are {len(passages)}; training and selecting"
            f" need {_FEWEST}"
        )
        raise DataError(msg)
    n = math.ceil(_VALIDATION * len(passages))
    return set(sorted(passages, key=lambda one: (_draw(one, seed), one))[:n])


def _draw(passage_id: str, seed: int) -> float:
    return Draws(seed, "leave-source-out", _VERSION, passage_id, passage_id).question().random()
