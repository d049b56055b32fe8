from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.errors import OutputError, ParameterError, ScoringError
from mcrc_adversarial.predictions import load_predictions, predictions_path, save_predictions
from mcrc_adversarial.predictions.files import read_predictions

CONFIG = "race-addsent2opt-shuffle"
ANSWERS = ConfigPredictions(
    ids=["test/high/1-0", "test/höh\u2028e/1-1"],
    labels=[1, 0],
    logits=[[0.25, -1.5, 3.0], [0.1, 0.1]],
    truncated=[True, False],
)
_SCORES = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=26)


def answers(**changes: object) -> ConfigPredictions:
    fields: dict[str, object] = {
        "ids": ["a", "b"],
        "labels": [0, 1],
        "logits": [[0.0, 1.0], [1.0, 0.0]],
        "truncated": [False, False],
    }
    return ConfigPredictions(**{**fields, **changes})  # type: ignore[arg-type]


def test_answers_predict_the_first_of_the_greatest() -> None:
    assert ANSWERS.predictions == [2, 0]
    assert ANSWERS.n_options == [3, 2]
    assert ANSWERS.n_truncated == 1


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"logits": [[0.0, float("nan")], [0.0, 1.0]]}, r"row 'a': .* only finite"),
        ({"logits": [[0.0, 1.0], [0.0, float("inf")]]}, r"row 'b': .* only finite"),
        ({"ids": ["a", "a"]}, "row 'a' was answered twice"),
        ({"labels": [0, 2]}, "row 'b': label 2 is none of its 2 options"),
        ({"labels": [-1, 0]}, "row 'a': label -1"),
        ({"truncated": [False]}, r"\[1, 2\] items"),
    ],
)
def test_answers_refuse_what_cannot_be_ranked(changes: dict[str, object], match: str) -> None:
    with pytest.raises(ScoringError, match=match):
        answers(**changes)


def test_save_predictions_writes_one_line_a_row(tmp_path: Path) -> None:
    path = save_predictions(tmp_path / "run", CONFIG, ANSWERS)
    assert path == tmp_path / "run" / "predictions" / f"{CONFIG}.jsonl"
    assert path == predictions_path(tmp_path / "run", CONFIG)
    lines = path.read_text(encoding="utf-8").split("\n")
    assert json.loads(lines[0]) == {
        "id": "test/high/1-0",
        "label": 1,
        "prediction": 2,
        "logits": [0.25, -1.5, 3.0],
        "truncated": True,
    }
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert read_predictions(path).ids == tuple(ANSWERS.ids)


@settings(max_examples=50)
@given(data=st.data(), scores=st.lists(_SCORES, max_size=6))
def test_predictions_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, scores: list[list[float]]
) -> None:
    n = len(scores)
    ids = data.draw(
        st.lists(
            st.text(st.characters(exclude_categories=["Cs"])), min_size=n, max_size=n, unique=True
        )
    )
    labels = [data.draw(st.integers(0, len(one) - 1)) for one in scores]
    truncated = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    written = ConfigPredictions(ids, labels, scores, truncated)
    run = tmp_path_factory.mktemp("run")
    save_predictions(run, "sample", written)
    assert load_predictions(run, "sample") == written


def test_saved_predictions_can_be_judged_as_anyones(tmp_path: Path) -> None:
    simple = answers()
    found = read_predictions(save_predictions(tmp_path, "sample", simple))
    assert found.ids == ("a", "b")
    assert list(found.predictions) == simple.predictions


def test_save_predictions_overwrites_only_when_asked(tmp_path: Path) -> None:
    save_predictions(tmp_path, "sample", ANSWERS)
    with pytest.raises(OutputError, match=r"sample\.jsonl: the file exists"):
        save_predictions(tmp_path, "sample", answers())
    assert load_predictions(tmp_path, "sample") == ANSWERS
    save_predictions(tmp_path, "sample", answers(), overwrite=True)
    assert load_predictions(tmp_path, "sample") == answers()


def test_save_predictions_leaves_the_old_file_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_predictions(tmp_path, "sample", ANSWERS)

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match="No space left"):
        save_predictions(tmp_path, "sample", answers(), overwrite=True)
    assert load_predictions(tmp_path, "sample") == ANSWERS
    assert list(path.parent.iterdir()) == [path]


def test_save_predictions_says_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be made"):
        save_predictions(tmp_path / "file", "sample", ANSWERS)


@pytest.mark.parametrize("config", ["../race", "Race", "", "race/x", "race-"])
def test_predictions_path_refuses_other_names(tmp_path: Path, config: str) -> None:
    with pytest.raises(ParameterError, match="kebab-case"):
        predictions_path(tmp_path, config)


def test_load_predictions_breaks_lines_at_newlines_alone(tmp_path: Path) -> None:
    path = save_predictions(tmp_path, "sample", ANSWERS)
    text = path.read_text(encoding="ascii").replace(r"\u2028", "\u2028")
    path.write_text(text, encoding="utf-8")
    assert load_predictions(tmp_path, "sample") == ANSWERS


def test_load_predictions_names_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="has not been scored on config 'sample'"):
        load_predictions(tmp_path, "sample")


GOOD = {"id": "a", "label": 0, "prediction": 1, "logits": [0.0, 1], "truncated": False}


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("{", "line 2: this is not JSON"),
        ("[]", "line 2: an object with exactly"),
        (json.dumps({**GOOD, "extra": 1}), "line 2: an object with exactly"),
        (json.dumps({**GOOD, "id": 3}), "line 2, field 'id': 3"),
        (json.dumps({**GOOD, "label": True}), "line 2, field 'label': True"),
        (json.dumps({**GOOD, "logits": [0.0, "1"]}), "line 2, field 'logits'"),
        (json.dumps({**GOOD, "truncated": 0}), "line 2, field 'truncated': 0"),
        (json.dumps({**GOOD, "prediction": 0}), "line 2: prediction is 0, .* is at 1"),
        (json.dumps({**GOOD, "logits": [0.0, float("nan")]}), r"sample\.jsonl: row .* only finite"),
        (json.dumps({**GOOD, "label": 2}), r"sample\.jsonl: row .*: label 2 is none of its 2"),
        (json.dumps({**GOOD, "id": "z"}), r"sample\.jsonl: row 'z' was answered twice"),
    ],
)
def test_load_predictions_names_the_broken_line(tmp_path: Path, line: str, match: str) -> None:
    path = predictions_path(tmp_path, "sample")
    path.parent.mkdir()
    path.write_text(f"{json.dumps({**GOOD, 'id': 'z'})}\n{line}\n", encoding="utf-8")
    with pytest.raises(ScoringError, match=match):
        load_predictions(tmp_path, "sample")
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    assert load_predictions(tmp_path, "sample").predictions == [1]
