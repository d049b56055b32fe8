"""The best spans of a passage for a question, by any `AutoModelForQuestionAnswering`.

Source: paper B (AdvRACE, arXiv:2004.14004), distractor extraction, which predicts the 20 best spans
(Attacks/DE). A span's score is the sum of its start's and its end's logit; over the windows of a
long passage the greatest counts. No span is longer than 30 tokens (ours: the usual limit for SQuAD;
the paper's is not known). None is cut inside a word, though a model's tokens may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from mcrc_adversarial.distractors.batches import padded_batches
from mcrc_adversarial.distractors.edges import inside_words
from mcrc_adversarial.distractors.questions import DIGITS, Asked, Report
from mcrc_adversarial.distractors.windows import encode_windows
from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.inference.scorer import autocast

N_BEST = 20
LONGEST = 30
# More than are asked for, since one text may stand in a passage many times.
_KEPT = 10 * N_BEST

Floats: TypeAlias = NDArray[np.float32]
# Start and end in the passage, and the score.
Span: TypeAlias = tuple[int, int, float]


class SpanExtractor:
    """Makes span candidates.

    Args:
        model: an `AutoModelForQuestionAnswering`, on its device.
        tokenizer: a fast one.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.
        max_length: tokens of a window at most.
        stride: tokens that neighbouring windows share.
        token_budget: tokens of a batch at most, padding counted.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        dtype: torch.dtype,
        max_length: int,
        stride: int,
        token_budget: int,
    ) -> None:
        self.model: Any = model
        model.eval()  # type: ignore[no-untyped-call]
        self.tokenizer = tokenizer
        self.dtype = dtype
        self.max_length = max_length
        self.stride = stride
        self.token_budget = token_budget

    def candidates(self, questions: Sequence[Asked], report: Report) -> list[list[dict[str, Any]]]:
        """The best spans of each question: `text`, `score`, `start` and `end` in the passage."""
        windows = encode_windows(
            self.tokenizer,
            [one.question for one in questions],
            [one.passage for one in questions],
            max_length=self.max_length,
            stride=self.stride,
        )
        found: list[list[Span]] = [[] for _ in questions]
        inside = [inside_words(one.passage) for one in questions]
        for batch, inputs in padded_batches(
            windows,
            [name for name in self.tokenizer.model_input_names if name in windows],
            self.tokenizer,
            self.model.device,
            token_budget=self.token_budget,
            report=report,
        ):
            starts, ends = self._logits(inputs)
            for row, index in enumerate(batch):
                kept = self._unpadded(len(windows["input_ids"][index]))
                owner = windows["overflow_to_sample_mapping"][index]
                spans = best_spans(
                    starts[row][kept],
                    ends[row][kept],
                    windows["offset_mapping"][index],
                    [number == 1 for number in windows.sequence_ids(index)],
                    inside[owner],
                )
                found[owner] += spans
        return [merged(one.passage, spans) for one, spans in zip(questions, found, strict=True)]

    def _logits(self, inputs: Any) -> tuple[Floats, Floats]:
        """Logits of starts and of ends, shape (n_windows, length)."""
        with torch.inference_mode(), autocast(self.model.device, self.dtype):
            output = self.model(**inputs)
        starts = output.start_logits.float().cpu().numpy()
        ends = output.end_logits.float().cpu().numpy()
        return starts, ends

    def _unpadded(self, length: int) -> slice:
        return slice(-length, None) if self.tokenizer.padding_side == "left" else slice(length)


def best_spans(
    starts: Floats,
    ends: Floats,
    offsets: Sequence[tuple[int, int]],
    is_passage: Sequence[bool],
    inside: Set[int],
) -> list[Span]:
    """The best spans of one window, the best first, those of equal score in the passage's order.

    Args:
        starts: logits, shape (length,).
        ends: logits, shape (length,).
        offsets: of each token in its text.
        is_passage: whether a token is of the passage.
        inside: places in the passage where no span begins or ends.

    Raises:
        ScoringError: a logit is not finite.
    """
    places = [
        place for place, (start, end) in enumerate(offsets) if is_passage[place] and end > start
    ]
    if not places:
        return []
    first, last = starts[places], np.concatenate([ends[places], np.full(LONGEST - 1, -np.inf)])
    if not np.isfinite(first).all() or not np.isfinite(ends[places]).all():
        msg = "a logit of the model is not finite; take --dtype float32, or another checkpoint"
        raise ScoringError(msg)
    first[[offsets[place][0] in inside for place in places]] = -np.inf
    last[: len(places)][[offsets[place][1] in inside for place in places]] = -np.inf
    reach = np.lib.stride_tricks.sliding_window_view(last, LONGEST)
    scores = (first[:, None] + reach).round(DIGITS).ravel()
    order = np.argsort(-scores, kind="stable")[:_KEPT]
    return [
        (
            offsets[places[number // LONGEST]][0],
            offsets[places[number // LONGEST + number % LONGEST]][1],
            round(float(scores[number]), DIGITS),
        )
        for number in map(int, order)
        if np.isfinite(scores[number])
    ]


def merged(passage: str, spans: Iterable[Span]) -> list[dict[str, Any]]:
    """The best spans of a passage over all its windows, no text twice."""
    best: dict[tuple[int, int], float] = {}
    for start, end, score in spans:
        # A byte-level token may begin at the space before its word.
        text = passage[start:end]
        place = (end - len(text.lstrip()), start + len(text.rstrip()))
        if text.strip():
            best[place] = max(score, best.get(place, score))
    found: dict[str, dict[str, Any]] = {}
    for (start, end), score in sorted(best.items(), key=lambda one: (-one[1], one[0])):
        text = passage[start:end]
        found.setdefault(text, {"text": text, "score": score, "start": start, "end": end})
    return list(found.values())[:N_BEST]
