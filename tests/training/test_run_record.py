from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.experiment import record
from mcrc_adversarial.experiment.record import RunFolder, git_revision, versions, write_json
from mcrc_adversarial.training.recipe import Arguments, parse_arguments


def arguments(folder: Path, *flags: str) -> Arguments:
    return parse_arguments(
        ["--do_train", "--train", "sample", "--output_dir", str(folder), "--use_cpu", *flags]
    )


def test_begin_records_what_the_numbers_depend_on(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")

    resumed = folder.begin(arguments(folder.path, "--seed", "5", "--attack_seed", "2"))

    found = json.loads((folder.path / "run.json").read_text(encoding="utf-8"))
    assert not resumed
    assert found["state"] == "unfinished"
    assert found["seeds"] == {"training": 5, "batches": 5, "attack": 2, "sample": 0}
    assert found["arguments"]["data"]["train"] == ["sample"]
    assert found["arguments"]["run"]["learning_rate"] == 2e-5
    assert found["versions"]["torch"] == versions()["torch"]
    assert found["git_revision"] == git_revision()


def test_finished_run_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))
    folder.finish()
    (folder.path / "metrics.json").write_text("{}", encoding="utf-8")

    with pytest.raises(OutputError, match=r"holds a finished run; give another --output_dir, or"):
        folder.begin(arguments(folder.path))
    assert (folder.path / "metrics.json").exists()

    assert not folder.begin(arguments(folder.path, "--overwrite_run"))
    assert not (folder.path / "metrics.json").exists()


def test_unfinished_run_goes_on_with_equal_settings(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))

    assert folder.begin(arguments(folder.path, "--logging_steps", "3", "--evaluate", "sample"))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--learning_rate", "3e-5"], "learning_rate 2e-05, now it is 3e-05"),
        (["--train", "sample", "sample-p-remove"], "train"),
        (["--dropout", "0.2"], "dropout None, now it is 0.2"),
        (["--seed", "43"], "seed 42, now it is 43"),
    ],
)
def test_unfinished_run_does_not_go_on_with_other_settings(
    tmp_path: Path, flags: list[str], message: str
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))

    with pytest.raises(OutputError, match=message):
        folder.begin(arguments(folder.path, *flags))


def test_unfinished_run_does_not_go_on_with_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))
    more = arguments(folder.path)
    monkeypatch.setattr(type(more.run), "world_size", 2)

    with pytest.raises(OutputError, match="with 1 processes, now there are 2; start as many"):
        folder.begin(more)


def test_scoring_alone_goes_on_with_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path / "run")
    alone = parse_arguments([
        "--do_eval", "--evaluate", "sample", "--output_dir", str(folder.path), "--use_cpu",
    ])  # fmt: skip
    folder.begin(alone)
    monkeypatch.setattr(type(alone.run), "world_size", 2)

    assert folder.begin(alone)


DATA = {"sample/train": {"rows": 720, "sha256": "a" * 64}}


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (
            {"sample/train": {"rows": 720, "sha256": "b" * 64}},
            r"720 rows of sample/train \(sha256 aaaaaaaaaaaa\), now they are 720 \(bbbbbbbbbbbb\)",
        ),
        ({}, "now none; give another --output_dir"),
    ],
)
def test_unfinished_run_does_not_go_on_with_other_data(
    tmp_path: Path, now: dict[str, dict[str, object]], message: str
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))
    folder.note_training_data(DATA)
    assert folder.begin(arguments(folder.path))
    folder.note_training_data(DATA)

    with pytest.raises(OutputError, match=message):
        folder.note_training_data(now)


def test_going_on_warns_of_other_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))
    folder.begin(arguments(folder.path))
    assert not caplog.records
    monkeypatch.setattr(record, "versions", lambda: {**versions(), "torch": "9.9"})

    folder.begin(arguments(folder.path))

    assert f"torch {versions()['torch']} -> 9.9" in caplog.text
    assert len(caplog.records) == 1


def test_going_on_removes_what_the_earlier_start_predicted(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(arguments(folder.path))
    (folder.path / "predictions").mkdir()
    for name in ("predictions/sample-q-remove.jsonl", "metrics.json", "README.md"):
        (folder.path / name).write_text("old", encoding="utf-8")
    (folder.path / "checkpoint-3").mkdir()

    folder.begin(arguments(folder.path, "--evaluate", "sample"))

    assert sorted(path.name for path in folder.path.iterdir()) == ["checkpoint-3", "run.json"]


def test_folder_of_something_else_is_refused_even_when_overwriting(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()

    for flags in ([], ["--overwrite_run"]):
        with pytest.raises(OutputError, match=r"holds 'thesis.tex', which no run wrote"):
            RunFolder(tmp_path).begin(arguments(tmp_path, *flags))
    assert (tmp_path / "thesis.tex").exists()


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"schema_version": 99}'])
def test_broken_record_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")

    with pytest.raises(
        OutputError, match=r"run\.json: (this is no record of a run|schema version)"
    ):
        RunFolder(tmp_path).read()


def test_write_json_leaves_the_old_file_where_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "metrics.json"
    write_json(path, {"a": 1})

    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"a": float("nan")})

    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def test_git_revision_is_that_of_the_file_and_tells_of_changes(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text("a = 1\n", encoding="utf-8")
    assert git_revision(file) is None
    git(tmp_path, "init")
    assert git_revision(file) is None
    git(tmp_path, "add", "code.py")
    git(tmp_path, "commit", "-m", "x")

    clean = git_revision(file)
    file.write_text("a = 2\n", encoding="utf-8")

    assert clean is not None
    assert len(clean) == 40
    assert git_revision(file) == f"{clean}+changes"


def scoring(folder: Path, model: Path, *flags: str) -> dict:
    run = RunFolder(folder)
    run.begin(
        parse_arguments([
            "--do_eval", "--model_name_or_path", str(model), "--output_dir", str(folder),
            "--evaluate", "sample-p-remove", "--use_cpu", *flags,
        ])
    )  # fmt: skip
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def test_scoring_run_records_who_trained_its_model(tmp_path: Path) -> None:
    trained = RunFolder(tmp_path / "trained")
    trained.begin(arguments(trained.path, "--seed", "5"))
    (trained.path / "checkpoint-7").mkdir()

    record = scoring(tmp_path / "scored", trained.path)
    early = scoring(tmp_path / "early", trained.path / "checkpoint-7")

    assert record["evaluates"] == ["sample", "sample-p-remove"]
    assert record["trainer"]["folder"] == "../trained"
    assert record["trainer"]["checkpoint"] is None
    assert record["trainer"]["arguments"]["run"]["seed"] == 5
    assert record["trainer"]["arguments"]["data"]["train"] == ["sample"]
    assert early["trainer"]["checkpoint"] == "checkpoint-7"
    assert scoring(tmp_path / "third", tmp_path / "scored")["trainer"] is None
    assert scoring(tmp_path / "fourth", tmp_path)["trainer"] is None


def test_model_beside_a_record_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[]", encoding="utf-8")
    with pytest.raises(OutputError, match=r"run\.json: this is no record of a run"):
        scoring(tmp_path / "scored", tmp_path)
