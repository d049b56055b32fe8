"""`mcrc-adversarial score` on questions of one's own, and on released sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import commands
import datasets
import pytest

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.cli._own_rows import Own
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.scoring import report


def invoke(*arguments: object) -> Any:
    return commands.invoke("score", *arguments)


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
