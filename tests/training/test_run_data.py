"""The rows that a run trains on, validates on and is scored on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.rows import digest_rows
from mcrc_adversarial.training.data import RunData, make_plan
from mcrc_adversarial.training.mixtures import in_share
from mcrc_adversarial.training.recipe import parse_arguments


def n_rows(split: str) -> int:
    return len(load_dataset("mcrc_adversarial", "sample", split=split))


def data(*flags: str, dry: bool = False) -> tuple[RunData, Any]:
    arguments = parse_arguments(["--do_train", "--output_dir", "run", "--use_cpu", *flags])
    return RunData(arguments.data, dry), make_plan(arguments.data)


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


def test_own_files_that_no_stage_reads_need_not_be_there(tmp_path: Path) -> None:
    missing = ["--data_files", f"train={tmp_path / 'nope.jsonl'}"]
    plan_of = ["--train", "custom", "--evaluate", "sample", "--output_dir", "x", *missing]
    arguments = parse_arguments(["--do_predict", "--use_cpu", *plan_of])

    RunData(arguments.data).check_own_files(make_plan(arguments.data).used(arguments.run))
