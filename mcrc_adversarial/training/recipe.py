"""A recipe (YAML) and flags -> arguments. A recipe is flags in a file; later flags override it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import torch
import yaml
from transformers import HfArgumentParser

from mcrc_adversarial.errors import ParameterError, UnknownNameError
from mcrc_adversarial.registry import unknown_name
from mcrc_adversarial.training.arguments import DataArguments, ModelArguments, RunArguments
from mcrc_adversarial.training.inherited import check_inherited
from mcrc_adversarial.training.processes import start_deepspeed
from mcrc_adversarial.training.ranges import check_ranges
from mcrc_adversarial.training.trained import as_trained

RECIPES = Path(__file__).parent.parent / "recipes"
_USAGE = "train.py [RECIPE.yaml] [--flag value ...]"
# What HfArgumentParser says where something else follows a switch.
_SWITCH_ERROR = re.compile(r"argument (--\w+)\S*: Truthy value expected: got (\S+)")
_PRECISIONS = {"float32": (), "bfloat16": ("bf16",), "float16": ("fp16",)}


@dataclass(frozen=True)
class Arguments:
    """Everything that a run is told, resolved.

    Attributes:
        model: the model.
        data: the questions.
        run: stages, optimisation, output; `dtype` and DeepSpeed are resolved into it.
        recipe: path of the recipe, None without one.
        notes: what was decided for the user, one line each.
    """

    model: ModelArguments
    data: DataArguments
    run: RunArguments
    recipe: str | None
    notes: tuple[str, ...]


class _Parser(HfArgumentParser):
    """Fails with one line instead of two screens of usage."""

    def error(self, message: str) -> NoReturn:
        switch = _SWITCH_ERROR.search(message)
        if switch:
            msg = (
                f"{switch[1]} is true or false, not {switch[2]!r}; a recipe comes before all flags:"
                f" train.py {switch[2]} {switch[1]}"
            )
            raise ParameterError(msg)
        msg = f"{' '.join(message.split())} (train.py --help lists all settings)"
        raise ParameterError(msg)


def make_parser() -> HfArgumentParser:
    """The parser of all settings; `train.py --help` prints it."""
    parser = _Parser(
        [ModelArguments, DataArguments, RunArguments],  # type: ignore[list-item]
        prog="train.py",
        usage=_USAGE,
        description=(
            "Fine-tune a multiple-choice model on any config or mixture, and score it on every"
            " attacked set; or, with --task, a model that makes distractors. A recipe is a YAML"
            " file, or the name of one in mcrc_adversarial/recipes; flags override it."
        ),
        allow_abbrev=False,
    )
    assert isinstance(parser, HfArgumentParser)
    return parser


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Read a recipe, if the first argument is none of the flags, and the flags behind it.

    Raises:
        ParameterError: a value has the wrong type or range, or settings do not go together.
        UnknownNameError: there is no such recipe or setting; the message names the nearest.
    """
    parser = make_parser()
    recipe = find_recipe(argv[0]) if argv and not argv[0].startswith("-") else None
    flags = list(argv if recipe is None else argv[1:])
    from_file = list(recipe_flags(recipe, parser)) if recipe is not None else []

    def parsed(words: Sequence[str]) -> dict[str, Any]:
        return _parsed(parser, [*words, *from_file, *flags])

    found, taken = as_trained(parsed)
    values, notes = resolve(found)
    notes += [taken] if taken else []
    try:
        model, data, run = parser.parse_dict(values)
    except (ValueError, ImportError) as error:
        msg = " ".join(str(error).split())
        raise ParameterError(msg) from error
    check_ranges(model, data, run)
    return Arguments(model, data, run, None if recipe is None else str(recipe), tuple(notes))


def _parsed(parser: HfArgumentParser, flags: Sequence[str]) -> dict[str, Any]:
    namespace, unknown = parser.parse_known_args(flags)
    if unknown:
        raise UnknownNameError(_unknown_flag(unknown[0], parser))
    return vars(namespace)


