from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.comparison import compare
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.corpora._splits import digest_ids
from mcrc_adversarial.errors import DataError, VerificationError
from mcrc_adversarial.example import Example

Read = Callable[[str, Path, str], list[Example]]
FOLDERS = {
    "advrace-original": "Orig",
    "advrace-addsent": "AddSent",
    "advrace-charswap": "CharSwap",
    "advrace-distractor-extraction": "DE",
    "advrace-distractor-generation": "DG",
}
OPTIONS = ["a boat", "a bus", "a kite", "a boat"]


def question(**changes: Any) -> dict[str, Any]:
    whole = {
        "question": "What is  _ ?",
        "context": "Ed saw a kite.",
        "options": OPTIONS,
        "label": 2,
    }
    return {**whole, **changes}


def content(rows: dict[str, Any]) -> str:
    return json.dumps(rows, ensure_ascii=False)


def write(root: Path, rows: dict[str, Any] | str, folder: str = "AddSent") -> Path:
    path = root / "AdvRACE" / "final_distractor_datasets" / folder / "test_dis.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(rows if isinstance(rows, str) else content(rows), encoding="utf-8")
    return root


@pytest.mark.parametrize("name", FOLDERS)
def test_advrace_reads_each_set_from_its_folder(store, read: Read, name: str) -> None:
    rows = {"RACE/test/high/20.txt-1": question(question=name)}
    raw = store(
        "AdvRACE", {f"final_distractor_datasets/{FOLDERS[name]}/test_dis.json": content(rows)}
    )

    (row,) = read(name, raw, "test")

    assert row.id == "test/high/20-1"
    assert row.passage_id == "test/high/20"
    assert (row.question, row.passage) == (name, "Ed saw a kite.")
    assert (row.options, row.label) == (tuple(OPTIONS), 2)
    assert row.facts == {"level": "high", "article": "test/high/20"}


def test_advrace_rows_stand_in_the_order_of_race(tmp_path: Path, read: Read) -> None:
    keys = [
        "high/20.txt-1",
        "high/3.txt-0",
        "high/20.txt-0",
        "middle/100.txt-10",
        "middle/100.txt-9",
    ]
    write(tmp_path, {f"RACE/test/{key}": question() for key in keys})

    assert [row.id for row in read("advrace-addsent", tmp_path, "test")] == [
        "test/middle/100-9",
        "test/middle/100-10",
        "test/high/3-0",
        "test/high/20-0",
        "test/high/20-1",
    ]


def test_advrace_versions_of_an_article_have_passage_ids_of_their_own(
    tmp_path: Path, read: Read
) -> None:
    texts = ["One. Two.", "One. Lie. Two.", "One. Two.", "Lie. One. Two."]
    rows = {f"test/high/7.txt-{n}": question(context=text) for n, text in enumerate(texts)}
    write(tmp_path, rows)

    found = read("advrace-addsent", tmp_path, "test")

    ids = ["test/high/7", "test/high/7#2", "test/high/7", "test/high/7#3"]
    assert [row.passage_id for row in found] == ids
    assert {row.facts["article"] for row in found} == {"test/high/7"}


@pytest.mark.parametrize("prefix", ["RACE/", "", "/data/RACE/"])
def test_advrace_takes_any_folder_before_the_place(tmp_path: Path, read: Read, prefix: str) -> None:
    write(tmp_path, {f"{prefix}test/middle/5.txt-0": question()})

    assert read("advrace-addsent", tmp_path, "test")[0].id == "test/middle/5-0"


def test_advrace_keeps_empty_and_repeated_options_and_odd_spaces(
    tmp_path: Path, read: Read
) -> None:
    odd = question(options=["", "a\u00a0b", "x", "x"], context="\n A  b ", label=3)
    write(tmp_path, {"RACE/test/high/1.txt-0": odd})

    (row,) = read("advrace-addsent", tmp_path, "test")

    assert row.options == ("", "a\u00a0b", "x", "x")
    assert row.passage == "\n A  b "


def test_advrace_takes_a_label_that_is_written_as_a_text(tmp_path: Path, read: Read) -> None:
    write(tmp_path, {"RACE/test/high/1.txt-0": question(label="2")})

    assert read("advrace-addsent", tmp_path, "test")[0].label == 2


KEY = "RACE/test/high/1.txt-0"


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("[]", "found a list, expected an object"),
        ("version https://git-lfs", "broken JSON at column 1"),
        (f'{{"{KEY}": {content(question())}, "{KEY}": {content(question())}}}', "comes twice"),
        ({KEY: question(), f"x/{KEY}": question()}, "name the same question of RACE"),
        ({"RACE/dev/high/1.txt-0": question()}, "the key 'RACE/dev/high/1.txt-0' is not of the"),
        ({"RACE/test/high/1.txt": question()}, "is not of the form"),
        ({KEY: question(label=4)}, "field 'label' is 4; 0 to 3 are allowed"),
        ({KEY: question(label=-1)}, "field 'label' is -1"),
        ({KEY: question(label="C")}, "field 'label' is a text, expected a whole number"),
        ({KEY: question(label="4")}, "field 'label' is a text, expected a whole number"),
        ({KEY: question(label=["1"])}, "field 'label' is a list, expected a whole number"),
        ({KEY: question(label=True)}, "field 'label' is true or false"),
        ({KEY: question(context=None)}, "field 'context' is null, expected a text"),
        ({KEY: question(options="abcd")}, "field 'options' is a text, expected a list"),
        ({KEY: question(options=["a", 1])}, "item 1 is a number, expected a text"),
        ({KEY: question(options=["a", "b", "c"])}, "field 'options' has 3 texts; 4 are needed"),
        ({KEY: question(options=list("abcde"))}, "field 'options' has 5 texts; 4 are needed"),
        ({KEY: {"question": "?"}}, "field 'context' is missing"),
    ],
)
def test_advrace_bad_record_is_named(
    tmp_path: Path, read: Read, rows: dict[str, Any] | str, complaint: str
) -> None:
    write(tmp_path, rows)
    with pytest.raises(DataError) as caught:
        read("advrace-addsent", tmp_path, "test")
    assert complaint in str(caught.value)
    assert "test_dis.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_advrace_is_checked_against_the_published_count(tmp_path: Path) -> None:
    corpus = corpora.get("advrace-addsent")
    source = find_source(corpus, write(tmp_path, {KEY: question()}))
    with pytest.raises(VerificationError, match="1 questions instead of 4934"):
        read_split(corpus, source, "test")


