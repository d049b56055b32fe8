"""train.py, as a user meets it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcrc_adversarial.training import models

ROOT = Path(models.__file__).parents[2]


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


def test_door_is_thin() -> None:
    assert len((ROOT / "train.py").read_text(encoding="utf-8").splitlines()) <= 120
