"""Against the plain way: one option at a time, no padding, no shared prefix."""

from __future__ import annotations

import inspect
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
import tiny_models
import torch
from tokenizers import processors
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.inference.causal import CausalScorer, score_causal
from mcrc_adversarial.inference.causal_prompts import (
    METHODS,
    Prompt,
    PromptEncoder,
    letter_texts,
    option_texts,
    race_texts,
)

SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
}
TOKENIZERS = {"gpt2": tiny_models.gpt2_tokenizer(), "llama": tiny_models.llama_tokenizer()}


def _gpt2(n_tokens: int) -> PreTrainedModel:
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=n_tokens,
            n_embd=32,
            n_layer=2,
            n_head=2,
            n_positions=512,
            initializer_range=0.3,
        )
    )


def _llama(n_tokens: int) -> PreTrainedModel:
    return LlamaForCausalLM(LlamaConfig(vocab_size=n_tokens, num_key_value_heads=1, **SIZES))


def _mistral(n_tokens: int) -> PreTrainedModel:
    """With a window far shorter than the prompts."""
    sizes = {**SIZES, "sliding_window": 7}
    return MistralForCausalLM(MistralConfig(vocab_size=n_tokens, num_key_value_heads=1, **sizes))


MODELS = {"gpt2": _gpt2, "llama": _llama, "mistral": _mistral}


def model_and_tokenizer(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    tokenizer = TOKENIZERS["gpt2" if name == "gpt2" else "llama"]
    torch.manual_seed(0)
    return MODELS[name](len(tokenizer)).eval(), tokenizer


def naive(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], method: str
) -> list[float]:
    """Scores of one row, an option at a time."""
    fields = (row["passage"], row["question"], tuple(row["options"]))
    prompts = {"letter": letter_texts, "race": race_texts, "race-per-character": race_texts}
    texts = prompts.get(method, option_texts)(*fields)
    n_before = len(tokenizer(texts.prompt)["input_ids"])
    scores = []
    for answer, option in zip(texts.answers, row["options"], strict=True):
        ids = torch.tensor([tokenizer(texts.prompt + answer)["input_ids"]])
        with torch.no_grad():
            chances = torch.log_softmax(model(ids).logits[0, :-1], dim=-1)
        of_tokens = chances[torch.arange(ids.shape[1] - 1), ids[0, 1:]][n_before - 1 :]
        of_option = {"per-token": len(of_tokens)}
        of_option |= dict.fromkeys(("per-character", "race-per-character"), len(option))
        divisor = of_option.get(method, 1)
        scores.append(float(of_tokens.sum()) / divisor)
    return scores


def configs(n_rows: int = 12) -> dict[str, list[dict[str, Any]]]:
    original = tiny_models.rows(Random(11), n_rows)
    altered = [
        {
            **one,
            "options": [one["options"][0], *(tiny_models.text(Random(i), 3) for i in (1, 2))],
            "label": 0,
        }
        for one in original
    ]
    return {"plain": original, "options": altered}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", METHODS)
def test_score_causal_equals_the_plain_way(name: str, method: str) -> None:
    model, tokenizer = model_and_tokenizer(name)
    found = score_causal(
        model, tokenizer, configs(), method=method, max_length=256, token_budget=1500
    )
    for config, rows in configs().items():
        answers = found[config]
        assert answers.ids == [row["id"] for row in rows]
        assert answers.n_truncated == 0
        for row, scores in zip(rows, answers.logits, strict=True):
            assert scores == pytest.approx(naive(model, tokenizer, row, method), abs=2e-4)
    assert len({score for scores in found["plain"].logits for score in scores}) > 20


def test_causal_scorer_runs_equal_options_once() -> None:
    model, tokenizer = model_and_tokenizer("llama")
    encoder = PromptEncoder(tokenizer, method="sum", max_length=256)
    scorer = CausalScorer(model, encoder, token_budget=1500)
    done: dict[str, int] = {}

    def note(config: str, _: int, to_do: int) -> None:
        done[config] = to_do

    first = scorer.score("plain", configs()["plain"], progress=note)
    assert done["plain"] <= sum(first.n_options)
    second = scorer.score("options", configs()["options"], progress=note)
    # The first option of each row is the original's.
    assert done["options"] <= 2 * len(second.ids)
    for before, after in zip(first.logits, second.logits, strict=True):
        assert before[0] == after[0]
    scorer.score("again", configs()["plain"], progress=note)
    assert "again" not in done


def test_causal_scorer_runs_the_prompt_of_a_question_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, tokenizer = model_and_tokenizer("llama")
    shapes: list[tuple[int, ...]] = []
    forward = type(model).forward

    def noting(self: Any, *args: Any, **inputs: Any) -> Any:
        shapes.append(tuple(inputs["input_ids"].shape))
        return forward(self, *args, **inputs)

    one = tiny_models.row(passage="plums " * 30, options=["Ann came", "nobody", "a boat"])
    options = {"method": "sum", "max_length": 256, "token_budget": 2000}
    # The signature, which tells what a model takes, must stay readable.
    noting.__signature__ = inspect.signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(type(model), "forward", noting)
    score_causal(model, tokenizer, {"plain": [one]}, **options)
    assert [n for n, _ in shapes] == [1, 3]
    assert shapes[1][1] < 10 < 30 < shapes[0][1]
    shapes.clear()
    score_causal(model, tokenizer, {"plain": [one]}, **{**options, "method": "letter"})
    assert [n for n, _ in shapes] == [1]


