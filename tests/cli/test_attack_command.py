import json
import sys

import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value
from files_of_records import read, write
from pyarrow import parquet
from rows_to_attack import OWN, expected
from strategies import ORDINARY

from mcrc_adversarial.attacks import REASONS
from mcrc_adversarial.cli import main
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.rows import ATTACK_FEATURES

NAME = "addsent2opt-shuffle"
KINDS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command; gives its exit status, standard output and standard error."""

    def run(*arguments):
        argv = ["mcrc-adversarial", "attack", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", argv)
        try:
            status = main() or 0
        except SystemExit as stop:
            status = stop.code or 0
        written = capsys.readouterr()
        return status, written.out, written.err

    return run


@pytest.fixture
def folder(tmp_path):
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in OWN]
    (tmp_path / "own.jsonl").write_text("".join(lines), encoding="utf-8", newline="")
    return tmp_path


def failed(result, folder):
    """The one line of a refusal that wrote nothing."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert sorted(path.name for path in folder.iterdir()) == ["own.jsonl"]
    return err


@pytest.mark.parametrize("to", [".jsonl", ".ndjson", ".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("of", KINDS)
def test_attack_reads_and_writes_every_kind(tmp_path, command, of, to):
    source = write(tmp_path / f"own{of}", OWN)
    output = tmp_path / f"attacked{to}"
    status, _, err = command(source, "--attack", NAME, "--output", output)
    assert (status, err) == (0, "")
    rows = read(output)
    if of in {".csv", ".tsv"} and to in {".jsonl", ".ndjson", ".parquet"}:
        # Their cells are texts, and stay texts.
        rows = [{**one, "options": json.loads(one["options"])} for one in rows]
        rows = [{**one, "label": int(one["label"])} for one in rows]
    assert rows == expected(NAME)
    assert list(rows[0]) == [*OWN[0], *ATTACK_FEATURES]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, output.name])


def test_attack_prints_one_line_of_summary(folder, command):
    output = folder / "attacked.jsonl"
    status, out, err = command(folder / "own.jsonl", "--attack", NAME, "--output", output)
    assert (status, err) == (0, "")
    rows = expected(NAME)
    assert any(one["reason"] for one in rows)
    assert out.startswith(
        f"{output}: {len(rows)} rows, {sum(one['attacked'] for one in rows)} attacked"
        f" ({NAME}, seed 0); reasons: "
    )
    counts = [
        f"{code} {n}"
        for code in REASONS
        if (n := sum(code in one["reason"].split(";") for one in rows))
    ]
    assert out.endswith(f"reasons: {', '.join(counts)}\n")


def test_attack_prints_that_there_are_no_reasons(tmp_path, command):
    source = write(tmp_path / "own.jsonl", OWN[:2])
    out = command(source, "--attack", "q-remove", "--output", tmp_path / "a.csv")[1]
    assert out == f"{tmp_path / 'a.csv'}: 2 rows, 2 attacked (q-remove, seed 0); reasons: none\n"


def test_attack_takes_columns_seed_and_parameters(tmp_path, command):
    rows = [
        {"text": one.passage, "question": one.question, "key": LETTERS[one.label], "nr": one.id}
        | dict(zip("ABCD", one.options, strict=True))
        for one in ORDINARY[:2]
    ]
    output = tmp_path / "attacked.csv"
    result = command(
        write(tmp_path / "own.csv", rows), "--attack", NAME, "--output", output, "--seed", 7,
        "--columns", "passage=text,options=A+B+C+D,label=key,id=nr",
        "--param", "shuffle_degree=0.8",
    )  # fmt: skip
    assert result[0] == 0
    found = [[one[letter] for letter in "ABCD"] for one in read(output)]
    assert found == [one["options"] for one in expected(NAME, seed=7, shuffle_degree=0.8)[:2]]
    assert found != [one["options"] for one in expected(NAME, seed=7)[:2]]
    assert [one["key"] for one in read(output)] == ["C", "B"]


def test_attack_finds_what_columns_leaves_out_by_the_names_of_race(tmp_path, command):
    rows = [
        {"article": one.passage, "question": one.question, "answer": LETTERS[one.label],
         "choices": list(one.options), "id": one.id}
        for one in ORDINARY[:2]
    ]  # fmt: skip
    output = tmp_path / "attacked.jsonl"
    own = write(tmp_path / "own.jsonl", rows)
    result = command(own, "--attack", NAME, "--output", output, "--columns", "options=choices")
    assert result[0] == 0, result
    assert [one["choices"] for one in read(output)] == [
        one["options"] for one in expected(NAME)[:2]
    ]


