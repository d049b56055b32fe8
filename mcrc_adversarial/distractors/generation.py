"""Distractors as any `AutoModelForSeq2SeqLM` writes them: the texts of all beams.

Source: paper B (AdvRACE, arXiv:2004.14004), distractor generation (Attacks/DG): 50 beams, at most
20 tokens, at least one, no token twice, length penalty 0; `_` in the question becomes a space. The
paper's UniLM reads passage and question as one text; here they are a pair, as the tokeniser joins
one, and a long passage loses its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import (
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from mcrc_adversarial.distractors.batches import padded_batches
from mcrc_adversarial.distractors.questions import DIGITS, Asked, Report
from mcrc_adversarial.distractors.windows import shortened
from mcrc_adversarial.inference.scorer import autocast

N_BEAMS = 50
_MOST_TOKENS = 20
# What a beam that no text reached is scored with.
_NO_TEXT = -1e8
_TOKEN_IDS = (
    "bos_token_id",
    "decoder_start_token_id",
    "eos_token_id",
    "forced_bos_token_id",
    "pad_token_id",
)


class NoTokenTwice(LogitsProcessor):
    """Rules out what was written before, but not the token that starts every text.

    transformers' `no_repeat_ngram_size=1` counts that one too: for BART it is also the token that
    ends a text, so that none would ever end. Nor may a text end before it holds a token that is
    not special, which `min_new_tokens` does not see to, or hold what pads it, which starts T5's.

    Args:
        end: tokens that end a text.
        special: all special tokens.
        pad: the token that pads a text; None where there is none.
    """

    def __init__(self, end: Sequence[int], special: Sequence[int], pad: int | None) -> None:
        self.end = list(end)
        self.special = torch.tensor(list(special))
        self.never = [] if pad is None or pad in self.end else [pad]

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Logits without the tokens that may not come next."""
        written = input_ids[:, 1:]
        scores = scores.scatter(1, written, -torch.inf)
        scores[:, self.never] = -torch.inf
        is_blank = torch.isin(written, self.special.to(written.device)).all(dim=1)
        scores[:, self.end] = scores[:, self.end].masked_fill(is_blank[:, None], -torch.inf)
        return scores


def encode_sources(
    tokenizer: PreTrainedTokenizerBase,
    questions: Sequence[str],
    passages: Sequence[str],
    max_length: int,
) -> Any:
    """Passage and question in tokens; a question never takes more than half of `max_length`."""
    blanks = [question.replace("_", " ") for question in questions]
    return tokenizer(
        list(passages),
        shortened(tokenizer, blanks, max_length // 2),
        truncation="only_first",
        max_length=max_length,
        verbose=False,
    )


class DistractorGenerator:
    """Makes generated candidates.

    Args:
        model: an `AutoModelForSeq2SeqLM`, on its device.
        tokenizer: a fast one.
        dtype: bfloat16 or float16 run under autocast; float32 runs the weights as they are.
        max_length: tokens of passage and question at most.
        token_budget: tokens of a batch's sources at most, padding counted.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        dtype: torch.dtype,
        max_length: int,
        token_budget: int,
    ) -> None:
        self.model: Any = model
        model.eval()  # type: ignore[no-untyped-call]
        # BART's texts begin with a special token, which is none of the 20.
        special = set(tokenizer.all_special_ids)
        n_begin = int(tokenizer(text_target="a")["input_ids"][0] in special)
        config = generation_config(self.model.generation_config, _MOST_TOKENS + n_begin)
        self.model.generation_config = config
        end = config.eos_token_id
        ends = end if isinstance(end, list) else [end]
        self.processor = NoTokenTwice(ends, sorted(special), config.pad_token_id)
        self.tokenizer = tokenizer
        self.dtype = dtype
        self.max_length = max_length
        self.token_budget = token_budget

    def candidates(self, questions: Sequence[Asked], report: Report) -> list[list[dict[str, Any]]]:
        """The texts of all beams: `text` and `score`, the summed log-likelihood."""
        sources = encode_sources(
            self.tokenizer,
            [one.question for one in questions],
            [one.passage for one in questions],
            self.max_length,
        )
        found: list[list[dict[str, Any]]] = [[] for _ in questions]
        for batch, inputs in padded_batches(
            sources,
            ("input_ids", "attention_mask"),
            self.tokenizer,
            self.model.device,
            token_budget=self.token_budget,
            report=report,
        ):
            for index, beams in zip(batch, self._beams(inputs), strict=True):
                found[index] = beams
        return found

    def _beams(self, inputs: Any) -> Iterator[list[dict[str, Any]]]:
        with torch.inference_mode(), autocast(self.model.device, self.dtype):
            output = self.model.generate(
                **inputs, logits_processor=LogitsProcessorList([self.processor])
            )
        texts = self.tokenizer.batch_decode(output.sequences, skip_special_tokens=True)
        scores = output.sequences_scores.float().tolist()
        for first in range(0, len(texts), N_BEAMS):
            places = range(first, first + N_BEAMS)
            yield [
                {"text": " ".join(texts[place].split()), "score": round(scores[place], DIGITS)}
                for place in places
                if scores[place] > _NO_TEXT
            ]


def generation_config(of_model: GenerationConfig, most_tokens: int) -> GenerationConfig:
    """The paper's search; of the model's own settings only its tokens are kept."""
    return GenerationConfig(  # type: ignore[no-untyped-call]
        num_beams=N_BEAMS,
        num_return_sequences=N_BEAMS,
        max_new_tokens=most_tokens,
        min_new_tokens=1,
        length_penalty=0.0,
        do_sample=False,
        early_stopping=False,
        output_scores=True,
        return_dict_in_generate=True,
        **{name: getattr(of_model, name, None) for name in _TOKEN_IDS},
    )
