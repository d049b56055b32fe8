"""Runs that were scored, as their folders tell: what was trained, on what, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mcrc_adversarial.analysis._run_files import RECORD, naming, read_figures, read_record
from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import expand_configs, parse_config
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.predictions import FOLDER, load_predictions

ORIGINAL, UNTRAINED, MIXTURE = "original", "not trained here", "mixture"

# Arguments that seeds of one model share; batch sizes depend on the machine.
_IN_COMMON = (
    "causal_scoring", "dropout", "fill_blank", "learning_rate", "max_length", "max_steps",
    "num_train_epochs", "train_limit", "weight_decay",
)  # fmt: skip

# Called with what is being done.
Say = Callable[[str], object]


class Setting(NamedTuple):
    """What decides which rows a run was scored on, besides the config."""

    split: str
    attack_seed: int
    shuffle_degree: float | None
    limit: int
    sample_seed: int
    attack_params: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """A run that was scored.

    Attributes:
        path: its folder.
        model: its model, or the name that the user gave.
        kind: of the model ("multiple-choice", "baseline", ...).
        condition: what its model was trained on: `original` corpora, the name of the one attack
            that altered all of it, the mixture as written, or `not trained here`.
        trained_on: configs.
        training_seed: of the training, or of a baseline's draws.
        training: what seeds of one model have in common, by name.
        setting: of the rows that it was scored on.
        record: run.json.
        answers: config -> predictions.
        figures: config -> what metrics.json holds of it; empty without that file.
        missing: configs that it was to be scored on and has no predictions for.
    """

    path: Path
    model: str
    kind: str
    condition: str
    trained_on: tuple[str, ...]
    training_seed: int
    training: Mapping[str, Any]
    setting: Setting
    record: Mapping[str, Any]
    answers: Mapping[str, ConfigPredictions]
    figures: Mapping[str, Mapping[str, float]]
    missing: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.path.name

    @property
    def is_mixture(self) -> bool:
        """Whether it was trained on several kinds of data, so that it is a model of its own."""
        return self.condition.startswith(MIXTURE)

    @property
    def is_altered(self) -> bool:
        """Whether one attack altered all that it was trained on."""
        return not self.is_mixture and self.condition not in (ORIGINAL, UNTRAINED)

    @property
    def is_finished(self) -> bool:
        """Whether it ended by itself."""
        return bool(self.record["state"] == "finished")


def load_run(argument: str, say: Say = lambda _: None) -> Run:
    """Read a run folder.

    Args:
        argument: FOLDER, or NAME=FOLDER to call its model NAME.
        say: told what is being read.

    Raises:
        DataError: there is no folder with the record of a run, or no predictions in it.
        ScoringError: a file of predictions is broken, or metrics.json was made from others.
        UnknownNameError: predictions are for a config that does not exist.
    """
    label, path = _taken_apart(argument)
    record = read_record(path)
    answers = _answers(path, say)
    with naming(path / RECORD):
        _check_whole(path, record, answers)
        origin = _origin(path, record)
        return Run(
            path=path,
            model=label or origin.model,
            kind=record["arguments"]["model"]["model_kind"],
            condition=origin.condition,
            trained_on=origin.trained_on,
            training_seed=origin.seed,
            training=origin.training,
            setting=_setting(record["arguments"]["data"]),
            record=record,
            answers=answers,
            figures=read_figures(path),
            missing=tuple(name for name in _expected(record) if name not in answers),
        )


def _setting(data: Mapping[str, Any]) -> Setting:
    return Setting(
        data["evaluate_split"],
        data["attack_seed"],
        data["shuffle_degree"],
        data["evaluate_limit"],
        # Without a limit nothing is drawn.
        data["sample_seed"] if data["evaluate_limit"] else 0,
        # Runs of before this setting have none.
        tuple(sorted(data.get("attack_params", ()))),
    )


def _answers(path: Path, say: Say) -> dict[str, ConfigPredictions]:
    names = sorted(file.stem for file in (path / FOLDER).glob("*.jsonl"))
    if not names:
        msg = f"run {str(path)!r} holds no predictions; give one that was scored (--do_eval)"
        raise DataError(msg)
    answers = {}
    for name in _in_order(path, names):
        say(f"{path.name}: reading {name}")
        answers[name] = load_predictions(path, name)
    return answers


def _check_whole(
    path: Path, record: Mapping[str, Any], answers: Mapping[str, ConfigPredictions]
) -> None:
    """Raise where a file of predictions has fewer or more rows than the run scored."""
    split = record["arguments"]["data"]["evaluate_split"]
    for name, found in answers.items():
        scored = record.get("data", {}).get(f"{name}/{split}", {}).get("rows", len(found.ids))
        if scored != len(found.ids):
            msg = (
                f"{path}: there are predictions on {len(found.ids)} of the {scored} rows of {name};"
                " score the run again"
            )
            raise DataError(msg)


def _taken_apart(argument: str) -> tuple[str, Path]:
    """Label and folder; a folder whose own name holds a `=` is taken as it is."""
    label, equals, folder = argument.partition("=")
    if not equals or Path(argument).is_dir():
        return "", Path(argument)
    return label, Path(folder)


class _Origin(NamedTuple):
    """Where a model comes from."""

    model: str
    condition: str
    trained_on: tuple[str, ...]
    seed: int
    training: Mapping[str, Any]


def _origin(path: Path, record: Mapping[str, Any]) -> _Origin:
    """Of the run's model; of the run that trained it, where the record or its folder tells."""
    arguments = record["arguments"]
    trainer = None
    if not arguments["run"]["do_train"]:
        trainer = record.get("trainer") or _trainer_here(path, arguments)
        if trainer is None:
            model, seed = arguments["model"]["model_name_or_path"], arguments["run"]["seed"]
            return _Origin(model, UNTRAINED, (), seed, _training(arguments, ()))
        arguments = trainer["arguments"]
    items = _names(arguments["data"]["train"])
    model = arguments["model"]["model_name_or_path"]
    if trainer and trainer.get("checkpoint"):
        model = f"{model}, {trainer['checkpoint']}"
    training = _training(arguments, items)
    return _Origin(model, _condition(items), tuple(items), arguments["run"]["seed"], training)


