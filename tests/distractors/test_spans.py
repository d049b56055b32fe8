from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tiny_models
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import BertConfig, BertForQuestionAnswering, RobertaConfig
from transformers import RobertaForQuestionAnswering as RobertaForQa

from mcrc_adversarial.distractors.edges import inside_words
from mcrc_adversarial.distractors.questions import Asked
from mcrc_adversarial.distractors.spans import (
    LONGEST,
    N_BEST,
    SpanExtractor,
    best_spans,
    merged,
)
from mcrc_adversarial.distractors.windows import encode_windows, shortened
from mcrc_adversarial.errors import ParameterError, ScoringError

BERT = tiny_models.bert_tokenizer()
ROBERTA = tiny_models.roberta_tokenizer()
WORDS = "the old mill stood by a river and nobody knew who owned it until Ann came with seven plums"
PASSAGE = f"{WORDS}.  {WORDS} , {WORDS}\nby\u00a0the bridge on Monday"
SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "initializer_range": 0.5,
}


def extractor(tokenizer: Any = BERT, **settings: Any) -> SpanExtractor:
    torch.manual_seed(3)
    family, config = (
        (BertForQuestionAnswering, BertConfig)
        if tokenizer is BERT
        else (RobertaForQa, RobertaConfig)
    )
    model = family(config(vocab_size=len(tokenizer), **SIZES))
    given = {"dtype": torch.float32, "max_length": 64, "stride": 16, "token_budget": 512}
    return SpanExtractor(model, tokenizer, **{**given, **settings})


def asked(*passages: str) -> list[Asked]:
    return [Asked(str(n), f"test/{n}", text, "who came ?") for n, text in enumerate(passages)]


def nothing(_: int, __: int) -> None:
    """Nobody watches."""


@pytest.mark.parametrize("tokenizer", [BERT, ROBERTA], ids=["bert", "roberta"])
def test_spans_are_spans_of_the_passage(tokenizer: Any) -> None:
    (found,) = extractor(tokenizer).candidates(asked(PASSAGE), nothing)

    assert len(found) == N_BEST
    for one in found:
        assert one["text"] == PASSAGE[one["start"] : one["end"]]
        assert one["text"].strip() == one["text"] != ""
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert len({one["text"] for one in found}) == N_BEST


def test_spans_of_every_window_are_found() -> None:
    one = extractor()
    windows = encode_windows(BERT, ["who ?"], [PASSAGE], max_length=64, stride=16)
    assert len(windows["input_ids"]) > 1

    (found,) = one.candidates(asked(PASSAGE), nothing)

    # The best of one window alone are among those of no other.
    last = max(end for _, end in windows["offset_mapping"][0])
    assert {span["start"] < last for span in found} == {True, False}


@pytest.mark.parametrize("passage", ["", " ", "Ann"])
def test_passage_with_few_words_has_few_spans(passage: str) -> None:
    (found,) = extractor().candidates(asked(passage), nothing)

    assert [one["text"] for one in found] == ([passage] if passage.strip() else [])


def test_spans_do_not_depend_on_the_batch() -> None:
    passages = [PASSAGE, "Ann came.", WORDS, "the old mill", "", WORDS[:50]]
    together = extractor(token_budget=4096).candidates(asked(*passages), nothing)
    alone = extractor(token_budget=64)
    one_by_one = [alone.candidates(asked(text), nothing)[0] for text in passages]

    texts = [[[one["text"] for one in made] for made in way] for way in (together, one_by_one)]
    assert texts[0] == texts[1]


