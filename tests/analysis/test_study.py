"""Which runs belong together, and what is no run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import run_folders
from run_folders import edit_record, make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.analysis._texts import ConfigRows, Texts
from mcrc_adversarial.analysis.accuracy_under_attack import accuracy_under_attack
from mcrc_adversarial.analysis.unanswerable_training import unanswerable_training
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.rows import digest_rows, row

CONFIGS = ["sample", "sample-addsent2opt-shuffle", "sample-p-remove"]


def test_rows_are_made_again_with_all_parameters_of_the_attack(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", ["sample-charswap"])
    (whole,) = load_study([str(folder)]).runs
    by_default = Texts().of(whole, "sample-charswap")
    assert isinstance(by_default, ConfigRows)
    charswap = attacks.get("charswap")
    rows = [row(one, apply(charswap, one, fields="question")) for one in by_default.examples]

    def edit(content: dict[str, Any]) -> None:
        content["arguments"]["data"]["attack_params"] = ["fields=question"]
        content["data"]["sample-charswap/test"]["sha256"] = digest_rows(rows)

    edit_record(folder, edit)
    (run,) = load_study([str(folder)]).runs
    found = Texts().of(run, "sample-charswap")

    assert isinstance(found, ConfigRows)
    assert [found.question(n) for n in range(9)] == [one["question"] for one in rows[:9]]
    assert found.passage(0) == found.examples[0].passage


def test_mixture_is_a_condition_of_its_own(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"], train=["sample,sample-p-shuffle:0.25"])
    study = load_study([str(run)])
    assert study.runs[0].condition == "mixture sample, sample-p-shuffle:0.25"
    assert unanswerable_training(study).tables == ()


def test_model_trained_on_a_mixture_stands_beside_the_plain_one(tmp_path: Path) -> None:
    plain = make_run(tmp_path / "plain", CONFIGS, train=["sample"])
    mixed = make_run(tmp_path / "mixed", CONFIGS, train=["sample", "sample-addsent2opt"])

    study = load_study([str(plain), str(mixed)])

    names = [system.name for system in study.systems]
    assert names == ["tiny", "tiny, trained on mixture sample, sample-addsent2opt"]
    tables = [one.name for one in accuracy_under_attack(study).tables]
    assert len([one for one in tables if one.startswith("table-2-tiny")]) == 2


def test_untrained_model_is_not_averaged_with_the_trained_one(tmp_path: Path) -> None:
    trained = make_run(tmp_path / "trained", CONFIGS, train=["sample"])
    untrained = make_run(tmp_path / "untrained", CONFIGS, seed=3)

    study = load_study([str(trained), str(untrained)])

    assert [system.name for system in study.systems] == ["tiny", "tiny, not trained here"]
    assert all(len(system.runs) == 1 for system in study.systems)


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("shuffle_degree", 0.8, "ShuffleDegree > 0.8"),
        ("evaluate_split", "validation", "validation split"),
        ("evaluate_limit", 50, "50 questions, draw 0"),
        ("attack_params", ["fields=question"], "fields=question"),
    ],
)
def test_other_settings_are_not_averaged(
    tmp_path: Path, field: str, value: object, word: str
) -> None:
    first = make_run(tmp_path / "a", ["sample"], seed=1)
    second = make_run(tmp_path / "b", ["sample"], seed=2)
    run_folders.edit_record(second, lambda one: one["arguments"]["data"].update({field: value}))

    names = [system.name for system in load_study([str(first), str(second)]).systems]

    assert len(names) == 2
    assert word in names[1]
    assert word not in names[0]


def test_models_of_equal_short_names_keep_their_paths(tmp_path: Path) -> None:
    runs = [
        str(make_run(tmp_path / name, ["sample"], model=f"/{name}/best")) for name in ("one", "two")
    ]
    names = [system.name for system in load_study(runs).systems]
    assert names == ["/one/best", "/two/best"]
    assert load_study(runs[:1]).systems[0].name == "best"


def test_scored_run_of_a_trained_run_has_its_condition_and_seed(tmp_path: Path) -> None:
    trained = make_run(tmp_path / "trained", ["sample"], train=["sample-q-remove"], seed=5)
    later = make_run(tmp_path / "later", ["sample"], model=str(trained), seed=42)

    run = load_study([str(later)]).runs[0]

    assert (run.model, run.condition, run.training_seed) == ("tiny", "q-remove", 5)


def test_two_runs_with_equal_seeds_are_refused_or_named(tmp_path: Path) -> None:
    runs = [str(make_run(tmp_path / name, ["sample"])) for name in "ab"]

    with pytest.raises(DataError, match=r"both answer sample with training seed 1 .*NAME="):
        load_study(runs)
    study = load_study([f"first={runs[0]}", runs[1]])
    assert [system.name for system in study.systems] == ["first", "tiny"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is no run: it has no run.json"),
        ("{", "no record of a run"),
        (json.dumps({"schema_version": 9}), "schema version 9"),
    ],
)
def test_what_is_no_run_is_one_line(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        load_study([str(tmp_path)])


def test_run_without_predictions_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [])
    with pytest.raises(DataError, match="holds no predictions"):
        load_study([str(run)])


def test_names_that_look_alike_in_letters_have_slugs_of_their_own(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", ["sample"], model="a")
    second = make_run(tmp_path / "two", ["sample"], model="b", seed=2)

    study = load_study([f"\u6a21={first}", f"\u578b={second}", f"Bert={first}", f"bert={second}"])

    assert [system.slug for system in study.systems] == ["model", "model-2", "bert", "bert-2"]


@pytest.mark.parametrize(
    ("part", "name", "value"), [("run", "learning_rate", 1.0), ("data", "train", ["dream"])]
)
def test_runs_that_differ_in_more_than_seeds_are_no_seeds_of_one_model(
    tmp_path: Path, part: str, name: str, value: object
) -> None:
    runs = [
        make_run(tmp_path / str(seed), ["sample"], train=["sample"], seed=seed) for seed in (1, 2)
    ]
    for run in runs:
        edit_record(run, lambda one: one["arguments"]["run"].update(learning_rate=2e-5))
    assert len(load_study([str(run) for run in runs]).systems) == 1

    edit_record(runs[1], lambda one: one["arguments"][part].update({name: value}))

    with pytest.raises(DataError, match="they are no seeds of one model: name one as in NAME="):
        load_study([str(run) for run in runs])
    assert len(load_study([str(runs[0]), f"other={runs[1]}"]).systems) == 2


def test_predictions_on_some_of_the_rows_are_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"])
    edit_record(
        run, lambda one: one.update(data={"sample/test": {"rows": 301, "sha256": "0" * 64}})
    )
    with pytest.raises(DataError, match="predictions on 300 of the 301 rows of sample"):
        load_study([str(run)])


@pytest.mark.parametrize("key", ["arguments", "state", "versions"])
def test_record_without_a_part_is_one_line(tmp_path: Path, key: str) -> None:
    run = make_run(tmp_path / "run", ["sample"])
    edit_record(run, lambda one: one.pop(key))
    with pytest.raises(DataError, match=f"'{key}.*' is missing; this is no whole record"):
        load_study([str(run)])


def test_run_whose_model_is_of_a_run_that_trained_none_counts_as_not_trained(
    tmp_path: Path,
) -> None:
    one = make_run(tmp_path / "one", ["sample"], model=str(tmp_path / "two"))
    make_run(tmp_path / "two", ["sample"], model=str(one))
    assert load_study([str(one)]).runs[0].condition == "not trained here"


def trainer(checkpoint: str | None = None) -> dict:
    content = run_folders.record(train=["sample-q-remove"], seed=5)
    return {"arguments": content["arguments"], "folder": "../trained", "checkpoint": checkpoint}


def test_scored_run_knows_its_trainer_without_that_folder_and_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = make_run(tmp_path / "later", ["sample"], model="runs/trained", seed=42)
    edit_record(later, lambda one: one.update(trainer=trainer()))
    later.rename(tmp_path / "moved")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    run = load_study(["../moved"]).runs[0]

    assert (run.model, run.condition, run.training_seed) == ("tiny", "q-remove", 5)
    edit_record(tmp_path / "moved", lambda one: one.update(trainer=trainer("checkpoint-10")))
    assert load_study(["../moved"]).runs[0].model == "tiny, checkpoint-10"


def test_configs_that_a_run_was_to_be_scored_on_are_those_of_its_own_time(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"], evaluate=["sample:*"])
    assert "sample-p-remove" in load_study([str(run)]).runs[0].missing

    edit_record(run, lambda one: one.update(evaluates=["sample", "sample-p-shuffle"]))

    assert load_study([str(run)]).runs[0].missing == ("sample-p-shuffle",)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("data", "evaluate", ["samples"]),
        ("data", "train", ["sample-shuffle"]),
        ("data", "evaluate_split", None),
        ("model", "model_kind", None),
    ],
)
def test_broken_record_is_one_line_with_the_file(
    tmp_path: Path, part: str, name: str, value: object
) -> None:
    run = make_run(tmp_path / "run", ["sample"], train=["sample"])

    def edit(one: dict) -> None:
        if value is None:
            del one["arguments"][part][name]
        else:
            one["arguments"][part][name] = value

    edit_record(run, edit)
    with pytest.raises(DataError, match=r"run/run\.json: "):
        load_study([str(run)])


def test_predictions_on_an_unknown_config_are_one_line_with_the_file(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample"])
    (run / "predictions" / "samples.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"predictions/samples\.jsonl: .*sample"):
        load_study([str(run)])
