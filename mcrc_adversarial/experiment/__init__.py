"""A run from arguments to table: data, training, predictions, record."""

from __future__ import annotations

import logging
import math
from contextlib import nullcontext
from dataclasses import dataclass

from datasets import Dataset
from transformers import set_seed

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.encoding import encode_rows
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.experiment.metrics import RunMetrics, ScoredConfig, score_run
from mcrc_adversarial.experiment.model_card import model_card
from mcrc_adversarial.experiment.publish import open_repository, push_run
from mcrc_adversarial.experiment.record import CARD, METRICS, RunFolder, write_json
from mcrc_adversarial.experiment.scorers import (
    RowScorer,
    baseline_scorer,
    causal_scorer,
    model_scorer,
)
from mcrc_adversarial.experiment.table import print_table, results_table
from mcrc_adversarial.predictions import save_predictions
from mcrc_adversarial.training import TrainingData, build_trainer, train
from mcrc_adversarial.training.batches import TrainingQuestions
from mcrc_adversarial.training.checks import check_positions
from mcrc_adversarial.training.data import Plan, RunData, make_plan, overlap_record
from mcrc_adversarial.training.models import Loaded, load_model
from mcrc_adversarial.training.processes import main_process_first
from mcrc_adversarial.training.recipe import Arguments
from mcrc_adversarial.training.ways import WAYS, AnyEncoder

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Run:
    """What the steps of a run share.

    Attributes:
        arguments: resolved.
        plan: configs of the run.
        data: loads rows.
        folder: of the record.
        is_main: whether this process writes and prints.
    """

    arguments: Arguments
    plan: Plan
    data: RunData
    folder: RunFolder
    is_main: bool


def run_experiment(arguments: Arguments) -> RunMetrics | None:
    """Do what `arguments` ask for; None where nothing was scored.

    Raises:
        McrcError: whatever is wrong with names, data, model or folder.
    """
    settings = arguments.run
    plan = make_plan(arguments.data)
    folder = RunFolder(str(settings.output_dir))
    is_main = settings.process_index == 0
    run = Run(arguments, plan, RunData(arguments.data), folder, is_main)
    to_push_alone = settings.push_to_hub and folder.is_finished(arguments)
    with main_process_first(settings):
        if not to_push_alone:
            run.data.check_own_files(plan.used(settings))
        if is_main and settings.push_to_hub:
            # What the Hub refuses is better known before the training than after it.
            open_repository(settings)
        if is_main and not to_push_alone and folder.begin(arguments):
            _LOG.info("%s: going on with the run that was interrupted", folder.path)
    with folder.old_run_kept() if is_main else nullcontext():
        metrics = None if to_push_alone else _train_and_score(run)
    if is_main and settings.push_to_hub:
        push_run(settings)
    return metrics


def _train_and_score(run: Run) -> RunMetrics | None:
    """Train and score, as asked, and write it all down."""
    settings = run.arguments.run
    set_seed(settings.seed)
    scorer = _trained(run) if settings.do_train else ready_scorer(run.arguments)
    metrics = None
    if settings.do_eval or settings.do_predict:
        metrics = _score(run, scorer)
        if settings.do_train and run.is_main:
            run.folder.add(overlap=_overlaps(run))
    elif run.arguments.data.evaluate and run.is_main:
        _LOG.warning(
            "--evaluate names configs, but none is scored without --do_eval or --do_predict"
        )
    if run.is_main:
        run.folder.add(data=run.data.fingerprints)
        _write_results(run, metrics)
        run.folder.finish()
    return metrics


def ready_scorer(arguments: Arguments) -> RowScorer:
    """A scorer for a model that is not trained here, or for none.

    Raises:
        McrcError: the model cannot be loaded.
    """
    if arguments.model.model_kind == "baseline":
        return baseline_scorer(arguments)
    loaded = load_model(arguments.model, to_train=False)
    check_positions(loaded.model, arguments.data.max_length)
    if arguments.model.model_kind == "causal":
        return causal_scorer(arguments, loaded)
    return model_scorer(arguments, loaded.model, make_encoder(arguments, loaded))


