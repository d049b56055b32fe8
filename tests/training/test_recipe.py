from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.errors import McrcError, ParameterError, UnknownNameError
from mcrc_adversarial.training import recipe
from mcrc_adversarial.training.mixtures import parse_mixture
from mcrc_adversarial.training.recipe import Arguments, make_parser, parse_arguments

RECIPES = sorted(recipe.RECIPES.glob("*.yaml"))
PAPER_A = [path for path in RECIPES if path.stem.startswith("bert-large")]
ROOT = Path(recipe.__file__).parents[2]


def parse(*argv: str) -> Arguments:
    return parse_arguments(list(argv))


def written(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


BASE = "train: [sample]\ndo_train: true\noutput_dir: run\n"


def test_recipe_sets_and_flags_override(tmp_path: Path) -> None:
    path = written(tmp_path, f"{BASE}learning_rate: 1e-5\nevaluate: [sample, 'race:*']\n")

    found = parse(
        path, "--evaluate", "dream", "--num_train_epochs", "7", "--do_train", "False", "--do_eval"
    )

    assert found.run.learning_rate == 1e-5
    assert found.data.evaluate == ["dream"]
    assert found.run.num_train_epochs == 7
    assert (found.run.do_train, found.run.do_eval) == (False, True)
    assert found.recipe == path


def test_recipe_is_found_by_its_bare_name() -> None:
    assert parse("sample").recipe == str(recipe.RECIPES / "sample.yaml")


def test_unknown_recipe_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no recipe is called 'bert-large-rac'; did you"):
        parse("bert-large-rac")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lerning_rate: 1", "no setting is called 'lerning_rate'; did you mean learning_rate"),
        ("learning_rate: [1", "cannot be read"),
        ("- a", "holds list; a mapping of settings is needed"),
        ("", "holds NoneType; a mapping of settings is needed"),
        ("max_length: long", "argument --max_length/--max-length: invalid int value: 'long'"),
        ("model_kind: mc", "argument --model_kind/--model-kind: invalid choice: 'mc'"),
        ("max_length:", "max_length has no value; leave it out"),
        ("trust_remote_code: true", "no setting is called 'trust_remote_code'"),
    ],
)
def test_wrong_recipe_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(McrcError, match=re.escape(message)) as raised:
        parse(written(tmp_path, text), "--do_train", "--output_dir", "run", "--train", "sample")

    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--lerning_rate", "1"], "no setting is called 'lerning_rate'; did you mean"),
        (["--learning", "1"], "no setting is called 'learning'"),
        (["--max_length"], "expected one argument"),
        (["--max_length", "x"], "invalid int value: 'x'"),
        (["--attack_params", "field=question"], "'field'; did you mean fields?"),
        (["--attack_params", "fields"], "'fields' is not of the form NAME=VALUE"),
        (["--attack_params", "fields=options"], "fields is 'options'; it must be passage"),
        (["--attack_params", "shuffle_degree=much"], "'much' is no value for shuffle_degree"),
        (
            ["--attack_params", "shuffle_degree=0.8", "--shuffle_degree", "0.7"],
            "shuffle_degree is given twice",
        ),
        (["--attack_seed", "-1"], "attack_seed is -1; it must be at least 0"),
        (["--train_limit", "-3"], "train_limit is -3; it must be at least 0"),
        (["--evaluate_token_budget", "100"], "less than one sequence of max_length 512"),
        (["--dropout", "1"], "dropout is 1.0; it must lie from 0"),
        (["--bf16"], "bf16 and fp16 follow from --dtype"),
        (["--model_kind", "causal"], "model_kind 'causal' cannot be trained"),
        (["--eval_strategy", "no", "--save_strategy", "no"], "give --load_best_model_at_end False"),
        (["--eval_strategy", "steps", "--save_strategy", "epoch"], "strategy to match"),
        (["--eval_strategy", "sometimes"], "sometimes is not a valid IntervalStrategy"),
    ],
)
def test_wrong_flags_are_one_line(flags: list[str], message: str) -> None:
    with pytest.raises(McrcError, match=re.escape(message)) as raised:
        parse("--do_train", "--train", "sample", "--output_dir", "run", *flags)

    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "nothing to do; give --do_train, --do_eval, --do_predict or --dry_run"),
        (["--do_eval", "--evaluate", "sample"], "no --output_dir is given"),
        (["--do_train", "--output_dir", "run"], "no --train; name the configs"),
        (["--do_eval", "--output_dir", "run"], "no --evaluate is given"),
    ],
)
def test_missing_settings_are_one_line(argv: list[str], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        parse(*argv)


def test_scoring_alone_does_without_deepspeed() -> None:
    config = str(ROOT / "ds_config.json")

    found = parse("--do_eval", "--evaluate", "sample", "--output_dir", "run", "--deepspeed", config)

    assert found.run.deepspeed is None
    assert found.run.deepspeed_plugin is None
    assert f"nothing is trained: {config} (DeepSpeed) is not used" in found.notes


def test_do_eval_means_what_was_asked_for() -> None:
    flags = ["--train", "sample", "--output_dir", "run"]

    assert not parse("--do_train", *flags).run.do_eval
    assert parse("--do_train", "--do_eval", *flags).run.do_eval


@pytest.mark.parametrize(("dtype", "flag"), [("float32", False), ("bfloat16", True)])
def test_dtype_decides_on_bf16(dtype: str, flag: bool) -> None:
    found = parse("--do_train", "--train", "sample", "--output_dir", "run", "--dtype", dtype)

    assert (found.run.bf16, found.run.fp16) == (flag, False)
    assert not any("dtype" in note for note in found.notes)


def test_dtype_auto_is_resolved_and_said() -> None:
    found = parse("--do_train", "--train", "sample", "--output_dir", "run")

    assert found.model.dtype in {"float32", "bfloat16"}
    assert f"dtype auto: {found.model.dtype}" in found.notes
    assert found.run.bf16 == (found.model.dtype == "bfloat16")


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_resolves(path: Path) -> None:
    found = parse(str(path))

    assert found.run.do_train
    assert found.run.do_eval
    assert parse_mixture(found.data.train)
    assert expand_configs(found.data.evaluate)
    assert found.run.output_dir == f"runs/{path.stem}"


def test_recipes_are_those_that_the_documentation_names() -> None:
    assert [path.stem for path in RECIPES] == [
        "bert-large-dream",
        "bert-large-mcscript",
        "bert-large-mcscript2",
        "bert-large-mctest",
        "bert-large-race",
        "roberta-large-race-adversarial",
        "roberta-large-race",
        "sample",
    ]


@pytest.mark.parametrize("path", PAPER_A, ids=lambda path: path.stem)
@pytest.mark.parametrize("attack", ["p", "q", "pq"])
@pytest.mark.parametrize("how", ["shuffle", "remove"])
def test_un_answerable_training_is_the_one_override_that_the_recipe_states(
    path: Path, attack: str, how: str
) -> None:
    text = path.read_text(encoding="utf-8")
    corpora = yaml.safe_load(text)["train"]
    override = " ".join(f"{corpus}-{attack}-{how}" for corpus in corpora)

    assert re.search(rf"--train {override}(\s|$)", text)
    found = parse(str(path), "--train", *override.split())
    assert [str(item) for item in parse_mixture(found.data.train)] == override.split()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_states_its_source_and_deviations(path: Path) -> None:
    comments = [
        line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")
    ]

    assert len(comments) > 3
    if path.stem != "sample":
        assert any("arXiv:" in line for line in comments)
        assert any("Deviations" in line for line in comments)


def test_every_setting_of_ours_is_explained() -> None:
    helps = {
        action.dest: action.help or ""
        for action in make_parser()._actions
        if action.help and action.dest != "help"
    }

    assert len(helps) > 100
    assert not [name for name, text in helps.items() if len(text) < 15]
    assert "unset" in helps["shuffle_degree"]
