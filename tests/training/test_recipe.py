from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import yaml
from transformers import TrainingArguments

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.errors import McrcError, ParameterError, UnknownNameError
from mcrc_adversarial.training import recipe
from mcrc_adversarial.training.inherited import REFUSED
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
        (
            ["--overwrite_run", "bert-large-race"],
            "a recipe comes before all flags: train.py bert-large-race --overwrite_run",
        ),
        (
            ["--model_kind", "baseline", "--model_name_or_path", "randm"],
            "no baseline is called 'randm'; did you mean random",
        ),
        (["--metric_for_best_model", "f1"], "metric_for_best_model is 'f1'; accuracy or loss"),
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


# Decided one by one: these reach Trainer, or what replaces it here, and do what they say.
_EFFECTIVE = (
    "output_dir per_device_train_batch_size num_train_epochs max_steps learning_rate"
    " lr_scheduler_type lr_scheduler_kwargs warmup_steps optim optim_args weight_decay adam_beta1"
    " adam_beta2 adam_epsilon optim_target_modules gradient_accumulation_steps"
    " average_tokens_across_devices max_grad_norm bf16 fp16 tf32 activation_checkpointing"
    " activation_checkpointing_kwargs gradient_checkpointing gradient_checkpointing_kwargs"
    " torch_compile torch_compile_backend torch_compile_mode use_liger_kernel liger_kernel_config"
    " neftune_noise_alpha torch_empty_cache_steps logging_strategy logging_steps logging_first_step"
    " log_on_each_node logging_nan_inf_filter include_num_input_tokens_seen log_level"
    " log_level_replica report_to run_name project trackio_space_id trackio_bucket_id"
    " trackio_static_space_id eval_strategy eval_steps eval_delay eval_on_start save_strategy"
    " save_steps save_on_each_node save_total_limit enable_jit_checkpoint push_to_hub hub_token"
    " hub_private_repo hub_model_id hub_strategy hub_always_push hub_revision"
    " load_best_model_at_end metric_for_best_model greater_is_better"
    " restore_callback_states_from_checkpoint full_determinism seed data_seed use_cpu"
    " dataloader_num_workers dataloader_pin_memory dataloader_persistent_workers"
    " dataloader_prefetch_factor ddp_find_unused_parameters ddp_bucket_cap_mb"
    " ddp_broadcast_buffers ddp_static_graph ddp_backend ddp_timeout deepspeed debug"
    " skip_memory_metrics do_train do_eval do_predict local_rank"
)
EFFECTIVE = set(_EFFECTIVE.split())


def test_every_setting_of_transformers_is_known_to_work_or_refused() -> None:
    names = {field.name for field in dataclasses.fields(TrainingArguments)}

    assert not EFFECTIVE & set(REFUSED)
    assert names - EFFECTIVE - set(REFUSED) == set()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--resume_from_checkpoint", "runs/a"], "the same command goes on from the last"),
        (["--label_smoothing_factor", "0.1"], "the loss is plain cross entropy"),
        (["--per_device_eval_batch_size", "4"], "batches of --evaluate_token_budget tokens"),
        (["--dataloader_drop_last"], "each once an epoch"),
        (["--remove_unused_columns", "False"], "rows are encoded before training"),
        (["--include_for_metrics", "loss"], "accuracy and loss are all"),
        (["--train_sampling_strategy", "group_by_length"], "questions of like length"),
        (["--fsdp", "full_shard"], "DDP (torchrun) or --deepspeed"),
    ],
)
def test_setting_that_would_be_ignored_is_refused(flags: list[str], message: str) -> None:
    for stage in (["--do_train", "--train", "sample"], ["--do_eval", "--evaluate", "sample"]):
        with pytest.raises(ParameterError, match=re.escape(message)) as raised:
            parse(*stage, "--output_dir", "run", *flags)

        assert str(raised.value).startswith(f"{flags[0].removeprefix('--')} has no effect here")


@pytest.mark.parametrize("name", REFUSED)
def test_refused_settings_may_be_left_at_their_defaults(name: str) -> None:
    found = parse("--do_train", "--train", "sample", "--output_dir", "run")

    assert hasattr(found.run, name)


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
    # What a task trains is scored on validation alone.
    assert found.run.do_eval == (found.model.task == "answering")
    assert parse_mixture(found.data.train)
    assert found.model.task != "answering" or expand_configs(found.data.evaluate)
    assert found.run.output_dir == f"runs/{path.stem}"


def test_recipes_are_those_that_the_documentation_names() -> None:
    assert [path.stem for path in RECIPES] == [
        "albert-xxlarge-race-span-extraction",
        "bart-large-race-distractor-generation",
        "bert-large-dream",
        "bert-large-mcscript",
        "bert-large-mcscript2",
        "bert-large-mctest",
        "bert-large-race",
        "deberta-large-leave-source-out",
        "deberta-large-mnli-race",
        "deberta-large-race",
        "deberta-v2-xlarge-mnli-race",
        "deberta-v2-xlarge-race",
        "roberta-large-race-adversarial",
        "roberta-large-race-seeds",
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
