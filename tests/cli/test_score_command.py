"""`mcrc-adversarial score`, as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import datasets
import pytest
from typer.testing import CliRunner

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.cli._own_rows import Own
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.scoring import report

CONFIG = "sample-ans2opt-shuffle"
import_commands()


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
    return CliRunner().invoke(app, ["score", *map(str, arguments)])


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


def released(root: Path) -> list[dict[str, Any]]:
    """AdvRACE's AddSent of forty questions on ten articles, each article in two versions."""
    rows = [
        {
            "question": f"What is {number}?",
            "context": f"Article {number // 4}, version {number % 2}.",
            "options": ["a", "b", "c", "d"],
            "label": 0,
        }
        for number in range(40)
    ]
    keyed = {
        f"RACE/test/high/{number // 4}.txt-{number % 4}": row for number, row in enumerate(rows)
    }
    path = root / "AdvRACE" / "final_distractor_datasets" / "AddSent" / "test_dis.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(keyed), encoding="utf-8")
    return rows


def test_versions_of_one_article_are_drawn_together(tmp_path: Path) -> None:
    rows = released(tmp_path)
    wrong = [int(number // 4 % 3 == 0) for number in range(len(rows))]
    file, output = tmp_path / "found.txt", tmp_path / "scores.json"
    file.write_text("\n".join(map(str, wrong)), encoding="utf-8")

    result = invoke(
        "--predictions", file, "--in-order", "--config", "advrace-addsent", "--data-dir", tmp_path,
        "--output", output, "--allow-unverified",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    (found,) = json.loads(output.read_text(encoding="utf-8"))["scores"]
    interval = ("accuracy_ci_low", "accuracy_ci_high")
    articles, versions = (
        report(wrong, [0] * 40, passage_ids=keys, n_options=4).as_dict()
        for keys in ([n // 4 for n in range(40)], [f"{n // 4}#{n % 2}" for n in range(40)])
    )
    assert [found[name] for name in interval] == [articles[name] for name in interval]
    assert [found[name] for name in interval] != [versions[name] for name in interval]


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


def own_questions(path: Path, rename: dict[str, str], n: int = 12) -> Path:
    """Questions with ids in the user's own way, under names of columns that can be renamed."""
    lines = [
        {
            "id": f"mine {number}",
            "passage": f"Ivo sold {number} eggs at noon. Rain came at four. He walked home.",
            "question": "What did Ivo sell at the market?",
            "options": ["eggs", "rain water", "his old home"],
            "label": number % 3,
        }
        for number in range(n)
    ]
    renamed = [{rename.get(name, name): line[name] for name in line} for line in lines]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in renamed), encoding="utf-8")
    return path


def write_predictions(path: Path, ids: list[str], chosen: list[int]) -> Path:
    pairs = zip(ids, chosen, strict=True)
    lines = [json.dumps({"id": key, "prediction": index}) for key, index in pairs]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("rename", [{}, {"passage": "article", "options": "choices"}])
def test_score_takes_questions_of_ones_own(tmp_path: Path, rename: dict[str, str]) -> None:
    own = own_questions(tmp_path / "own.jsonl", rename)
    columns = {ours: rename[ours] for ours in rename if ours == "options"}
    config, output = "custom-sent2opt-shuffle", tmp_path / "scores.json"
    rows = datasets.load_dataset(
        "mcrc_adversarial", config, data_files={"test": str(own)}, split="test", seed=3,
        columns=columns or None, shuffle_degree=0.9,
    )  # fmt: skip
    ids, labels = list(rows["id"]), list(rows["label"])
    attacked = write_predictions(tmp_path / "attacked.jsonl", ids, [0] * len(ids))
    clean = write_predictions(tmp_path / "clean.jsonl", ids, labels)

    result = invoke(
        "--predictions", attacked, "--clean", clean, "--config", config, "--data-file", own,
        "--seed", "3", "--param", "shuffle_degree=0.9", "--output", output,
        *(["--columns", "options=choices"] if columns else []),
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    written = json.loads(output.read_text(encoding="utf-8"))
    assert (written["data_file"], written["columns"]) == (str(own), columns or None)
    expected = report(
        [0] * len(ids),
        labels,
        clean_predictions=labels,
        passage_ids=rows["passage_id"],
        attacked=rows["attacked"],
        n_options=3,
    ).as_dict()
    (found,) = written["scores"]
    assert {name: found[name] for name in expected} == expected
    assert found["accuracy"] == pytest.approx(1 / 3)


def test_own_rows_are_those_of_load_dataset(tmp_path: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl", {})
    name, given = "custom-p-shuffle", {"shuffle_degree": 0.9}
    expected = datasets.load_dataset(
        "mcrc_adversarial", name, data_files={"test": str(own)}, split="test", seed=3, **given
    )

    found = Own(own, None).rows(parse_config(name), "test", 3, given)

    assert found.to_list() == expected.to_list()
    assert found.features == expected.features


def test_score_checks_ids_against_own_questions(tmp_path: Path) -> None:
    own = own_questions(tmp_path / "own.jsonl", {})
    mine = [f"mine {number}" for number in range(12)]
    some = write_predictions(tmp_path / "p.jsonl", [*mine[:11], "mine 99"], [0] * 12)

    result = invoke("--predictions", some, "--config", "custom", "--data-file", own)

    assert result.exit_code == 2
    assert "mine 99" in result.stderr
    assert len(result.stderr.strip().split("\n")) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "custom-p-shuffle"], "made of your own file: name it with --data-file"),
        (["--config", "sample", "--data-file", "OWN"], "is for the configs of 'custom', not for"),
        (["--config", "sample", "--columns", "label=key"], "--columns goes with --data-file"),
        (["--config", "custom", "--data-file", "no.jsonl"], "no.jsonl: cannot be read: No such"),
        (["--config", "custom", "--data-file", "OWN", "--columns", "label=key"], "no 'key' for"),
        (["--config", "custom", "--data-file", "OWN", "--param", "x=1"], "it takes no x"),
        (["--config", "custom", "--data-file", "OWN", "--seed", "-1"], "seed is -1"),
    ],
)
def test_score_mistake_with_own_questions_is_one_line(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    own = own_questions(tmp_path / "own.jsonl", {})
    predictions = write_predictions(tmp_path / "p.jsonl", ["mine 0"], [0])

    result = invoke(
        "--predictions", predictions, *(str(own) if one == "OWN" else one for one in arguments)
    )

    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().split("\n")) == 1
