"""Rows of multiple-choice questions -> what the two tasks train on, in tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from mcrc_adversarial.distractors.generation import encode_sources
from mcrc_adversarial.distractors.insertion import with_options
from mcrc_adversarial.distractors.windows import encode_windows
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.words import bare_key

# The most that the paper's model predicts of a target (B's run_unilm.sh).
_TARGET_TOKENS = 30
_BATCH = 256

Rows = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class SpanEncoder:
    """Windows of passages that hold the options, with the tokens of the right one.

    A window that does not hold all of it points to its first token, as is usual for SQuAD.
    """

    tokenizer: PreTrainedTokenizerBase
    max_length: int
    stride: int
    seed: int

    def __call__(self, rows: Rows) -> dict[str, list[Any]]:
        """Encode a batch of rows."""
        made = [
            (question, with_options(row_id, passage, options, label, self.seed))
            for row_id, passage, question, options, label in zip(
                *(rows[name] for name in ("id", "passage", "question", "options", "label")),
                strict=True,
            )
        ]
        kept = [(question, one) for question, one in made if one is not None]
        names = [*self.tokenizer.model_input_names, "start_positions", "end_positions"]
        found: dict[str, list[Any]] = {name: [] for name in names}
        if not kept:
            return found
        windows = encode_windows(
            self.tokenizer,
            [question for question, _ in kept],
            [one.passage for _, one in kept],
            max_length=self.max_length,
            stride=self.stride,
        )
        for number, owner in enumerate(windows["overflow_to_sample_mapping"]):
            one = kept[owner][1]
            first, last = token_span(
                windows["offset_mapping"][number],
                [which == 1 for which in windows.sequence_ids(number)],
                (one.start, one.end),
            )
            for name in self.tokenizer.model_input_names:
                found[name].append(windows[name][number])
            found["start_positions"].append(first)
            found["end_positions"].append(last)
        return found


def token_span(
    offsets: Sequence[tuple[int, int]], is_passage: Sequence[bool], place: tuple[int, int]
) -> tuple[int, int]:
    """The first and last token of characters [start, end); (0, 0) where not all are in the window.

    >>> token_span([(0, 0), (0, 3), (4, 7)], [False, True, True], (4, 7))
    (2, 2)
    """
    start, end = place
    inside = [
        number
        for number, (first, last) in enumerate(offsets)
        if is_passage[number] and first < end and last > start
    ]
    if not inside or offsets[inside[0]][0] > start or offsets[inside[-1]][1] < end:
        return 0, 0
    return inside[0], inside[-1]


@dataclass(frozen=True)
class PairEncoder:
    """Passage and question -> one distractor; each distractor of a row is an item.

    Distractors that are blank, or equal to the answer but for marks at the ends, are left out.
    """

    tokenizer: PreTrainedTokenizerBase
    max_length: int

    def __call__(self, rows: Rows) -> dict[str, list[Any]]:
        """Encode a batch of rows."""
        passages, questions, targets = [], [], []
        for passage, question, options, label in zip(
            *(rows[name] for name in ("passage", "question", "options", "label")), strict=True
        ):
            answer = bare_key(options[label])
            for place, option in enumerate(options):
                if place != label and option.strip() and bare_key(option) != answer:
                    passages.append(passage)
                    questions.append(question)
                    targets.append(" ".join(option.split()))
        if not targets:
            return {"input_ids": [], "attention_mask": [], "labels": []}
        sources = encode_sources(self.tokenizer, questions, passages, self.max_length)
        labels = self.tokenizer(text_target=targets, truncation=True, max_length=_TARGET_TOKENS)
        return {
            "input_ids": sources["input_ids"],
            "attention_mask": sources["attention_mask"],
            "labels": labels["input_ids"],
        }


def encoded(rows: Dataset, encoder: SpanEncoder | PairEncoder) -> Dataset:
    """All rows in tokens, on disk.

    Raises:
        DataError: no row gives anything to train on.
    """
    found = rows.map(
        encoder,
        batched=True,
        batch_size=_BATCH,
        remove_columns=rows.column_names,
        desc="encoding",
    )
    if not len(found):
        msg = "no question is left to train on: all right options, or all distractors, are blank"
        raise DataError(msg)
    return found
