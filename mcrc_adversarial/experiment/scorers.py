"""One way to ask for predictions, whatever answers: a model, a language model, or a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from torch import nn

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.encoding import Row
from mcrc_adversarial.inference.baselines import score_baseline
from mcrc_adversarial.inference.causal import CausalScorer
from mcrc_adversarial.inference.causal_prompts import PromptEncoder
from mcrc_adversarial.training import make_scorer, scoring_dtype
from mcrc_adversarial.training.log import scoring_progress
from mcrc_adversarial.training.models import Loaded
from mcrc_adversarial.training.recipe import Arguments
from mcrc_adversarial.training.ways import AnyEncoder

# (name of the config, its rows) -> predictions.
RowScorer: TypeAlias = Callable[[str, Iterable[Row]], ConfigPredictions]


def model_scorer(arguments: Arguments, model: nn.Module, encoder: AnyEncoder) -> RowScorer:
    """Scores with a model that can be trained, each distinct sequence once over all configs."""
    scorer = make_scorer(model, encoder, arguments.run)
    return partial(scorer.score, progress=scoring_progress(is_main=arguments.run.should_log))


def baseline_scorer(arguments: Arguments) -> RowScorer:
    """Scores with a rule."""
    name, seed = arguments.model.model_name_or_path, arguments.run.seed

    def score(config: str, rows: Iterable[Row]) -> ConfigPredictions:
        return score_baseline(name, {config: rows}, seed)[config]

    return score


def causal_scorer(arguments: Arguments, loaded: Loaded) -> RowScorer:
    """Scores with a causal language model; each process answers everything."""
    encoder = PromptEncoder(
        loaded.tokenizer,
        method=arguments.model.causal_scoring,
        max_length=arguments.data.max_length,
    )
    scorer = CausalScorer(
        loaded.model,
        encoder,
        token_budget=arguments.run.evaluate_token_budget,
        device=arguments.run.device,
        dtype=scoring_dtype(arguments.run),
    )
    return partial(scorer.score, progress=scoring_progress(is_main=arguments.run.should_log))