def test_attack_keeps_the_types_of_parquet(tmp_path, command):
    features = Features(
        {
            "passage": Value("large_string"),
            "question": Value("string"),
            "options": List(Value("string")),
            "label": ClassLabel(names=["A", "B", "C"]),
            "votes": List(Value("int16")),
            "when": Value("timestamp[ns]"),
        }
    )
    rows = [{**OWN[2], "votes": [1, None], "when": 10**18 + 1}]
    rows = [{name: value for name, value in one.items() if name in features} for one in rows]
    table = Dataset.from_list(rows, features=features)
    table.to_parquet(str(tmp_path / "own.parquet"))
    output = tmp_path / "attacked.parquet"
    assert command(tmp_path / "own.parquet", "--attack", NAME, "--output", output)[0] == 0
    found = Dataset.from_parquet(str(output), cache_dir=str(tmp_path / "cache"))
    assert found.features == Features({**features, **ATTACK_FEATURES})
    names = ["passage", "label", "votes", "when"]
    assert found.select_columns(names).to_list() == table.select_columns(names).to_list()


@pytest.mark.parametrize("batch", [1, 2, 5000])
def test_attack_writes_columns_that_only_later_records_have(tmp_path, command, monkeypatch, batch):
    monkeypatch.setattr("mcrc_adversarial.attacking.files._BATCH", batch)
    rows = [OWN[0], {**OWN[1], "note": "x", "n": 1}, {**OWN[2], "n": 1.5}]
    source = write(tmp_path / "own.jsonl", rows)
    for suffix in (".jsonl", ".parquet"):
        output = tmp_path / f"attacked{suffix}"
        assert command(source, "--attack", NAME, "--output", output)[0] == 0
        assert [one.get("note") for one in read(output)] == [None, "x", None]
        assert [one.get("n") for one in read(output)] == [None, 1, 1.5]
    assert "note" not in read(tmp_path / "attacked.jsonl")[0]


def test_attack_overwrites_only_with_force(folder, command):
    output = folder / "attacked.jsonl"
    output.write_text("mine", encoding="utf-8")
    arguments = (folder / "own.jsonl", "--attack", NAME, "--output", output)
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    assert "is there already (--force overwrites it); nothing was written" in err
    assert output.read_text(encoding="utf-8") == "mine"
    assert command(*arguments, "--force")[0] == 0
    assert read(output) == expected(NAME)


def test_attack_can_overwrite_its_own_source(folder, command):
    source = folder / "own.jsonl"
    assert command(source, "--attack", NAME, "--output", source, "--force")[0] == 0
    assert read(source) == expected(NAME)


def test_a_failure_with_force_keeps_what_was_there(tmp_path, command):
    source = write(tmp_path / "own.jsonl", [*OWN, {**OWN[0], "id": "x", "label": None}])
    output = tmp_path / "attacked.csv"
    output.write_text("mine", encoding="utf-8")
    result = command(source, "--attack", NAME, "--output", output, "--force")
    assert (result[0], output.read_text(encoding="utf-8")) == (2, "mine")
    assert len(list(tmp_path.iterdir())) == 2


RECORD = OWN[0]


