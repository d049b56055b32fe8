"""`train.py --task ...`: what is trained on, and runs of it with tiny checkpoints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tiny_models
import tiny_task_models as tiny
import torch
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file
from strategies import examples

import train
from mcrc_adversarial.candidates import GENERATED, SPANS
from mcrc_adversarial.distractors.insertion import with_options
from mcrc_adversarial.distractors.task_data import PairEncoder, SpanEncoder
from mcrc_adversarial.distractors.training import build_trainer, make_encoder
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.training.models import Loaded
from mcrc_adversarial.training.recipe import parse_arguments

ROOT = Path(train.__file__).parent
SHORT = (
    "--train", "sample", "--train_limit", "12", "--validation_limit", "4", "--max_length", "64",
    "--stride", "16", "--use_cpu", "--dtype", "float32", "--per_device_train_batch_size", "4",
    "--logging_steps", "1", "--learning_rate", "3e-3",
)  # fmt: skip


@given(examples(), st.integers(0, 9))
def test_options_are_put_whole_into_the_passage(example: Example, seed: int) -> None:
    made = with_options(example.id, example.passage, example.options, example.label, seed)
    again = with_options(example.id, example.passage, example.options, example.label, seed)

    assert made == again
    answer = " ".join(example.answer.split())
    if made is None:
        assert not answer
        return
    assert made.passage[made.start : made.end] == answer
    before = made.passage[: made.start].rpartition(" ")[2]
    assert before == "" or not (before[-1].isalnum() and answer[0].isalnum())
    expected = [example.passage, *example.options]
    assert sorted(made.passage.split()) == sorted(" ".join(expected).split())
    for option in example.options:
        assert " ".join(option.split()) in made.passage


def test_answer_inside_another_word_is_not_what_is_trained_on() -> None:
    passage = " ".join(["a hearth of 3.5 yards"] * 20)
    for answer in ("art", "3", "yard"):
        for seed in range(5):
            made = with_options("test/0", passage, (answer, "a ship"), 0, seed)
            assert made is not None
            assert f" {made.passage} "[made.start : made.end + 2] == f" {answer} "
    # The first that is whole counts, also in front of what was put in.
    early = with_options("test/0", "art, " + passage, ("art", "a ship"), 0, 0)
    assert early is not None
    assert early.start == early.passage.index("art,")


def test_options_stand_elsewhere_with_another_seed_or_row() -> None:
    passage, options = "one two three four five six seven", ("Ann", "Bo", "Cy")
    found = {with_options(f"test/{n}", passage, options, 0, s) for n in range(3) for s in range(3)}

    assert len(found) > 5


def test_span_windows_point_to_the_answer() -> None:
    words = " ".join(["the old mill stood by a river"] * 12)
    rows = {
        "id": ["a", "b"],
        "passage": [words, "Ann came"],
        "question": ["who came ?", "who ?"],
        "options": [["seven plums", "Monday"], [" ", "Ann"]],
        "label": [0, 0],
    }
    encoder = SpanEncoder(tiny.TOKENIZER, 48, 12, 0)

    found = encoder(rows)

    answer = tiny.TOKENIZER("seven plums", add_special_tokens=False)["input_ids"]
    pointed = 0
    places = zip(found["input_ids"], found["start_positions"], found["end_positions"], strict=True)
    for ids, first, last in places:
        text = ids[first : last + 1]
        if (first, last) == (0, 0):
            assert not any(ids[n : n + 2] == answer for n in range(len(ids)))
        else:
            pointed += 1
            assert text == answer
    # The second row's right option is blank: it is left out.
    assert len(found["input_ids"]) > 2
    assert pointed >= 1


def test_pairs_are_each_distractor_that_is_none_of_the_answer() -> None:
    rows = {
        "passage": ["Ann came"],
        "question": ["who _ ?"],
        "options": [["Ann", "nobody", " ", "ANN.", "seven plums"]],
        "label": [0],
    }

    found = PairEncoder(tiny.TOKENIZER, 32)(rows)

    texts = [tiny.TOKENIZER.decode(ids, skip_special_tokens=True) for ids in found["labels"]]
    assert texts == ["nobody", "seven plums"]
    assert found["input_ids"][0] == found["input_ids"][1]


def command(task: str, model: str, folder: Path, *flags: str) -> list[str]:
    given = ("--task", task, "--model_name_or_path", model, "--output_dir", str(folder))
    return [*given, "--do_train", *SHORT, *flags]


def checkpoint(task: str, folder: Path) -> str:
    model = tiny.span_model() if task == SPANS.name else tiny.writer_model()
    return tiny.saved(model, folder / "start")


@pytest.mark.parametrize("task", [SPANS.name, GENERATED.name])
def test_run_of_a_task_learns_and_leaves_a_model(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    flags = ("--num_train_epochs", "4", "--label_smoothing_factor", "0")

    assert train.main(command(task, checkpoint(task, tmp_path), run, *flags)) == 0

    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    losses = [one["loss"] for one in record["training"]["log"] if "loss" in one]
    assert sum(losses[-3:]) < sum(losses[:3])
    assert record["state"] == "finished"
    assert record["data"]["sample/train"]["rows"] == 12
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["task"] == task
    assert 0 <= metrics["validation"]["accuracy"] <= 1
    assert (run / "model.safetensors").is_file()
    assert not list(run.rglob("training_args.bin"))
    assert f"candidates CORPUS --task {task} --model {run}" in capsys.readouterr().out
    assert train.main(command(task, str(tmp_path / "start"), run)) == 2


DIES = """
import os, sys
import train
from mcrc_adversarial.training.run_trainer import RunTrainer
save = RunTrainer._save_checkpoint
def dies(self, model, trial):
    if self.state.epoch > 1:
        os._exit(1)
    save(self, model, trial)
