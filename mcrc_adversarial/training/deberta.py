"""A multiple-choice head for the first DeBERTa, which transformers has for the second alone."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn
from transformers import AutoModelForMultipleChoice, DebertaConfig
from transformers.modeling_outputs import MultipleChoiceModelOutput
from transformers.models.deberta.modeling_deberta import (
    ContextPooler,
    DebertaModel,
    DebertaPreTrainedModel,
)


class DebertaForMultipleChoice(DebertaPreTrainedModel):
    """One logit a sequence from the pooled first token, as in transformers' head for DeBERTa v2."""

    def __init__(self, config: DebertaConfig) -> None:
        super().__init__(config)
        self.deberta = DebertaModel(config)  # type: ignore[no-untyped-call]
        self.pooler = ContextPooler(config)  # type: ignore[no-untyped-call]
        self.classifier = nn.Linear(self.pooler.output_dim, 1)
        own = getattr(config, "cls_dropout", None)
        self.dropout = nn.Dropout(config.hidden_dropout_prob if own is None else own)
        self.post_init()  # type: ignore[no-untyped-call]

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        labels: Tensor | None = None,
        **_: Any,
    ) -> MultipleChoiceModelOutput:
        """Logits of shape (n_questions, n_options) from tokens of (n_questions, n_options, length).

        Args:
            input_ids: tokens.
            attention_mask: 1 where there is one; everywhere, if None.
            token_type_ids: of the parts; ignored by models without types.
            labels: index of the right option of each question, for a loss.
        """
        length = input_ids.shape[-1]
        flat = [
            None if one is None else one.reshape(-1, length)
            for one in (input_ids, attention_mask, token_type_ids)
        ]
        hidden = self.deberta(flat[0], attention_mask=flat[1], token_type_ids=flat[2])[0]
        logits = self.classifier(self.dropout(self.pooler(hidden))).view(-1, input_ids.shape[1])
        loss = None if labels is None else nn.functional.cross_entropy(logits, labels)
        return MultipleChoiceModelOutput(loss=loss, logits=logits)


AutoModelForMultipleChoice.register(DebertaConfig, DebertaForMultipleChoice, exist_ok=True)
