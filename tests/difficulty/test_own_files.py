from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from difficult_questions import example

from mcrc_adversarial.difficulty.filtering import kept_lines
from mcrc_adversarial.difficulty.own_files import read_own
from mcrc_adversarial.errors import DataError

ROW = {"passage": "Ed ran.", "question": "Who ran?", "options": ["Ed", "Ann"], "label": 0}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    return path


def test_kept_questions_are_read_with_all_that_was_told_of_them(tmp_path: Path) -> None:
    whole = example(1, types=["factoid"], vote_seconds=[1.5] * 5, writing_seconds=9.0)
    path = tmp_path / "kept.jsonl"
    path.write_text(kept_lines([whole], {whole.id: True}), encoding="utf-8")

    assert read_own(path, "test") == [whole]


def test_columns_of_a_csv_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    names = ["passage", "question", "options", "label", "source", "votes", "vote_seconds", "method"]
    row = ["Ed ran.", "Who?", '["Ed", "Ann"]', "0", "3", "[0, -1]", "[1, 2.5]", ""]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([names, row])

    (one,) = read_own(path, "test")

    assert one.facts == {"source": "3", "votes": [0, -1], "vote_seconds": [1.0, 2.5]}


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({"source": ["a"]}, r"record 2: 'source' is \['a'\]; it must be a text"),
        ({"votes": 1}, "record 2: 'votes' is 1; it must be a list"),
        ({"votes": "[0"}, "record 2: 'votes': broken JSON"),
        ({"votes": [0, True]}, "'votes', item 1 is True; it must be a whole number"),
        ({"votes": [0], "vote_seconds": [float("nan")]}, "item 0 is nan; it must be a finite"),
        ({"votes": [0], "voters": ["a", "b"]}, "'votes' has 1 items, 'voters' 2; they belong"),
        ({"models": ["m"]}, "'models' has 1 items, 'models_right' 0; they belong together"),
        ({"models": ["m"], "models_right": [2]}, "'models_right', item 0 is 2; it must be true"),
        ({"votes": [0, -2]}, "record 2: 'votes' holds -2; -1 is the least that it may be"),
        ({"votes": [0], "vote_seconds": [-0.5]}, "'vote_seconds' holds -0.5; 0 is the least"),
        ({"writing_seconds": -3}, "'writing_seconds' holds -3; 0 is the least that it may be"),
        (
            {"models": ["m", "n", "m"], "models_right": [True, False, False]},
            "record 2: 'models' names 'm' twice; give each model a name of its own",
        ),
        (
            {"partial_models": ["A: m"] * 2, "partial_models_right": [True, False]},
            "'partial_models' names 'A: m' twice",
        ),
        ({"writing_seconds": "long"}, "'writing_seconds' is 'long'; it must be a finite number"),
    ],
)
def test_column_of_another_kind_is_named(
    tmp_path: Path, fact: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "own.jsonl", ROW, {**ROW, "question": "Who?", **fact})

    with pytest.raises(DataError, match=message) as error:
        read_own(path, "test")
    assert str(path) in str(error.value)