class _SharingLess:
    """Prompts whose options share three tokens fewer than they could."""

    def __init__(self, encoder: PromptEncoder) -> None:
        self.encoder = encoder

    def encode(self, row: dict[str, Any]) -> Prompt:
        whole = self.encoder.encode(row)
        rests = tuple(np.concatenate((whole.prefix[-3:], rest)) for rest in whole.rests)
        return replace(whole, prefix=whole.prefix[:-3], rests=rests)


@pytest.mark.parametrize("name", MODELS)
def test_causal_scorer_scores_the_answer_alone(name: str) -> None:
    model, tokenizer = model_and_tokenizer(name)
    encoder = PromptEncoder(tokenizer, method="sum", max_length=256)
    sharing_less: Any = _SharingLess(encoder)
    rows = configs()["plain"]
    expected = CausalScorer(model, encoder, token_budget=1500).score("plain", rows)
    found = CausalScorer(model, sharing_less, token_budget=1500).score("plain", rows)
    for one, other in zip(found.logits, expected.logits, strict=True):
        assert one == pytest.approx(other, abs=2e-4)


def test_prompt_encoder_truncates_the_original_passage_alone() -> None:
    tokenizer = TOKENIZERS["llama"]
    inserted = "boat bread nobody Monday"
    passage = "mill river plums " * 40 + inserted
    one = tiny_models.row(passage=passage, inserted=[[len(passage) - len(inserted), len(passage)]])
    prompt = PromptEncoder(tokenizer, method="sum", max_length=80).encode(one)
    assert prompt.truncated
    text = str(tokenizer.decode(prompt.prefix)).removeprefix("<s>")
    assert text.startswith("mill river plums mill")
    assert text.endswith(f"{inserted}\n\nQuestion: who came ?\nAnswer:")
    longest = max(len(rest) for rest in prompt.rests) + len(prompt.prefix)
    assert 75 < longest <= 80


def test_prompt_encoder_divides_by_tokens_and_characters() -> None:
    one = tiny_models.row(options=["Ann came", "x"])
    encoded = {
        method: PromptEncoder(TOKENIZERS["gpt2"], method=method, max_length=99).encode(one)
        for method in METHODS
    }
    assert encoded["sum"].divisors == encoded["letter"].divisors == (1, 1)
    assert encoded["per-character"].divisors == (8, 1)
    assert encoded["per-token"].divisors == encoded["per-token"].n_scored
    assert encoded["per-token"].n_scored[0] == 2


def test_prompt_encoder_leaves_an_end_of_text_token_unscored() -> None:
    plain = PromptEncoder(TOKENIZERS["llama"], method="sum", max_length=99)
    tokenizer = tiny_models.llama_tokenizer()
    ends = {token: tokenizer.convert_tokens_to_ids(token) for token in ("<s>", "</s>")}
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=list(ends.items())
    )
    found = PromptEncoder(tokenizer, method="sum", max_length=99).encode(tiny_models.row())
    expected = plain.encode(tiny_models.row())
    assert found.n_scored == expected.n_scored
    assert [rest.tolist() for rest in found.rests] == [rest.tolist() for rest in expected.rests]


@pytest.mark.parametrize(
    ("row", "max_length", "match"),
    [
        (tiny_models.row(options=["Ann", "plums " * 90]), 60, "without its passage .* longer than"),
        (
            tiny_models.row(passage="plums " * 60, inserted=[[0, 359]]),
            60,
            "never dropped; max_length is 60, at least",
        ),
    ],
)
def test_prompt_encoder_refuses_what_does_not_fit(
    row: dict[str, Any], max_length: int, match: str
) -> None:
    encoder = PromptEncoder(TOKENIZERS["gpt2"], method="sum", max_length=max_length)
    with pytest.raises(ParameterError, match=rf"row 'test/0': .*{match}"):
        encoder.encode(row)


def test_prompt_encoder_gives_the_white_space_before_an_answer_to_the_answer() -> None:
    encoder = PromptEncoder(TOKENIZERS["gpt2"], method="race", max_length=99)
    prompt = encoder.encode(tiny_models.row(question="", options=["Ann", "nobody"]))
    assert TOKENIZERS["gpt2"].decode(prompt.prefix) == "Article: Ann came with seven plums."
    assert prompt.n_scored == tuple(map(len, prompt.rests))
    assert [TOKENIZERS["gpt2"].decode(rest) for rest in prompt.rests] == [
        "\n\n Ann",
        "\n\n nobody",
    ]


def test_prompt_encoder_refuses_an_unknown_method() -> None:
    with pytest.raises(ParameterError, match="method is 'mean'; allowed are sum, per-token"):
        PromptEncoder(TOKENIZERS["gpt2"], method="mean", max_length=60)
