"""A causal language model small enough for tests, saved as other programs load it."""

from __future__ import annotations

from pathlib import Path

import torch
from tiny_models import byte_level_parts
from transformers import GPT2Config, GPT2LMHeadModel, GPT2Tokenizer

from mcrc_adversarial.example import LETTERS

# A chat is the text of its messages, so that a harness for chats asks what others ask.
_PLAIN_CHAT = "{% for message in messages %}{{ message.content }}{% endfor %}"


def save_causal(folder: Path, *, seed: int = 0) -> Path:
    """A randomly initialised GPT-2 of two layers, which likes letters, and its tokeniser."""
    tokenizer = GPT2Tokenizer(
        **byte_level_parts(4 * [f" {letter}" for letter in LETTERS]),
        pad_token="<pad>",
        model_max_length=2048,
        chat_template=_PLAIN_CHAT,
    )
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=32,
        n_layer=2,
        n_head=2,
        n_positions=2048,
        initializer_range=0.3,
        tie_word_embeddings=False,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    model = GPT2LMHeadModel(config)
    letters = [tokenizer.convert_tokens_to_ids(f"Ġ{letter}") for letter in LETTERS[:4]]
    with torch.no_grad():
        # One direction that every text has, and that letters alone answer to: they become likely
        # as the next token, equally so, and the rest of the model decides between them.
        common = torch.full((32,), 3.0)
        model.transformer.ln_f.bias.copy_(common)
        model.lm_head.weight[letters] += common / 4
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
