"""An old run is not lost before a new one stands in its place."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
import tiny_models
import tiny_training
from small_runs import run

from mcrc_adversarial.errors import OutputError, ParameterError
from mcrc_adversarial.experiment.record import RunFolder
from mcrc_adversarial.training import MultipleChoiceTrainer

BASELINE = ("--do_eval", "--use_cpu", "--evaluate", "sample", "--evaluate_limit", "9")
WORDS = ("--model_kind", "baseline", "--model_name_or_path", "word-overlap")


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A finished run."""
    folder = tmp_path / "run"
    run(*BASELINE, *WORDS, "--output_dir", str(folder))
    return folder


@pytest.mark.parametrize("wrong", ["bundled:bert", "no-such-model"])
def test_run_is_kept_where_the_new_one_finds_no_model(
    old: Path, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = files(old)

    with caplog.at_level(logging.WARNING), pytest.raises(ParameterError, match=wrong):
        run(*BASELINE, "--model_name_or_path", wrong, "--output_dir", str(old), "--overwrite_run")

    assert files(old) == before
    assert [path.name for path in old.parent.iterdir()] == ["run"]
    assert "the old run is put back" in caplog.text


def test_run_is_replaced_by_one_that_ends_well(old: Path) -> None:
    (old / "metrics.json").write_text("old", encoding="utf-8")

    run(*BASELINE, *WORDS, "--output_dir", str(old), "--overwrite_run")

    assert json.loads((old / "metrics.json").read_text(encoding="utf-8"))["split"] == "test"
    assert [path.name for path in old.parent.iterdir()] == ["run"]


@pytest.mark.parametrize("inside", ["", "checkpoint-4"])
def test_model_inside_the_folder_is_never_overwritten(tmp_path: Path, inside: str) -> None:
    model = tmp_path / "keep" / inside
    model.mkdir(parents=True)

    with pytest.raises(ParameterError, match=r"lies in the --output_dir .* give another"):
        run(*BASELINE, "--model_name_or_path", str(model), "--overwrite_run",
            "--output_dir", str(tmp_path / "keep" / ".." / "keep"))  # fmt: skip


def test_data_inside_the_folder_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").touch()

    for flags in (["--data_files", f"test={tmp_path}/test.jsonl"], ["--data_dir", str(tmp_path)]):
        with pytest.raises(ParameterError, match="which --overwrite_run would delete"):
            run(*BASELINE, *WORDS, *flags, "--output_dir", str(tmp_path), "--overwrite_run")


def test_link_to_a_run_stays_a_link(old: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(old, target_is_directory=True)

    run(*BASELINE, *WORDS, "--output_dir", str(tmp_path / "link"), "--overwrite_run")

    assert (tmp_path / "link").is_symlink()
    assert (old / "metrics.json").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "run"]


def test_folder_that_cannot_be_moved_is_one_line_and_left_alone(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    before = files(old)
    monkeypatch.setattr(Path, "rename", read_only)
    with pytest.raises(OutputError, match=r"cannot be overwritten \(Read-only file system\)"):
        run(*BASELINE, *WORDS, "--output_dir", str(old), "--overwrite_run")

    assert files(old) == before


def test_working_folder_is_not_overwritten(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(old)

    with pytest.raises(OutputError, match="is the folder that you work in"):
        run(*BASELINE, *WORDS, "--output_dir", ".", "--overwrite_run")


def test_stranger_beside_the_run_is_not_taken_for_an_old_one(old: Path) -> None:
    stranger = old.with_name("run.replaced")
    stranger.mkdir()
    (stranger / "thesis.tex").touch()

    with pytest.raises(OutputError, match=r"run\.replaced' is in the way"):
        run(*BASELINE, *WORDS, "--output_dir", str(old), "--overwrite_run")
    run(*BASELINE, *WORDS, "--output_dir", str(old.with_name("other")))

    assert (stranger / "thesis.tex").exists()
    assert (old / "metrics.json").exists()


def killed(flags: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Train, and die once a checkpoint is written."""
    saved = MultipleChoiceTrainer._save_checkpoint

    def die_at_two(self: MultipleChoiceTrainer, model: Any, trial: Any) -> None:
        if self.state.global_step == 2:
            raise KeyboardInterrupt
        saved(self, model, trial)

    with monkeypatch.context() as patched:
        patched.setattr(MultipleChoiceTrainer, "_save_checkpoint", die_at_two)
        with pytest.raises(KeyboardInterrupt):
            run(*flags)


def test_unfinished_run_with_a_checkpoint_goes_on_and_the_old_one_goes_at_its_end(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tiny_models.bert(tiny_training.BERT).save_pretrained(tmp_path / "tiny")
    tiny_training.BERT.save_pretrained(tmp_path / "tiny")
    flags = [
        "--do_train", "--do_predict", "--model_name_or_path", str(tmp_path / "tiny"),
        "--output_dir", str(old), "--train", "sample", "--train_limit", "12",
        "--validation_limit", "4", "--num_train_epochs", "1", "--max_length", "96", "--use_cpu",
        "--per_device_train_batch_size", "4", "--evaluate", "sample", "--evaluate_limit", "4",
        "--eval_strategy", "steps", "--eval_steps", "1", "--save_strategy", "steps",
        "--save_steps", "1",
    ]  # fmt: skip
    before = files(old)

    killed([*flags, "--overwrite_run"], monkeypatch)

    aside = old.with_name("run.replaced")
    assert files(aside) == before
    assert f"the one before it lies in {aside}" in caplog.text
    # Started over once more: what is deleted is the unfinished one, never the finished one.
    killed([*flags, "--overwrite_run"], monkeypatch)
    assert files(aside) == before

    run(*flags)

    assert not aside.exists()
    record = RunFolder(old).read()
    assert record is not None
    assert record["state"] == "finished"
    assert record["training"]["steps"] == 3


def test_full_disk_at_the_start_leaves_the_old_run(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcrc_adversarial.experiment import record

    def full(path: Path, _: object) -> None:
        msg = f"{path}: cannot be written (No space left on device)"
        raise OutputError(msg)

    before = files(old)
    monkeypatch.setattr(record, "write_json", full)
    with pytest.raises(OutputError, match="No space left"):
        run(*BASELINE, *WORDS, "--output_dir", str(old), "--overwrite_run")

    assert files(old) == before
