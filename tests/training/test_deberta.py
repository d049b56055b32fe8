from __future__ import annotations

from pathlib import Path

import pytest
import tiny_models
import torch
from transformers import (
    AutoModelForMultipleChoice,
    DebertaConfig,
    DebertaForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
)

from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training.arguments import ModelArguments
from mcrc_adversarial.training.deberta import DebertaForMultipleChoice
from mcrc_adversarial.training.models import load_model

SIZES = {
    "vocab_size": 200,
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "type_vocab_size": 0,
    "num_labels": 3,
    "pad_token_id": 0,
}
MNLI = {
    "deberta": (DebertaConfig, DebertaForSequenceClassification),
    "deberta-v2": (DebertaV2Config, DebertaV2ForSequenceClassification),
}


def test_automatic_class_gives_the_first_deberta_a_head() -> None:
    model = AutoModelForMultipleChoice.from_config(DebertaConfig(**SIZES))

    assert isinstance(model, DebertaForMultipleChoice)


def test_options_are_scored_one_by_one() -> None:
    torch.manual_seed(0)
    model = AutoModelForMultipleChoice.from_config(DebertaConfig(**SIZES)).eval()
    tokens = torch.randint(5, 200, (2, 3, 7))
    mask = torch.ones_like(tokens)

    whole = model(input_ids=tokens, attention_mask=mask, labels=torch.tensor([2, 0]))
    one = model(input_ids=tokens[1:, 2:], attention_mask=mask[1:, 2:])

    assert whole.logits.shape == (2, 3)
    assert torch.allclose(whole.logits[1, 2], one.logits[0, 0], atol=1e-6)
    expected = torch.nn.functional.cross_entropy(whole.logits, torch.tensor([2, 0]))
    assert torch.equal(whole.loss, expected)


@pytest.mark.parametrize("family", MNLI)
def test_model_of_three_classes_gets_a_new_head_to_train(tmp_path: Path, family: str) -> None:
    config, model = MNLI[family]
    before = model(config(**SIZES))
    before.save_pretrained(tmp_path)
    tiny_models.bert_tokenizer().save_pretrained(tmp_path)
    settings = ModelArguments(str(tmp_path))

    after = load_model(settings, to_train=True).model

    assert after.classifier.weight.shape == (1, 16)
    assert torch.equal(after.pooler.dense.weight, before.pooler.dense.weight)
    with pytest.raises(ParameterError, match="cannot be loaded"):
        load_model(settings, to_train=False)


def test_trained_head_is_loaded_again(tmp_path: Path) -> None:
    model = AutoModelForMultipleChoice.from_config(DebertaConfig(**SIZES))
    model.save_pretrained(tmp_path)
    tiny_models.bert_tokenizer().save_pretrained(tmp_path)

    again = load_model(ModelArguments(str(tmp_path)), to_train=False).model

    assert torch.equal(again.classifier.weight, model.classifier.weight)


def test_body_of_another_size_is_refused(tmp_path: Path) -> None:
    model = AutoModelForMultipleChoice.from_config(DebertaConfig(**SIZES))
    model.save_pretrained(tmp_path)
    tiny_models.bert_tokenizer().save_pretrained(tmp_path)
    DebertaConfig(**{**SIZES, "intermediate_size": 32}).save_pretrained(tmp_path)

    with pytest.raises(ParameterError, match="has another size than its config says"):
        load_model(ModelArguments(str(tmp_path)), to_train=True)