def find_recipe(name: str) -> Path:
    """The file called `name`, or the packaged recipe of that name.

    Raises:
        UnknownNameError: there is neither.
    """
    path = Path(name)
    packaged = RECIPES / f"{path.name.removesuffix('.yaml')}.yaml"
    if path.is_file():
        return path
    if path.parent == Path() and packaged.is_file():
        return packaged
    known = tuple(sorted(recipe.stem for recipe in RECIPES.glob("*.yaml")))
    raise UnknownNameError(unknown_name("recipe", name, known))


def recipe_flags(path: Path, parser: HfArgumentParser) -> Iterator[str]:
    """The flags that a recipe stands for.

    Raises:
        ParameterError: the file is no mapping of settings.
        UnknownNameError: a key is no setting.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        msg = f"recipe {str(path)!r} cannot be read: {' '.join(str(error).split())}"
        raise ParameterError(msg) from error
    if not isinstance(content, Mapping):
        msg = (
            f"recipe {str(path)!r} holds {type(content).__name__}; a mapping of settings is needed"
        )
        raise ParameterError(msg)
    known = _settings(parser)
    for key, value in content.items():
        if key not in known:
            msg = f"recipe {str(path)!r}: {unknown_name('setting', str(key), known)}"
            raise UnknownNameError(msg)
        if value is None:
            msg = f"recipe {str(path)!r}: {key} has no value; leave it out to keep its default"
            raise ParameterError(msg)
        yield f"--{key}"
        yield from _words(value)


def _words(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [json.dumps(value)] if isinstance(value, Mapping) else [str(value)]


def _settings(parser: HfArgumentParser) -> tuple[str, ...]:
    return tuple(sorted({action.dest for action in parser._actions} - {"help"}))


def _unknown_flag(flag: str, parser: HfArgumentParser) -> str:
    if not flag.startswith("--"):
        return f"{flag!r} belongs to no flag; a recipe comes first, then --flag value ..."
    name = flag.removeprefix("--").partition("=")[0].replace("-", "_")
    return unknown_name("setting", name, _settings(parser))


def best_dtype(use_cpu: bool, deepspeed: bool) -> str:
    """bfloat16 where the device computes with it natively, else float32."""
    if not use_cpu and torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    if deepspeed:
        # transformers refuses bf16 without a GPU unless use_cpu is set, which turns DeepSpeed off.
        return "float32"
    has_bf16 = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return "bfloat16" if has_bf16 else "float32"


def resolve(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Fill in what follows from other settings; the second item says what was decided.

    Raises:
        ParameterError: no stage or no folder is given, bf16/fp16 are set past `dtype`, or a setting
            would be ignored.
    """
    found, notes = dict(values), list[str]()
    _check_stages(found)
    check_inherited(found)
    if not found["do_train"] or found["dry_run"]:
        _without_training(found, notes)
    if found["deepspeed"]:
        found["accelerator_config"] = start_deepspeed() or found["accelerator_config"]
    elif not torch.accelerator.is_available():
        found["use_cpu"] = True
    if found["dtype"] == "auto":
        found["dtype"] = best_dtype(found["use_cpu"], bool(found["deepspeed"]))
        notes.append(f"dtype auto: {found['dtype']}")
    for flag in _PRECISIONS[found["dtype"]]:
        found[flag] = True
    return found, notes


def _check_stages(found: Mapping[str, Any]) -> None:
    stages = [name for name in ("do_train", "do_eval", "do_predict") if found[name]]
    if not stages and not found["dry_run"]:
        msg = "nothing to do; give --do_train, --do_eval, --do_predict or --dry_run"
        raise ParameterError(msg)
    if not found["output_dir"] and not found["dry_run"]:
        msg = "no --output_dir is given; name a new folder for the run"
        raise ParameterError(msg)
    if found["bf16"] or found["fp16"]:
        msg = "bf16 and fp16 follow from --dtype; give --dtype bfloat16 or --dtype float16"
        raise ParameterError(msg)


def _without_training(found: dict[str, Any], notes: list[str]) -> None:
    """Scoring alone needs no DeepSpeed engine, and ZeRO below stage 3 cannot give one."""
    found["eval_strategy"] = found["save_strategy"] = "no"
    found["load_best_model_at_end"] = False
    os.environ.pop("ACCELERATE_USE_DEEPSPEED", None)
    if found["deepspeed"]:
        notes.append(f"nothing is trained: {found['deepspeed']} (DeepSpeed) is not used")
        found["deepspeed"] = None
