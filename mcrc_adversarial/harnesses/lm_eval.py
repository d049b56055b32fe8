"""Tasks for lm-evaluation-harness: one YAML file a config, and one for the group of all.

They follow the harness's own task `race` (version 3.0): the prompt is the article and the
question, the options' texts are the answers, and `acc` counts where the right one has the greatest
log-likelihood. Where they differ: `race` asks the last question of each article of RACE-H, after
the article's other questions with their answers; here every question is asked, and alone, since
what an attack did to one question must not reach another. `acc_norm`, the same per character, is
added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from mcrc_adversarial.export.manifest import FileRecord

GROUP = "mcrc-adversarial"
# Of the tasks; raised whenever a score would change.
_VERSION = 1.0
_METRICS = ("acc", "acc_norm")


def task_name(config: str) -> str:
    """The name of a config's task, which must differ from the harness's own names.

    >>> task_name("race-p-shuffle")
    'mcrc-adversarial-race-p-shuffle'
    """
    return f"{GROUP}-{config}"


def files(dataset: str, split: str, records: Sequence[FileRecord]) -> Mapping[str, str]:
    """File name -> YAML, for tasks that read `split` of each config from `dataset`."""
    group = {
        "group": GROUP,
        "task": [task_name(record.config) for record in records],
        "metadata": {"version": _VERSION},
    }
    tasks = {record.config: _task(dataset, split, record) for record in records}
    return {
        "_group.yaml": _text(group),
        **{f"{config}.yaml": _text(task) for config, task in tasks.items()},
    }


def _task(dataset: str, split: str, record: FileRecord) -> dict[str, Any]:
    return {
        "task": task_name(record.config),
        "dataset_path": dataset,
        "dataset_name": record.config,
        "output_type": "multiple_choice",
        "test_split": split,
        "doc_to_text": "Article: {{passage}}\n\n{{question}}",
        "doc_to_choice": "options",
        "doc_to_target": "label",
        "num_fewshot": 0,
        "metric_list": [
            {"metric": metric, "aggregation": "mean", "higher_is_better": True}
            for metric in _METRICS
        ],
        "metadata": {
            "version": _VERSION,
            "n_questions": record.rows,
            "sha256": record.sha256,
            "made_from": dict(record.inputs),
        },
    }


def _text(content: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True, width=100)
