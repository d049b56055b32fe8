"""How a model answers: as a multiple-choice model, or by matching; one row of the table a way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from torch import Tensor, nn
from transformers import AutoModel, AutoModelForMultipleChoice

from mcrc_adversarial.encoding import EncodedQuestion, Encoder
from mcrc_adversarial.encoding.batching import collate
from mcrc_adversarial.encoding.matching import (
    EncodedMatch,
    MatchEncoder,
    collate_matches,
    match_logits,
    text_vectors,
)
from mcrc_adversarial.inference import Scorer
from mcrc_adversarial.inference.matching import MatchScorer
from mcrc_adversarial.inference.scorer import OptionScorer
from mcrc_adversarial.training import deberta

# Importing it gives AutoModelForMultipleChoice one family more.
FAMILIES_OF_OURS = (deberta.DebertaForMultipleChoice,)
AnyEncoder: TypeAlias = Encoder | MatchEncoder
AnyQuestion: TypeAlias = EncodedQuestion | EncodedMatch


@dataclass(frozen=True)
class Way:
    """What differs between models that can be trained.

    Attributes:
        family: the class of transformers that loads the model.
        encoder: rows -> tokens.
        collate: questions, labels and the padding token -> the tensors of a batch.
        logits: model and tensors, without labels -> one logit an option, those of each question
            behind those of the one before; `n_options` among the tensors tells how many.
        scorer: answers the rows of configs.
    """

    family: Any
    encoder: type[AnyEncoder]
    collate: Callable[..., dict[str, Tensor]]
    logits: Callable[[nn.Module, dict[str, Tensor]], Tensor]
    scorer: type[OptionScorer[Any]]


def _pair_logits(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    beside = ("n_options", "question_index")
    inputs = {name: values for name, values in batch.items() if name not in beside}
    logits: Tensor = model(**inputs).logits
    return logits


def _match_logits(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    vectors = text_vectors(model, batch)
    return match_logits(vectors, batch["option_text"], batch["is_piece"], batch["n_options"])


WAYS = {
    "multiple-choice": Way(AutoModelForMultipleChoice, Encoder, collate, _pair_logits, Scorer),
    "matching": Way(AutoModel, MatchEncoder, collate_matches, _match_logits, MatchScorer),
}


def way_of(encoder: AnyEncoder) -> Way:
    """The way that an encoder belongs to."""
    return next(way for way in WAYS.values() if type(encoder) is way.encoder)
