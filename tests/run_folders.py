"""Run folders as train.py leaves them, written without a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.predictions import save_predictions
from mcrc_adversarial.rows import digest_rows, row

# (row, number of the row) -> one score an option.
Rule = Callable[[dict[str, Any], int], Sequence[float]]


def overlap(one: dict[str, Any], _: int = 0) -> list[float]:
    """Words of each option that the passage holds, plus a little for the right one."""
    passage = set(one["passage"].lower().split())
    scores = [
        len(passage & set(option.lower().split())) / 10 - index / 100
        for index, option in enumerate(one["options"])
    ]
    scores[one["label"]] += 0.35
    return scores


def config_rows(
    config: str, seed: int = 0, split: str = "test", own: Path | None = None
) -> list[dict[str, Any]]:
    parts = parse_config(config)
    if own is None:
        corpus = corpora.get(parts.corpus)
        examples = read_split(corpus, find_source(corpus, None), split)
    else:
        examples = list(read_examples([own], None, split))
    if parts.attack is None:
        return [row(example) for example in examples]
    attack = attacks.get(parts.attack)
    return [row(example, apply(attack, example, seed)) for example in examples]


def record(
    *,
    model: str = "tiny",
    kind: str = "multiple-choice",
    seed: int = 1,
    attack_seed: int = 0,
    train: Sequence[str] = (),
    evaluate: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "state": "finished",
        "arguments": {
            "model": {"model_kind": kind, "model_name_or_path": model},
            "data": {
                "allow_unverified": False,
                "attack_seed": attack_seed,
                "columns": [],
                "data_dir": None,
                "data_files": [],
                "evaluate": list(evaluate),
                "evaluate_limit": 0,
                "evaluate_split": "test",
                "max_length": 512,
                "sample_seed": 0,
                "shuffle_degree": None,
                "train": list(train),
            },
            "run": {"do_train": bool(train), "seed": seed},
        },
        "data": {},
        "seeds": {"training": seed, "attack": attack_seed},
        "versions": {"mcrc-adversarial": "0"},
        "git_revision": None,
    }


def make_run(
    folder: Path,
    configs: Sequence[str],
    *,
    rule: Rule = overlap,
    figures: dict[str, Any] | None = None,
    own: Path | None = None,
    **facts: Any,
) -> Path:
    """Write a run that was scored on `configs` by a rule; on a file of one's own, if given."""
    folder.mkdir(parents=True, exist_ok=True)
    content = record(**{"evaluate": configs, **facts})
    if own is not None:
        content["arguments"]["data"]["data_files"] = [f"test={own}"]
    for config in configs:
        rows = config_rows(config, content["arguments"]["data"]["attack_seed"], own=own)
        content["data"][f"{config}/test"] = {"rows": len(rows), "sha256": digest_rows(rows)}
        scores = [list(rule(one, number)) for number, one in enumerate(rows)]
        answers = ConfigPredictions(
            [one["id"] for one in rows],
            [one["label"] for one in rows],
            scores,
            [False] * len(rows),
        )
        save_predictions(folder, config, answers)
    (folder / "run.json").write_text(json.dumps(content), encoding="utf-8")
    if figures is not None:
        text = json.dumps({"schema_version": 1, "configs": figures})
        (folder / "metrics.json").write_text(text, encoding="utf-8")
    return folder


def edit_record(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "run.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    edit(content)
    path.write_text(json.dumps(content), encoding="utf-8")


NASTY = (
    "<script>window.hacked=1</script> </textarea> $\\LaTeX$ | a\nb <b>bold</b> &amp; 公 \u2028 end."
)


def nasty_file(path: Path) -> Path:
    """Questions of one's own whose texts try to be mark-up."""
    lines = [
        {
            "id": f"={number}<i>",
            "passage": f"{NASTY} Ines has {number} boats. Rain came. 🙂 She left at noon.",
            "question": f"{NASTY} How many boats?",
            "options": [f"{number} boats", f"{NASTY} none", "@rain at noon"],
            "label": number % 2,
        }
        for number in range(12)
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path
