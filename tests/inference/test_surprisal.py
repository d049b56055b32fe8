from __future__ import annotations

import math

import pytest
import tiny_models
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.inference.surprisal import _windows, mean_surprisals


@pytest.fixture(scope="module")
def tokenizer():  # type: ignore[no-untyped-def]
    return tiny_models.gpt2_tokenizer()


@pytest.fixture(scope="module")
def model(tokenizer):  # type: ignore[no-untyped-def]
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=1, n_head=2,
        bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    return GPT2LMHeadModel(config).eval()


def test_surprisal_is_that_of_the_tokens_over_the_words(model, tokenizer) -> None:
    text = "Ann came with seven plums."
    found = mean_surprisals(model, tokenizer, {"p": text})

    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    ids = torch.tensor([[start, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
    with torch.inference_mode():
        mean_loss = model(input_ids=ids, labels=ids).loss.item()
    assert found["p"] == pytest.approx(mean_loss * (ids.shape[1] - 1) / math.log(2) / 5, rel=1e-5)


def test_uniform_model_has_the_logarithm_of_its_vocabulary(model, tokenizer) -> None:
    flat = GPT2LMHeadModel(model.config)
    for weights in flat.parameters():
        torch.nn.init.zeros_(weights)
    text = "Ann came"
    n_tokens = len(tokenizer(text, add_special_tokens=False)["input_ids"])

    (found,) = mean_surprisals(flat, tokenizer, {"p": text}).values()

    assert found == pytest.approx(n_tokens * math.log2(len(tokenizer)) / 2, rel=1e-5)


def test_text_without_words_has_no_surprisal(model, tokenizer) -> None:
    assert mean_surprisals(model, tokenizer, {"a": "...", "b": ""}) == {}


@pytest.mark.parametrize("n", range(2, 40))
@pytest.mark.parametrize("window", [4, 7, 16])
def test_windows_score_every_token_but_the_first_once(n: int, window: int) -> None:
    scored = []
    for part, begin in _windows(list(range(n)), window):
        assert 0 < begin < len(part) <= window
        assert begin == 1 or begin >= window // 2
        scored += part[begin:]

    assert scored == list(range(1, n))


def test_long_text_goes_through_in_windows(model, tokenizer) -> None:
    found = mean_surprisals(model, tokenizer, {"p": "Ann came with seven plums. " * 60})
    assert 0 < found["p"] < 200


def test_too_small_a_window_is_refused(model, tokenizer) -> None:
    with pytest.raises(ParameterError, match="at least 4 tokens"):
        mean_surprisals(model, tokenizer, {"p": "Ann"}, max_length=3)
