"""What a dry run takes where a model's own files are not on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokenizers import Tokenizer
from tokenizers.models import BPE, WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import BpeTrainer, WordPieceTrainer
from transformers import AutoConfig, PreTrainedConfig, PreTrainedTokenizerFast

from mcrc_adversarial.errors import ParameterError

_BERT = {"type_vocab_size": 2, "vocab_size": 30522, "max_position_embeddings": 512}
_ROBERTA = {
    "type_vocab_size": 1,
    "vocab_size": 50265,
    "max_position_embeddings": 514,
    "layer_norm_eps": 1e-5,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}
# Published as BART-large (Lewis et al. 2020) and ALBERT-xxlarge (Lan et al. 2020): transformers'
# own defaults for these families.
_DEFAULT: dict[str, Any] = {}
_LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}
_RELATIVE = {
    "type_vocab_size": 0,
    "max_position_embeddings": 512,
    "relative_attention": True,
    "position_biased_input": False,
    "max_relative_positions": -1,
    "layer_norm_eps": 1e-7,
    "pos_att_type": ["p2c", "c2p"],
    "pad_token_id": 0,
}
_DEBERTA_LARGE = {**_RELATIVE, **_LARGE, "vocab_size": 50265}
_DEBERTA_V2_XLARGE = {
    **_RELATIVE,
    "vocab_size": 128100,
    "hidden_size": 1536,
    "num_hidden_layers": 24,
    "num_attention_heads": 24,
    "attention_head_size": 64,
    "intermediate_size": 6144,
    "position_buckets": 256,
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "conv_kernel_size": 3,
    "conv_act": "gelu",
}
# Published sizes (BERT: Devlin et al. 2019, section 3; RoBERTa: Liu et al. 2019; DeBERTa: He et al.
# 2021 and the configs of its repository), by the last part of the model's name.
_SHAPES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "albert-xxlarge-v2": ("albert", _DEFAULT),
    "bart-large": ("bart", _DEFAULT),
    "bert-base-uncased": ("bert", _BERT),
    "bert-large-uncased": ("bert", {**_BERT, **_LARGE}),
    "roberta-base": ("roberta", _ROBERTA),
    "roberta-large": ("roberta", {**_ROBERTA, **_LARGE}),
    "deberta-large": ("deberta", _DEBERTA_LARGE),
    "deberta-large-mnli": ("deberta", _DEBERTA_LARGE),
    "deberta-v2-xlarge": ("deberta-v2", _DEBERTA_V2_XLARGE),
    "deberta-v2-xlarge-mnli": ("deberta-v2", _DEBERTA_V2_XLARGE),
}
_VOCABULARY = 8000
_BERT_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}
_ROBERTA_SPECIAL = {
    "cls_token": "<s>",
    "pad_token": "<pad>",
    "sep_token": "</s>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
}


def known_shape(name: str) -> PreTrainedConfig:
    """The config of a well-known model, without its files.

    Raises:
        ParameterError: the name is none of those that are built in.
    """
    short = name.rpartition("/")[2]
    if short not in _SHAPES:
        msg = (
            f"model {name!r}: its config.json is not on this machine and a dry run uses no"
            f" network; built-in shapes are {', '.join(_SHAPES)}"
        )
        raise ParameterError(msg)
    model_type, sizes = _SHAPES[short]
    return AutoConfig.for_model(model_type, **sizes)


def stand_in_tokenizer(model_type: str, texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A small tokeniser with the layout of the family: byte-level BPE for RoBERTa, else WordPiece.

    Args:
        model_type: of the model's config.
        texts: its pieces are made from them.
    """
    return _byte_level_bpe(texts) if model_type in ("roberta", "bart") else _wordpiece(texts)


def _wordpiece(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(WordPiece(unk_token=_BERT_SPECIAL["unk_token"]))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=_VOCABULARY, special_tokens=list(_BERT_SPECIAL.values()), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    names = ["input_ids", "token_type_ids", "attention_mask"]
    return _wrapped(tokenizer, _BERT_SPECIAL, names)


def _byte_level_bpe(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    trainer = BpeTrainer(
        vocab_size=_VOCABULARY,
        special_tokens=list(_ROBERTA_SPECIAL.values()),
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("<s>", "</s>")],
    )
    return _wrapped(tokenizer, _ROBERTA_SPECIAL, ["input_ids", "attention_mask"])


def _wrapped(
    tokenizer: Tokenizer, special: Mapping[str, str], names: list[str]
) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, model_input_names=names, **special
    )