class ByToken(torch.nn.Module):
    """Logits that depend on the token alone, wherever padding moves it."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(len(BERT), 2)
        self.device = torch.device("cpu")

    def forward(self, input_ids: Any, **_: Any) -> Any:
        starts, ends = self.table(input_ids).unbind(-1)
        return SimpleNamespace(start_logits=starts, end_logits=ends)


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_on_either_side_moves_no_span(side: str) -> None:
    tokenizer = tiny_models.bert_tokenizer()
    tokenizer.padding_side = side
    torch.manual_seed(0)
    one = SpanExtractor(
        ByToken(),  # type: ignore[arg-type]
        tokenizer,
        dtype=torch.float32,
        max_length=64,
        stride=16,
        token_budget=4096,
    )
    passages = ("Ann came with plums", PASSAGE)

    together = one.candidates(asked(*passages), nothing)

    assert together == [one.candidates(asked(text), nothing)[0] for text in passages]
    assert together[0][0]["text"] in passages[0]


def test_progress_is_told_window_by_window() -> None:
    told: list[tuple[int, int]] = []
    extractor(token_budget=64).candidates(
        asked(WORDS, "Ann"), lambda done, of: told.append((done, of))
    )

    assert told == [(1, 2), (2, 2)]


@given(st.integers(1, 40), st.integers(0, 5), st.integers(0, 2**16))
def test_best_spans_are_those_of_all_pairs(n_tokens: int, n_before: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = n_before + n_tokens
    starts, ends = (rng.integers(-4, 4, n).astype(np.float32) for _ in range(2))
    offsets = [(2 * place, 2 * place + 1) for place in range(n)]
    is_passage = [place >= n_before for place in range(n)]

    found = best_spans(starts, ends, offsets, is_passage, set())

    pairs = [
        (2 * first, 2 * last + 1, float(starts[first] + ends[last]))
        for first in range(n_before, n)
        for last in range(first, min(n, first + LONGEST))
    ]
    pairs.sort(key=lambda one: (-one[2], one[0], one[1]))
    assert found == pairs[: len(found)]
    assert len(found) == min(len(pairs), 10 * N_BEST)


def test_no_span_is_cut_inside_a_word() -> None:
    # "Un", "known", " X", "-", "ray", "s", ".": the best start and end are pieces of words.
    text = "Unknown X-rays."
    offsets = [(0, 2), (2, 7), (7, 9), (9, 10), (10, 13), (13, 14), (14, 15)]
    starts = np.array([1, 9, 2, 9, 9, 9, 0], dtype=np.float32)
    ends = np.array([9, 3, 9, 9, 9, 2, 0], dtype=np.float32)

    found = best_spans(starts, ends, offsets, [True] * 7, inside_words(text))

    assert [text[start:end].strip() for start, end, _ in found] == [
        "Unknown",
        "X-rays",
        "Unknown X-rays",
        "X-rays.",
        "Unknown X-rays.",
        ".",
    ]


def test_infinite_logit_is_an_error() -> None:
    bad = np.array([0, np.nan], dtype=np.float32)
    with pytest.raises(ScoringError, match="not finite"):
        best_spans(bad, np.zeros(2, np.float32), [(0, 1), (1, 2)], [True, True], set())


def test_windows_are_merged_by_the_greatest_score() -> None:
    spans = [(0, 3, 1.0), (4, 7, 2.0), (0, 3, 3.0), (0, 3, 2.0), (7, 8, 9.0), (3, 7, 2.5)]

    found = merged("one two one", spans)

    assert [(one["text"], one["score"]) for one in found] == [("one", 3.0), ("two", 2.5)]


def test_long_question_loses_its_end() -> None:
    long = " ".join(["who came"] * 40)

    assert shortened(BERT, [long, "who"], 3) == ["who came who", "who"]
    windows = encode_windows(BERT, [long], [PASSAGE], max_length=64, stride=16)
    assert max(map(len, windows["input_ids"])) <= 64


@pytest.mark.parametrize(("max_length", "stride"), [(40, 16), (64, -1), (10, 0)])
def test_length_without_room_is_refused(max_length: int, stride: int) -> None:
    with pytest.raises(ParameterError, match=f"max_length is {max_length} and stride {stride}"):
        encode_windows(BERT, ["who"], ["Ann"], max_length=max_length, stride=stride)