RunTrainer._save_checkpoint = dies
sys.exit(train.main())
"""


@pytest.mark.slow
def test_killed_run_of_a_task_ends_with_the_same_weights(tmp_path: Path) -> None:
    start = checkpoint(SPANS.name, tmp_path)
    flags = ("--num_train_epochs", "2", "--load_best_model_at_end", "False")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert train.main(command(SPANS.name, start, whole, *flags)) == 0

    done = subprocess.run(
        [sys.executable, "-c", DIES, *command(SPANS.name, start, killed, *flags)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert not (killed / "model.safetensors").exists()
    assert train.main(command(SPANS.name, start, killed, *flags)) == 0

    first, second = (load_file(one / "model.safetensors") for one in (whole, killed))
    for name, value in first.items():
        torch.testing.assert_close(value, second[name], rtol=0, atol=0, msg=name)


def test_padding_never_moves_what_spans_are_trained_on(tmp_path: Path) -> None:
    arguments = parse_arguments(command(SPANS.name, "x", tmp_path, "--dtype", "float32"))
    tokenizer = tiny_models.bert_tokenizer()
    tokenizer.padding_side = "left"
    loaded = Loaded(tiny.span_model(), tokenizer)
    rows = {
        "id": ["a", "b"],
        "passage": ["Ann came", "the old mill stood by a river"],
        "question": ["who ?", "who ?"],
        "options": [["seven plums", "Monday"]] * 2,
        "label": [0, 0],
    }
    items = Dataset.from_dict(make_encoder(arguments, loaded)(rows))
    trainer = build_trainer(arguments, loaded, items, items)

    batch = trainer.data_collator(list(items))

    places = zip(batch["input_ids"], batch["start_positions"], batch["end_positions"], strict=True)
    assert [tokenizer.decode(ids[first : last + 1]) for ids, first, last in places] == [
        "seven plums",
        "seven plums",
    ]


@pytest.mark.parametrize("task", [SPANS.name, GENERATED.name])
def test_dry_run_of_a_task_takes_a_step(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"

    assert train.main(command(task, checkpoint(task, tmp_path), run, "--dry_run")) == 0

    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("one step: loss ") for line in lines)
    assert lines[-1] == "dry run passed"
    assert not run.exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--do_predict"], "is for training: give --do_train, without --do_eval, --do_predict"),
        (["--do_eval"], "without --do_eval, --do_predict and --evaluate"),
        (["--evaluate", "sample"], "without --do_eval, --do_predict and --evaluate"),
        (["--model_kind", "matching"], "takes neither --model_kind nor --train_token_budget"),
        (["--train_token_budget", "9000"], "takes neither --model_kind nor"),
        (["--stride", "-1"], "stride is -1; it must be at least 0"),
    ],
)
def test_settings_that_a_task_does_not_have_are_refused(flags: list[str], message: str) -> None:
    base = ["--task", SPANS.name, "--do_train", "--train", "sample", "--output_dir", "run"]
    with pytest.raises(ParameterError, match=message):
        parse_arguments([*base, *flags])


def test_task_that_trains_nothing_is_refused() -> None:
    flags = ["--task", SPANS.name, "--do_eval", "--evaluate", "sample", "--output_dir", "run"]
    with pytest.raises(ParameterError, match="is for training"):
        parse_arguments(flags)