def make_encoder(arguments: Arguments, loaded: Loaded) -> AnyEncoder:
    """The encoder of the run's sequences."""
    data, way = arguments.data, WAYS[arguments.model.model_kind]
    return way.encoder(loaded.tokenizer, max_length=data.max_length, fill_blank=data.fill_blank)


def _trained(run: Run) -> RowScorer:
    """Fine-tune, save the model, and give a scorer for it."""
    arguments = run.arguments
    loaded = load_model(arguments.model, to_train=True)
    check_positions(loaded.model, arguments.data.max_length)
    encoder = make_encoder(arguments, loaded)
    with main_process_first(arguments.run):
        rows = run.data.training(run.plan.train)
        validation = run.data.validation(run.plan.validation)
        if arguments.run.do_eval or arguments.run.do_predict:
            run.data.check_scored(run.plan.evaluate)
        if run.is_main:
            run.folder.note_training_data(dict(run.data.fingerprints))
    data = TrainingData(encoded(rows, encoder), validation, encoder)
    # What cannot be encoded is known now, not after the first epoch.
    encode_rows(validation, encoder)
    trainer = build_trainer(loaded.model, arguments.run, data)
    output = train(trainer)
    trainer.save_model()
    if run.is_main:
        run.folder.add(
            training={
                "questions": len(rows),
                "steps": output.global_step,
                "loss": output.training_loss if math.isfinite(output.training_loss) else None,
                "best_validation_accuracy": trainer.state.best_metric,
                "best_checkpoint": trainer.state.best_model_checkpoint,
                "log": trainer.state.log_history,
            },
        )
    return model_scorer(arguments, trainer.model, encoder)


def encoded(rows: Dataset, encoder: AnyEncoder) -> TrainingQuestions:
    """Training rows in tokens, with their labels."""
    return TrainingQuestions(encode_rows(rows, encoder), list(rows["label"]))


def _score(run: Run, scorer: RowScorer) -> RunMetrics | None:
    """Predict every config, one after another; keeps numbers, not rows."""
    scored = {}
    for config in run.plan.evaluate:
        name = str(config)
        with main_process_first(run.arguments.run):
            rows = _rows(run, config)
        _LOG.info("scoring %s: %d rows", name, len(rows))
        found: ConfigPredictions = scorer(name, rows)
        if run.is_main:
            save_predictions(run.folder.path, name, found, overwrite=True)
        clusters = list(rows[corpora.get(config.corpus).cluster])
        scored[name] = ScoredConfig(found, clusters, list(rows["attacked"]))
    return score_run(scored) if run.arguments.run.do_eval else None


def _overlaps(run: Run) -> dict[str, dict[str, int]]:
    """For the record; reads the scored split, so it comes when training is over."""
    found = run.data.overlaps(run.plan)
    for name, one in found.items():
        if one.questions:
            shared = f"{one.questions} of {one.of_questions} scored questions"
            _LOG.warning("%s: %s stand on passages that are trained on", name, shared)
    return overlap_record(found)


def _rows(run: Run, config: ConfigName) -> Dataset:
    rows = run.data.scored(config)
    if rows is None or not len(rows):
        msg = f"config {str(config)!r}: there are no rows to score"
        raise DataError(msg)
    return rows


def _write_results(run: Run, metrics: RunMetrics | None) -> None:
    if metrics is None:
        return
    split = run.arguments.data.evaluate_split
    write_json(run.folder.path / METRICS, metrics.as_dict(split))
    record = run.folder.read()
    assert record is not None
    write_text(run.folder.path / CARD, model_card(record, metrics))
    print_table(results_table(metrics))
    for remark in metrics.remarks():
        _LOG.warning(remark)
    for name, one in metrics.chance.items():
        if one.chance:
            _LOG.warning(
                "%s: accuracy %.1f %% is not above guessing (%.1f %%), so its drops say nothing",
                name,
                100 * one.accuracy,
                100 * one.guessing,
            )
