"""The model card of a run: what was done, what came out, and how to do it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.experiment.metrics import RunMetrics
from mcrc_adversarial.experiment.table import results_table

_SETTINGS = (
    "learning_rate",
    "num_train_epochs",
    "max_steps",
    "per_device_train_batch_size",
    "train_token_budget",
    "gradient_accumulation_steps",
    "warmup_steps",
    "weight_decay",
    "seed",
    "deepspeed",
)


def model_card(record: Mapping[str, Any], metrics: RunMetrics) -> str:
    """The text of README.md.

    Args:
        record: what `run.json` holds.
        metrics: of the run.
    """
    data = record["arguments"]["data"]
    model = record["arguments"]["model"]
    trained = record["arguments"]["run"]["do_train"]
    taught = _taught(record) if trained else []
    parts = [
        _front_matter(model["model_name_or_path"], taught),
        f"# {model['model_name_or_path']} on {', '.join(data['train']) or 'no training data'}",
        _opening(model, data, trained),
        "## Results",
        f"Split: {data['evaluate_split']}. Intervals are clustered by passage; a drop is in percent"
        " of the accuracy on the original of the same rows.",
        results_table(metrics).markdown(),
        *_warnings(record, metrics),
    ]
    if trained:
        parts += ["## Training", _training(record), "## Licence", _licence(taught)]
    parts += ["## Data", _data(record), "## Made with", _made_with(record)]
    return "\n\n".join(parts) + "\n"


def _taught(record: Mapping[str, Any]) -> list[Corpus]:
    """The corpora that the model was trained on."""
    configs = (key.partition("/")[0] for key in record["training_data"])
    return [corpora.get(name) for name in sorted({parse_config(one).corpus for one in configs})]


def _front_matter(model: str, taught: Sequence[Corpus]) -> str:
    lines = ["library_name: transformers", "tags: [multiple-choice, adversarial]"]
    if taught:
        # No licence of one name: that of the base model, and those of the corpora.
        lines += ["license: other", "license_name: of-base-model-and-corpora"]
        lines.append(f"datasets: {json.dumps([corpus.name for corpus in taught])}")
    # The Hub takes names there, and refuses a folder of this machine.
    if taught and ":" not in model and not Path(model).exists():
        lines.append(f"base_model: {json.dumps(model)}")
    return "\n".join(("---", *lines, "---"))


def _licence(taught: Sequence[Corpus]) -> str:
    lines = ["That of the model that training began with, and those of the corpora:", ""]
    lines += [
        f"- `{corpus.name}`: {corpus.licence.name}"
        + (f" ({corpus.licence.url})" if corpus.licence.url else "")
        for corpus in taught
    ]
    return "\n".join(lines)


def _opening(model: Mapping[str, Any], data: Mapping[str, Any], trained: bool) -> str:
    done = "fine-tuned and scored" if trained else "scored"
    return (
        f"A {model['model_kind']} model, {done} with mcrc-adversarial on original and attacked"
        f" multiple-choice reading comprehension, at most {data['max_length']} tokens a sequence."
    )


def _warnings(record: Mapping[str, Any], metrics: RunMetrics) -> list[str]:
    found = [
        f"**At chance:** on `{name}` the accuracy is {one.accuracy:.1%}, guessing gives"
        f" {one.guessing:.1%} (p = {one.p_value:.2g}). Drops of such a model say nothing."
        for name, one in metrics.chance.items()
        if one.chance
    ]
    found += [
        f"In `{name}`, {one['questions']} of {one['of_questions']} scored questions stand on"
        f" {one['passages']} passages that are also trained on."
        for name, one in record.get("overlap", {}).items()
        if one["questions"]
    ]
    found += [
        f"`{name}`: {count} of {metrics.reports[name].rows.n} rows were shortened to max_length."
        for name, count in metrics.truncated.items()
        if count
    ]
    found += [
        f"`{name}`: {count} of {metrics.reports[name].rows.n} rows have several best options, of"
        " which the first is the answer."
        for name, count in metrics.tied.items()
        if count
    ]
    return found + [f"{remark}." for remark in metrics.remarks_on_drops()]


def _training(record: Mapping[str, Any]) -> str:
    run = record["arguments"]["run"]
    lines = [f"- {name}: {run[name]}" for name in _SETTINGS]
    best = record.get("training", {}).get("best_validation_accuracy")
    if best is not None:
        lines.append(f"- best validation accuracy: {best:.3f}")
    return "\n".join(lines)


def _data(record: Mapping[str, Any]) -> str:
    lines = [
        f"- `{name}`: {one['rows']} rows, sha256 `{one['sha256'][:16]}`"
        for name, one in record.get("data", {}).items()
    ]
    seeds = ", ".join(f"{name} {seed}" for name, seed in record["seeds"].items())
    return "\n".join((*lines, f"- seeds: {seeds}"))


def _made_with(record: Mapping[str, Any]) -> str:
    lines = [f"- {name}: {version}" for name, version in record["versions"].items() if version]
    lines.append(f"- git revision: {record['git_revision']}")
    lines.append("- everything else: run.json")
    return "\n".join(lines)