def test_advrace_is_checked_for_the_questions_of_race(tmp_path: Path) -> None:
    rows = {f"RACE/test/high/{n}.txt-0": question() for n in range(4934)}
    corpus = corpora.get("advrace-addsent")

    source = find_source(corpus, write(tmp_path, rows))
    with pytest.raises(VerificationError, match="some ids are not those of its questions"):
        read_split(corpus, source, "test")


def test_advrace_has_the_ids_of_race(data_dir: Path) -> None:
    race = corpora.get("race")
    rows = read_split(race, find_source(race, data_dir), "test")

    for name in FOLDERS:
        assert corpora.get(name).pins["test"].ids == digest_ids(rows)


def test_compare_counts_what_differs() -> None:
    def example(key: str, options: tuple[str, ...] = ("yes", "no"), label: int = 0, **texts: str):
        whole = {"passage": "P.", "question": "Q?", **texts}
        return Example(key, "p", options=options, label=label, **whole)

    found = compare(
        [
            example("a"),
            example("b", label=1),
            example("c", ("yes ", "no")),
            example("d", passage="P!"),
            example("x"),
        ],
        [*(example(key) for key in "abcd"), example("y")],
    )

    assert found.in_both == 4
    assert dict(found.differing) == {
        "only in the altered set": ["x"],
        "only in the original": ["y"],
        "label": ["b"],
        "answer": ["b", "c"],
        "answer, spaces aside": ["b"],
        "passage": ["d"],
        "question": [],
        "options": ["c"],
    }


def test_compare_command_shows_labels_that_differ(tmp_path: Path) -> None:
    race = {
        "article": "Ed saw a kite.",
        "questions": ["What is  _ ?"],
        "options": [OPTIONS],
        "answers": ["B"],
    }
    for level in ("middle", "high"):
        path = tmp_path / "RACE" / "test" / level / "1.txt"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(race), encoding="utf-8")
    write(tmp_path, {KEY: question()})
    import_commands()
    flags = ["--data-dir", str(tmp_path), "--allow-unverified"]

    found = CliRunner().invoke(app, ["compare", "advrace-addsent", *flags])
    refused = CliRunner().invoke(app, ["compare", "race", *flags])

    assert found.exit_code == 0, found.output
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in found.output.splitlines()]
    rows = {line[0]: line[1:] for line in lines if len(line) == 3}
    assert rows["in both"][0] == "1"
    assert rows["label"] == rows["answer"] == ["1", "test/high/1-0"]
    assert rows["passage"] == ["0", ""]
    assert rows["only in the original"] == ["1", "test/middle/1-0"]
    assert refused.exit_code == 2
    assert "is no altered set of another; name one with --original" in refused.output


def test_compare_command_reads_the_altered_set_first(tmp_path: Path) -> None:
    write(tmp_path, {KEY: question(label=7)})
    import_commands()
    flags = ["--data-dir", str(tmp_path), "--allow-unverified"]

    broken = CliRunner().invoke(app, ["compare", "advrace-addsent", *flags])
    write(tmp_path, {KEY: question()})
    alone = CliRunner().invoke(app, ["compare", "advrace-addsent", *flags])

    assert "field 'label' is 7" in broken.output
    assert "advrace-addsent is compared with corpus 'race', which" in " ".join(alone.output.split())
    assert alone.exit_code == 2


@pytest.mark.parametrize("has_race", [True, False])
def test_build_and_statistics_count_what_differs_where_race_is_there(
    tmp_path: Path, has_race: bool
) -> None:
    race = {
        "article": "Ed saw a kite.",
        "questions": ["What is  _ ?"],
        "options": [OPTIONS],
        "answers": ["B"],
    }
    for level in ("middle", "high"):
        path = tmp_path / "RACE" / "test" / level / "1.txt"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(race), encoding="utf-8")
    write(tmp_path, {KEY: question()})
    import_commands()
    flags = ["--data-dir", str(tmp_path), "--allow-unverified"]

    if not has_race:
        shutil.rmtree(tmp_path / "RACE")

    output = str(tmp_path / "out")
    built = CliRunner().invoke(
        app,
        ["build", "advrace-addsent", "--attacks", "original", "--output", output, *flags],
    )
    listed = CliRunner().invoke(app, ["list", "--stats", "advrace-addsent", *flags])

    counted = "advrace-addsent and race, test: in both 1, only in the altered set 0,"
    for found in (built, listed):
        assert found.exit_code == 0, found.output
        said = " ".join(found.output.split())
        assert (counted in said) == has_race
        assert ("label 1, answer 1" in said) == has_race
