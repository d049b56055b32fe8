"""Tokenisers and models small enough for tests, and rows to run them on, all made on the spot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForMultipleChoice,
    BertTokenizer,
    DebertaV2Tokenizer,
    GPT2Tokenizer,
    PreTrainedTokenizerBase,
    RobertaTokenizer,
    XLNetTokenizer,
)

_TEXT = (
    "the old mill stood by a river and nobody knew who owned it until Ann came with seven plums"
    " where when why market bread boat sold lost quickly under stone bridge on Monday . , ? ! _ '"
)
_WORDS = _TEXT.split()
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?!'_-:"


def text(rng: Random, n_words: int) -> str:
    """Some words, now and then followed by a mark."""
    return " ".join(rng.choice(_WORDS) for _ in range(n_words))


def row(
    number: int = 0,
    *,
    passage: str = "Ann came with seven plums.",
    question: str = "who came ?",
    options: Sequence[str] = ("Ann", "nobody"),
    label: int = 0,
    inserted: Sequence[Sequence[int]] = (),
) -> dict[str, Any]:
    """One row of a config."""
    return {
        "id": f"test/{number}",
        "passage_id": f"p{number}",
        "passage": passage,
        "question": question,
        "options": list(options),
        "label": label,
        "inserted": [list(span) for span in inserted],
    }


def rows(rng: Random, n_rows: int, *, n_words: int = 40) -> list[dict[str, Any]]:
    """Rows with 2 to 5 options and passages of 1 to `n_words` words."""
    found = []
    for number in range(n_rows):
        options = [text(rng, rng.randint(1, 6)) for _ in range(rng.randint(2, 5))]
        found.append(
            row(
                number,
                passage=text(rng, rng.randint(1, n_words)),
                question=text(rng, rng.randint(1, 8)),
                options=options,
                label=rng.randrange(len(options)),
            )
        )
    return found


def bert_tokenizer() -> PreTrainedTokenizerBase:
    """Whole words that it knows, single letters else."""
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_LETTERS]
    known += [f"##{letter}" for letter in _LETTERS] + [word.lower() for word in _WORDS]
    return BertTokenizer(vocab={token: index for index, token in enumerate(dict.fromkeys(known))})


def byte_level_parts(more: Sequence[str] = ()) -> dict[str, Any]:
    """Vocabulary and merges of a byte-level tokeniser, trained on `more` texts too."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([*[f"{_TEXT} A B C D E"] * 4, *more], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return {"vocab": model["vocab"], "merges": [tuple(merge) for merge in model["merges"]]}


def roberta_tokenizer() -> PreTrainedTokenizerBase:
    """Byte-level pieces, two separators, no segments."""
    return RobertaTokenizer(**byte_level_parts())


def gpt2_tokenizer() -> PreTrainedTokenizerBase:
    """Byte-level pieces, nothing around a text."""
    return GPT2Tokenizer(**byte_level_parts(), pad_token="<pad>")


def _pieces(special: Sequence[str]) -> list[tuple[str, float]]:
    known = [(token, 0.0) for token in special]
    known += [(f"▁{word}", -3.0) for word in dict.fromkeys(_WORDS)]
    return [*known, *((letter, -8.0) for letter in _LETTERS), ("▁", -6.0)]


def deberta_tokenizer() -> PreTrainedTokenizerBase:
    """Sentence pieces, with segments."""
    return DebertaV2Tokenizer(vocab=_pieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))


def xlnet_tokenizer() -> PreTrainedTokenizerBase:
    """Sentence pieces, padded on the left, with segments and everything special at the end."""
    special = ["<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>"]
    names = ["input_ids", "token_type_ids", "attention_mask"]
    return XLNetTokenizer(vocab=_pieces(special), model_input_names=names)


def llama_tokenizer() -> PreTrainedTokenizerBase:
    """Byte-level pieces behind a token that begins every text."""
    tokenizer = gpt2_tokenizer()
    backend = tokenizer.backend_tokenizer
    begin = tokenizer.convert_tokens_to_ids("<s>")
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", begin)]
    )
    return tokenizer


def bert(
    tokenizer: PreTrainedTokenizerBase, *, seed: int = 0, max_length: int = 128
) -> BertForMultipleChoice:
    """A randomly initialised model of two layers, whose answers differ from option to option."""
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=max_length,
        # Larger than usual: with 0.02 all options would score nearly alike.
        initializer_range=0.3,
    )
    return BertForMultipleChoice(config).eval()