def _trainer_here(path: Path, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The record of the run that trained the model, if its folder is where the run had it.

    Only for runs whose own record does not hold it yet.
    """
    folder = Path(arguments["model"]["model_name_or_path"])
    if not (folder / RECORD).is_file() or folder.resolve() == path.resolve():
        return None
    record = read_record(folder)
    return record if record["arguments"]["run"]["do_train"] else None


def _training(arguments: Mapping[str, Any], items: Sequence[str]) -> dict[str, Any]:
    parts = arguments["model"], arguments["data"], arguments["run"] if items else {}
    found = {name: part[name] for part in parts for name in _IN_COMMON if name in part}
    corpora = {parse_config(item.partition(":")[0]).corpus for item in items}
    return {**found, "the training corpora": ", ".join(sorted(corpora))}


def _names(items: Sequence[str]) -> list[str]:
    return [name for item in items for name in item.replace(",", " ").split()]


def _condition(items: Sequence[str]) -> str:
    """`original`, or the attack that altered every part; else the mixture itself."""
    if all(":" not in item for item in items):
        attacks = {parse_config(item).attack for item in items}
        if len(attacks) == 1:
            return attacks.pop() or ORIGINAL
    return f"{MIXTURE} {', '.join(items)}"


def _expected(record: Mapping[str, Any]) -> list[str]:
    """Configs that the run was to be scored on; `CORPUS:*` is what it was when the run began."""
    if "evaluates" in record:
        return list(record["evaluates"])
    return [str(one) for one in expand_configs(_names(record["arguments"]["data"]["evaluate"]))]


def _in_order(path: Path, names: Sequence[str]) -> list[str]:
    """Each original before its attacked versions."""
    parts = []
    for name in names:
        with naming(path / FOLDER / f"{name}.jsonl"):
            parts.append(parse_config(name))
    return [str(one) for one in sorted(parts, key=lambda one: (one.corpus, one.attack or ""))]
