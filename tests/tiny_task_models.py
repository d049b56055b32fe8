"""Checkpoints of the two tasks, small enough for tests, randomly initialised, in folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tiny_models
import torch
from transformers import BartConfig, BartForConditionalGeneration, BertConfig
from transformers import BertForQuestionAnswering as BertForQa

TOKENIZER = tiny_models.bert_tokenizer()
_SIZES: dict[str, Any] = {"vocab_size": len(TOKENIZER), "max_position_embeddings": 128}


def span_model() -> BertForQa:
    torch.manual_seed(3)
    return BertForQa(
        BertConfig(
            **_SIZES,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            initializer_range=0.5,
        )
    )


def writer_model(seed: int = 3, **settings: Any) -> BartForConditionalGeneration:
    """Its texts begin with the token that ends them, as those of every BART do."""
    torch.manual_seed(seed)
    given: dict[str, Any] = {
        **_SIZES,
        "d_model": 16,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
        "pad_token_id": TOKENIZER.pad_token_id,
        "bos_token_id": TOKENIZER.cls_token_id,
        "eos_token_id": TOKENIZER.sep_token_id,
        "decoder_start_token_id": TOKENIZER.sep_token_id,
        "forced_eos_token_id": None,
    }
    return BartForConditionalGeneration(BartConfig(**{**given, **settings}))


def saved(model: Any, folder: Path) -> str:
    model.save_pretrained(folder)
    TOKENIZER.save_pretrained(folder)
    return str(folder)
