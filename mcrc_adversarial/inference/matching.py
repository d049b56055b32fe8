"""Run a sentence encoder as a matching model: see `mcrc_adversarial.encoding.matching`.

Each distinct text of the rows at hand goes through the model once, however many questions and
options are compared with it.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TypeAlias

from torch import Tensor

from mcrc_adversarial.answers import Progress
from mcrc_adversarial.encoding.matching import (
    SCALE,
    EncodedMatch,
    collate_texts,
    text_vectors,
)
from mcrc_adversarial.encoding.question import IntArray
from mcrc_adversarial.inference.scorer import OptionScorer, report

_Sequence: TypeAlias = tuple[EncodedMatch, int]


class MatchScorer(OptionScorer[EncodedMatch]):
    """`OptionScorer` for any `AutoModel` that gives token vectors, and a `MatchEncoder`."""

    def _run(self, name: str, sequences: list[_Sequence], progress: Progress | None) -> list[float]:
        """The logit of each option, in order."""
        texts = _distinct(sequences)
        lengths = [len(text) for text in texts.values()]
        arrays = list(texts.values())

        def embed(batch: list[int]) -> Tensor:
            found = collate_texts([arrays[index] for index in batch], self.pad_id)
            return text_vectors(
                self.model, {key: one.to(self.device) for key, one in found.items()}
            )

        vectors = self._outputs(lengths, embed, partial(report, progress, name)).cpu()
        numbers = {text: number for number, text in enumerate(texts)}
        logits: list[float] = []
        for _, group in groupby(sequences, key=lambda sequence: id(sequence[0])):
            logits += _compared(list(group), vectors, numbers)
        return logits


def _distinct(sequences: list[_Sequence]) -> dict[bytes, IntArray]:
    """Each text that the sequences need, once."""
    texts: dict[bytes, IntArray] = {}
    for question, group in groupby(sequences, key=lambda sequence: sequence[0]):
        needed = [question.seconds[option] for _, option in group]
        for text in (*question.pieces, *needed):
            texts.setdefault(text.tobytes(), text)
    return texts


def _compared(group: list[_Sequence], vectors: Tensor, numbers: dict[bytes, int]) -> list[float]:
    """The logits of some options of one question."""
    question = group[0][0]
    pieces = [numbers[text.tobytes()] for text in question.pieces]
    options = [numbers[question.seconds[option].tobytes()] for _, option in group]
    cosines = vectors[options] @ vectors[pieces].T
    return (SCALE * cosines.amax(1)).tolist()
