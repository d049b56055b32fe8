"""`mcrc-adversarial score`, as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import commands
import datasets
import pytest

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.scoring import report

CONFIG = "sample-ans2opt-shuffle"


@pytest.fixture(scope="module")
def rows() -> Any:
    return datasets.load_dataset("mcrc_adversarial", CONFIG, split="test")


@pytest.fixture
def predictions(rows: Any) -> dict[str, list[int]]:
    """Right on the clean rows but for each fifth, on the attacked ones but for each third."""
    return {
        name: [
            label if number % step else (label + 1) % 4
            for number, label in enumerate(rows["label"])
        ]
        for name, step in (("clean", 5), ("attacked", 3))
    }


@pytest.fixture
def files(tmp_path: Path, rows: Any, predictions: dict[str, list[int]]) -> dict[str, Path]:
    written = {}
    for name, indices in predictions.items():
        written[name] = tmp_path / f"{name}.jsonl"
        records = zip(rows["id"], indices, strict=True)
        lines = [json.dumps({"id": key, "prediction": index}) for key, index in records]
        written[name].write_text("\n".join(lines), encoding="utf-8")
    return written


def invoke(*arguments: object) -> Any:
    return commands.invoke("score", *arguments)


def test_score_writes_the_figures_of_the_report(
    rows: Any, files: dict[str, Path], predictions: dict[str, list[int]], tmp_path: Path
) -> None:
    output = tmp_path / "scores.json"

    result = invoke(
        "--predictions", files["attacked"], "--clean", files["clean"], "--config", CONFIG,
        "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    figures = json.loads(output.read_text(encoding="utf-8"))
    expected = report(
        predictions["attacked"],
        rows["label"],
        clean_predictions=predictions["clean"],
        passage_ids=rows["passage_id"],
        attacked=rows["attacked"],
        n_options=4,
    ).as_dict()
    (found,) = figures["scores"]
    assert {name: found[name] for name in expected} == expected
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["attacked_n"] == sum(rows["attacked"])
    assert "66.7 [" in result.output


def test_score_sets_files_side_by_side_and_adjusts_p_values(files: dict[str, Path]) -> None:
    result = invoke(
        "--predictions", files["attacked"], "--predictions", files["clean"],
        "--clean", files["clean"], "--config", CONFIG,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "attacked.jsonl" in result.output
    assert "clean.jsonl" in result.output


def test_score_adjusts_p_values_over_the_files(files: dict[str, Path], tmp_path: Path) -> None:
    output = tmp_path / "scores.json"
    attacked, clean = files["attacked"], files["clean"]

    invoke(
        "--predictions", attacked, "--predictions", clean, "--clean", clean,
        "--config", CONFIG, "--output", output,
    )  # fmt: skip

    first, second = json.loads(output.read_text(encoding="utf-8"))["scores"]
    assert first["holm_p_value"] == pytest.approx(2 * first["mcnemar_p_value"])
    assert second["holm_p_value"] == second["mcnemar_p_value"] == 1.0
    assert second["percentage_performance_drop"] == 0.0


def test_score_takes_letters_and_row_order(
    tmp_path: Path, predictions: dict[str, list[int]]
) -> None:
    column = tmp_path / "column.txt"
    column.write_text("\n".join("ABCD"[index] for index in predictions["attacked"]))

    result = invoke("--predictions", column, "--in-order", "--config", CONFIG)

    assert result.exit_code == 0, result.output
    assert "66.7 [" in result.output


def test_score_counts_missing_rows(files: dict[str, Path]) -> None:
    lines = files["attacked"].read_text(encoding="utf-8").split("\n")
    files["attacked"].write_text("\n".join(lines[:100]), encoding="utf-8")
    arguments = ("--predictions", files["attacked"], "--config", CONFIG)

    refused, allowed = invoke(*arguments), invoke(*arguments, "--allow-partial")

    assert refused.exit_code == 2
    assert "missing: 200 (" in refused.output
    assert len(refused.stderr.strip().split("\n")) == 1
    assert allowed.exit_code == 0
    assert "left out" in allowed.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "sample-q-shufle"], "did you mean sample-q-shuffle"),
        (["--config", CONFIG, "--split", "dev"], "no split of"),
        (["--config", CONFIG, "--clean", "nowhere.jsonl"], "there is no such file"),
        (["--config", CONFIG, "--param", "shuffle_degree=2"], "shuffle_degree is 2.0"),
    ],
)
def test_score_mistake_is_one_line(
    files: dict[str, Path], arguments: list[str], message: str
) -> None:
    result = invoke("--predictions", files["attacked"], *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_score_writes_nothing_after_a_mistake(files: dict[str, Path], tmp_path: Path) -> None:
    files["attacked"].write_text('{"id": "test/nobody-0", "prediction": 1}', encoding="utf-8")
    output = tmp_path / "scores.json"

    result = invoke("--predictions", files["attacked"], "--config", CONFIG, "--output", output)

    assert result.exit_code == 2
    assert not output.exists()


def test_score_takes_the_rows_of_its_seed(
    rows: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    config = "sample-addsent2opt"
    seen: dict[str, Any] = {}
    load = datasets.load_dataset

    def spy(*names: Any, **arguments: Any) -> Any:
        seen.update(arguments)
        return load(*names, **arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets, "load_dataset", spy)
        result = invoke("--predictions", files["attacked"], "--config", config, "--seed", "7")

    assert result.exit_code == 0, result.output
    assert seen["seed"] == 7
    assert "seed 7" in result.output


def without(path: Path, places: set[int]) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    kept = [line for number, line in enumerate(lines) if number not in places]
    path.write_text("\n".join(kept), encoding="utf-8")


def test_partial_files_are_paired_row_by_row(
    rows: Any, files: dict[str, Path], predictions: dict[str, list[int]], tmp_path: Path
) -> None:
    without(files["attacked"], {0, 3, 250})
    without(files["clean"], {1, 3, 200, 201})
    kept = [number for number in range(len(rows)) if number not in {0, 1, 3, 200, 201, 250}]
    output = tmp_path / "scores.json"

    result = invoke(
        "--predictions", files["attacked"], "--clean", files["clean"], "--config", CONFIG,
        "--allow-partial", "--output", output,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    (found,) = json.loads(output.read_text(encoding="utf-8"))["scores"]
    expected = report(
        [predictions["attacked"][number] for number in kept],
        [rows["label"][number] for number in kept],
        clean_predictions=[predictions["clean"][number] for number in kept],
        passage_ids=[rows["passage_id"][number] for number in kept],
        attacked=[rows["attacked"][number] for number in kept],
    ).as_dict()
    assert found["n_missing"] == 6
    assert {name: found[name] for name in expected} == expected


def test_files_without_a_common_row_are_refused(files: dict[str, Path]) -> None:
    without(files["attacked"], set(range(150)))
    without(files["clean"], set(range(150, 300)))

    result = invoke(
        "--predictions", files["attacked"], "--clean", files["clean"], "--config", CONFIG,
        "--allow-partial",
    )  # fmt: skip

    assert result.exit_code == 2
    assert "no row in common" in result.stderr


def test_original_has_no_attacked_rows_to_score(files: dict[str, Path], tmp_path: Path) -> None:
    output = tmp_path / "scores.json"

    invoke("--predictions", files["clean"], "--config", "sample", "--output", output)

    (found,) = json.loads(output.read_text(encoding="utf-8"))["scores"]
    assert found["accuracy"] == pytest.approx(0.8)
    assert not [name for name in found if name.startswith("attacked_")]


def harness_log(path: Path, config: str) -> Path:
    """What lm-evaluation-harness logs where the first option is always the likeliest."""
    samples = [
        {
            "doc": row,
            "doc_hash": "",
            "target": str(row["label"]),
            "filtered_resps": [[str(-number), "False"] for number in range(4)],
        }
        for row in datasets.load_dataset("mcrc_adversarial", config, split="test")
    ]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in samples), encoding="utf-8")
    return path


def test_score_refuses_the_log_of_another_config_or_seed(tmp_path: Path) -> None:
    attacked = harness_log(tmp_path / "attacked.jsonl", CONFIG)
    clean = harness_log(tmp_path / "clean.jsonl", "sample")

    right = invoke("--predictions", attacked, "--clean", clean, "--config", CONFIG)
    assert right.exit_code == 0, right.output
    for wrong in (
        ("--predictions", clean, "--config", CONFIG),
        ("--predictions", attacked, "--config", CONFIG, "--seed", "5"),
        ("--predictions", attacked, "--config", CONFIG, "--clean", attacked),
    ):
        refused = invoke(*wrong)
        assert refused.exit_code == 2
        # Before it, progress bars.
        message = refused.stderr.splitlines()[-1]
        assert re.match(
            r"error: .* of 300 answers are to questions that differ from the config's rows .*in op",
            message,
        )