@pytest.mark.parametrize("to", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize(
    ("last", "message"),
    [
        ({**RECORD, "id": "x", "label": 9}, "own.jsonl, record 2: 'label' is 9 (int)"),
        ({**RECORD, "id": "x", "label": None}, "own.jsonl, record 2: 'label' is null or missing"),
        ({**RECORD, "id": "x", "options": ["a"]}, "own.jsonl, record 2: 'options': 1 options;"),
        (RECORD, "own.jsonl, record 2: 'id' is 'test/1-0', as in "),
        ({**RECORD, "id": "x", "question": 3}, "own.jsonl, record 2: 'question' is 3 (int)"),
        ({**RECORD, "id": "x", "reason": ""}, "own.jsonl, record 2: an attack adds a column"),
        ({**RECORD, "id": "x", "question": "\ud83d"}, "half a character"),
        ({**RECORD, "id": "x", "note": "\ud83d"}, "half a character"),
        ("{", "own.jsonl, line 2: broken JSON"),
        ("[]", "own.jsonl, line 2: list where an object"),
    ],
)
def test_a_bad_record_is_refused_in_one_line(folder, command, to, last, message):
    lines = [
        json.dumps({**RECORD, "note": ""}),
        last if isinstance(last, str) else json.dumps(last),
    ]
    (folder / "own.jsonl").write_text("\n".join(lines), encoding="utf-8")
    output = folder / f"attacked{to}"
    result = command(folder / "own.jsonl", "--attack", NAME, "--output", output)
    assert message in failed(result, folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"FILE": "no.jsonl"}, "no.jsonl: cannot be read: No such file"),
        ({"FILE": "no.parquet", "--output": "a.parquet"}, "no.parquet: "),
        ({"FILE": "own.txt"}, "own.txt: the suffix '.txt' is none of .jsonl, "),
        ({"--attack": "addsent2"}, "no attack is called 'addsent2'; did you mean addsent"),
        ({"--output": "a.xlsx"}, "a.xlsx: the suffix '.xlsx' is none of .jsonl, .ndjson, .csv, "),
        ({"--output": "no/a.csv"}, "no/a.csv: cannot be written (No such file or directory)"),
        ({"--seed": "-1"}, "seed is -1"),
        ({"--param": "shuffle_degree=1"}, "shuffle_degree is 1.0"),
        ({"--param": "shuffle_degree=much"}, "--param: 'much' is no value for shuffle_degree"),
        ({"--param": "shuffle_degree"}, "--param: 'shuffle_degree' is not of the form"),
        ({"--param": "degree=0.5"}, "has no parameter 'degree'; it takes shuffle_degree"),
        ({"--columns": "passage:text"}, "--columns: 'passage:text' is not of the form"),
        ({"--columns": "passage=a,passage=b"}, "--columns: 'passage=b' is given twice"),
        ({"--columns": "passge=a"}, "columns: 'passge' is no name of ours"),
        ({"--columns": "passage=a"}, "own.jsonl: columns: there is no 'a' for passage; found"),
        ({"--columns": '{"passage": '}, "--columns: broken JSON at column 13"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(folder, command, monkeypatch, changes, message):
    monkeypatch.chdir(folder)
    arguments = {"FILE": "own.jsonl", "--attack": NAME, "--output": "a.csv", **changes}
    file = arguments.pop("FILE")
    options = [part for pair in arguments.items() for part in pair]
    assert message in failed(command(file, *options), folder)


def test_attack_says_what_no_parquet_can_hold(tmp_path, command):
    source = write(tmp_path / "own.jsonl", [{**OWN[0], "n": 1}, {**OWN[1], "n": "one"}])
    status, _, err = command(source, "--attack", NAME, "--output", tmp_path / "a.parquet")
    assert (status, err.count("\n")) == (2, 1)
    assert "write a .jsonl file" in err
    assert [path.name for path in tmp_path.iterdir()] == ["own.jsonl"]


def test_attack_says_what_no_text_file_can_hold(tmp_path, command):
    table = pa.Table.from_pylist([{**OWN[0], "blob": b"x"}])
    parquet.write_table(table, tmp_path / "own.parquet")
    for suffix in (".csv", ".jsonl"):
        output = tmp_path / f"a{suffix}"
        status, _, err = command(tmp_path / "own.parquet", "--attack", NAME, "--output", output)
        assert (status, err.count("\n")) == (2, 1)
        assert "own.parquet, record 1: " in err
        assert "write a .parquet file" in err


def test_attack_says_what_no_csv_can_hold(tmp_path, command):
    source = write(tmp_path / "own.jsonl", [OWN[0], {**OWN[1], "note": "x"}])
    err = command(source, "--attack", NAME, "--output", tmp_path / "a.csv")[2]
    assert "own.jsonl, record 2: a column 'note' that record 1 has not" in err


def test_attack_leaves_nothing_when_it_is_stopped(folder, command, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mcrc_adversarial.attacking.records.apply_resolved", stop)
    status, _, err = command(
        folder / "own.jsonl", "--attack", NAME, "--output", folder / "attacked.jsonl"
    )
    assert status not in (0, 2)
    assert "Traceback" not in err
    assert [path.name for path in folder.iterdir()] == ["own.jsonl"]


def test_help_has_examples(command):
    status, out, _ = command("--help")
    assert status == 0
    for word in ("--columns", "--param", "--force", "exam.csv", "passage=text,options=A+B+C+D"):
        assert word in out
