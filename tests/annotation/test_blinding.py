"""Sheets hide what the key holds, and every vote comes back as the option it was given to."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from annotation_sets import (
    CONFIGS,
    FACTS,
    catch_questions,
    fill_all,
    filled,
    letter,
    question,
    questions,
    right,
    rows_of,
    small_export,
    write_rows,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial.annotation import (
    Catch,
    Plan,
    make_sheets,
    read_key,
    read_sheets,
    sheet_files,
    write_export,
)
from mcrc_adversarial.annotation.form import html_sheet
from mcrc_adversarial.annotation.items import blind, original, shown
from mcrc_adversarial.annotation.key import KEY_FILE
from mcrc_adversarial.annotation.sheets import Sheet, csv_sheet
from mcrc_adversarial.annotation.votes import UNANSWERABLE, judged
from mcrc_adversarial.errors import DataError, OutputError, ParameterError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.spreadsheets import restored


@given(example=examples(), seed=st.integers(0, 9))
def test_blind_shows_the_same_options_in_another_order(example: Example, seed: int) -> None:
    candidate = original("sample", example)
    item = blind(candidate, "Q0001", seed)
    seen = shown(item, candidate)
    assert sorted(item.order) == list(range(len(example.options)))
    assert [example.options[index] for index in item.order] == list(seen.options)
    assert (seen.passage, seen.question) == (example.passage, example.question)


def test_blind_puts_the_answer_anywhere() -> None:
    places = [blind(question("sample", number), "Q0001", 0).order.index(0) for number in range(400)]
    assert all(70 < places.count(place) < 130 for place in range(4))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 3), data=st.data())
def test_votes_given_in_shuffled_order_come_back_as_options(
    seed: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key, sheets = small_export(2, annotators=3, votes=2, seed=seed)
    chosen: dict[tuple[str, str], int | None] = {}
    for sheet in sheets:
        for item in sheet.items:
            chosen[sheet.annotator, item.name] = data.draw(st.sampled_from([None, 0, 1, 2, 3]))
    paths = fill_all(
        tmp_path_factory.mktemp("filled"),
        key,
        sheets,
        lambda who, item: {"answer": letter(item, chosen[who, item.name])},
    )
    read = read_sheets(paths, key)
    assert read.problems == ()
    assert read.incomplete == {}
    back = {
        (vote.annotator, name): None if vote.option == UNANSWERABLE else vote.option
        for name, one in judged(key, read.answers).items()
        for vote in one.votes
    }
    assert back == chosen


def test_sheets_hold_nothing_of_the_key(tmp_path: Path) -> None:
    candidates = [one._replace(passage="P", question="Q") for one in questions(4)]
    catch = [one._replace(passage="P", question="Q") for one in catch_questions(9)]
    key, sheets = make_sheets(candidates, Catch(catch, 0.1), Plan(6, 5, 0, False), facts=FACTS)
    write_export(tmp_path / "out", key, sheets)
    # `label` is an element of HTML as well: as a name, it has quotes and a colon.
    secrets = {
        *CONFIGS,
        "charswap",
        "shuffle",
        "test/",
        '"label":',
        "is_catch",
        "passage_id",
        KEY_FILE,
    }
    for path in (tmp_path / "out" / "sheets").iterdir():
        content = path.read_text(encoding="utf-8")
        assert not [one for one in secrets if one in content], path.name
    assert (tmp_path / "out" / KEY_FILE).read_text(encoding="utf-8").count("charswap") > 4
    assert "Do not give this file to annotators" in (tmp_path / "out" / KEY_FILE).read_text()


def test_numbers_of_items_tell_nothing() -> None:
    key, _ = small_export(10)
    order = [item.config for item in key.items.values() if not item.is_catch]
    assert list(key.items) == [f"Q{number:04d}" for number in range(1, len(key.items) + 1)]
    assert order != sorted(order, key=CONFIGS.index)
    catch = [number for number, item in enumerate(key.items.values()) if item.is_catch]
    assert min(catch) < 10 < 30 < max(catch)


def test_a_tenth_of_every_sheet_are_catch_items() -> None:
    key, sheets = small_export(12)
    for sheet in sheets:
        n_catch = sum(key.items[item.name].is_catch for item in sheet.items)
        assert n_catch == round(len(sheet.items) / 10)
    assert len({item.id for item in key.items.values() if item.is_catch}) > 3


def test_no_sheet_has_a_passage_twice_in_a_row() -> None:
    key, sheets = small_export(6)
    for sheet in sheets:
        passages = [key.items[item.name].passage_id for item in sheet.items]
        assert all(a != b for a, b in itertools.pairwise(passages))


def test_equal_seeds_give_equal_bytes(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two", "other")]
    for folder, seed in zip(folders, (0, 0, 1), strict=True):
        write_export(folder, *small_export(seed=seed, types=True))
    files = sorted(path.relative_to(folders[0]) for path in folders[0].rglob("*.*"))
    assert len(files) == 2 * 6 + 2
    for name in files:
        first, second, other = (
            (folder / name).read_bytes() if (folder / name).exists() else b"" for folder in folders
        )
        assert first == second
        assert first != other or name.name == "INSTRUCTIONS.txt"


def test_texts_change_the_name_of_the_export() -> None:
    plan = Plan(3, 2, 0, False)
    one, _ = make_sheets([question("sample", 1)], Catch([], 0.0), plan)
    changed = question("sample", 1)._replace(passage="Another text.")
    two, _ = make_sheets([changed], Catch([], 0.0), plan)
    assert one.items == two.items
    assert one.export != two.export


@given(passage=texts(), option=texts(max_pieces=3))
def test_csv_cells_are_harmless_and_restored(passage: str, option: str) -> None:
    candidate = question("sample", 1)._replace(
        passage=passage, question="=1+1", options=(option, "@x")
    )
    _, (sheet, *_) = make_sheets([candidate], Catch([], 0.0), Plan(1, 1, 0, False))
    heading, row = rows_of(csv_sheet(sheet))
    assert not [cell for cell in row if re.match(r"[=+\-@\t\r\n]", cell)]
    cells = dict(zip(heading, map(restored, row), strict=True))
    assert cells["passage"] == passage
    assert cells["question"] == "=1+1"
    assert {cells["A"], cells["B"]} == {option, "@x"}


def test_sheets_say_whose_the_texts_are() -> None:
    plan = Plan(1, 1, 0, False)
    _, (sheet,) = make_sheets(questions(2), Catch([], 0.0), plan, notices=["Of <Ann>.", "And Bo."])
    heading, first, second, *_ = rows_of(csv_sheet(sheet))
    assert (heading[-1], first[-1], second[-1]) == ("notice", "Of <Ann>. And Bo.", "")
    page = html_sheet(sheet)
    assert "<p>Of &lt;Ann&gt;.</p>" in page
    assert "<p>And Bo.</p>" in page


def test_html_sheet_is_one_file_with_its_texts_as_text() -> None:
    nasty = question("sample", 1)._replace(passage="</script><script>alert(1)</script>")
    _, (sheet,) = make_sheets([nasty], Catch([], 0.0), Plan(1, 1, 0, True))
    page = html_sheet(sheet)
    assert page.count("</script>") == 2
    assert not re.search(r"""(?:src|href)=["']|https?://|url\(|@import""", page)
    content = json.loads(re.search(r'id="sheet">(.*?)</script>', page, re.DOTALL).group(1))
    assert content["items"][0]["passage"] == nasty.passage


def test_options_of_different_number_share_a_sheet() -> None:
    two = question("sample", 1)._replace(options=("yes", "no"), label=0)
    key, (sheet,) = make_sheets(
        [two, question("sample", 2)], Catch([], 0.0), Plan(1, 1, 0, False), facts=FACTS
    )
    heading, *rows = rows_of(csv_sheet(sheet))
    for row in rows:
        cells = dict(zip(heading, row, strict=True))
        n_options = len(key.items[cells["item"]].order)
        assert [bool(cells[name]) for name in "ABCD"] == [place < n_options for place in range(4)]
    assert LETTERS[4] not in heading


def test_make_sheets_refuses_too_few_catch_questions() -> None:
    with pytest.raises(ParameterError, match="only 1 questions to take them from"):
        make_sheets(questions(10), Catch(catch_questions(1), 0.1), Plan(5, 5, 0, False))


@pytest.mark.parametrize("share", [1.0, -0.1, 2.0])
def test_make_sheets_refuses_a_catch_share_that_is_none(share: float) -> None:
    with pytest.raises(ParameterError, match="catch share is"):
        make_sheets(questions(3), Catch(catch_questions(9), share), Plan(5, 5, 0, False))


def test_make_sheets_refuses_no_question() -> None:
    with pytest.raises(ParameterError, match="no question to ask"):
        make_sheets([], Catch([], 0.0), Plan(5, 5, 0, False))


def test_write_export_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(OutputError, match="is not empty"):
        write_export(tmp_path, *small_export())
    with pytest.raises(OutputError, match="is a file or a link"):
        write_export(tmp_path / "mine.txt", *small_export())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_read_key_gives_back_what_was_written(tmp_path: Path) -> None:
    key, sheets = small_export(types=True)
    write_export(tmp_path / "out", key, sheets)
    assert read_key(tmp_path / "out" / KEY_FILE) == key


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "no key of an export"),
        ("{", "no key of an export"),
        ('{"items": {"Q1": {}}}', "no key of an export"),
    ],
)
def test_read_key_refuses_what_is_none(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "key.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_key(path)
    with pytest.raises(DataError, match="there is no such file"):
        read_key(tmp_path / "other.json")


def test_read_key_refuses_one_that_was_changed(tmp_path: Path) -> None:
    key, _ = small_export()
    path = tmp_path / "key.json"
    path.write_text(key.text().replace('"label": 1', '"label": 2', 1), encoding="utf-8")
    with pytest.raises(DataError, match="was changed since"):
        read_key(path)


class TestReading:
    """What is wrong with a sheet is said with its file and line."""

    @pytest.fixture
    def export(self) -> tuple:
        return small_export(2, types=True)

    def problems(self, export: tuple, path: Path, rows: list, *others: Path) -> list[str]:
        key, _ = export
        read = read_sheets([*others, write_rows(path, rows)], key)
        assert all(problem.count("\n") == 0 for problem in read.problems)
        return list(read.problems)

    def test_read_sheets_counts_what_is_not_answered(self, export: tuple, tmp_path: Path) -> None:
        key, sheets = export
        rows = filled(key, sheets[0], right)
        rows[2][rows[0].index("answer")] = " "
        del rows[4]
        read = read_sheets([write_rows(tmp_path / "a.csv", rows)], key)
        assert read.problems == ()
        n_items = len(sheets[0].items)
        assert len(read.answers) == n_items - 2
        others = {sheet.annotator: len(sheet.items) for sheet in sheets[1:]}
        assert read.incomplete == {sheets[0].annotator: 2, **others}

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_read_sheets_takes_what_spreadsheets_save(
        self, export: tuple, tmp_path: Path, delimiter: str, mark: str
    ) -> None:
        key, sheets = export
        rows = filled(
            key,
            sheets[0],
            lambda _, item: {
                "answer": f" {letter(item, item.label).lower()} ",
                "seconds": "12.5",
                "types": "logical;factoid",
                "comment": '\'=odd; "text"\nof two lines',
            },
        )
        path = write_rows(tmp_path / "a.csv", rows, delimiter)
        path.write_text(mark + path.read_text(encoding="utf-8"), encoding="utf-8")
        read = read_sheets([path], key)
        assert read.problems == ()
        assert len(read.answers) == len(sheets[0].items)
        for answer in read.answers:
            item = key.items[answer.item]
            assert item.order[answer.place] == item.label
            assert answer.seconds == 12.5
            assert answer.types == ("factoid", "logical")
            assert answer.comment == '=odd; "text"\nof two lines'

    @pytest.mark.parametrize(
        ("column", "text", "message"),
        [
            ("answer", "E", "answer 'E' is none of A, B, C, D, unanswerable"),
            ("answer", "AB", "answer 'AB' is none of"),
            ("answer", "1", "answer '1' is none of"),
            ("seconds", "12,5", "seconds '12,5' is no number"),
            ("seconds", "-1", "seconds '-1' is no number"),
            ("seconds", "nan", "seconds 'nan' is no number"),
            ("types", "factoid; fun", "type 'fun' is none of factuality; factoid;"),
        ],
    )
    def test_read_sheets_names_the_line_of_an_invalid_cell(
        self, export: tuple, tmp_path: Path, column: str, text: str, message: str
    ) -> None:
        key, sheets = export
        rows = filled(key, sheets[0], right)
        rows[0][3] = "passage"
        rows[1][3] = "a passage\nof three\nlines"
        rows[2][rows[0].index(column)] = text
        (problem,) = self.problems(export, tmp_path / "a.csv", rows)
        # The heading is line 1, the first item lines 2 to 4.
        assert problem.startswith(f"{tmp_path / 'a.csv'}, line 5, item {rows[2][2]}: {message}")

    def test_read_sheets_refuses_texts_of_other_places(self, export: tuple, tmp_path: Path) -> None:
        key, sheets = export
        rows = filled(key, sheets[0], right)
        a, b = rows[0].index("A"), rows[0].index("B")
        rows[1][a], rows[1][b] = rows[1][b], rows[1][a]
        (problem,) = self.problems(export, tmp_path / "a.csv", rows)
        assert f"line 2, item {rows[1][2]}: the cell 'A' holds another text" in problem
        # Whole columns that moved, and what a spreadsheet makes of a number, are no fault.
        rows = [[row[b] if n == a else row[a] if n == b else cell for n, cell in enumerate(row)]
                for row in filled(key, sheets[0], right)]  # fmt: skip
        rows[2][a] = "7.00 cats"
        assert self.problems(export, tmp_path / "b.csv", rows) == []
        rows = filled(key, sheets[0], right)
        question = rows[0].index("question")
        moved = next(row for row in rows[2:] if row[question] != rows[1][question])
        rows[1][question] = moved[question]
        (problem,) = self.problems(export, tmp_path / "c.csv", rows)
        assert "the cell 'question' holds another text" in problem

    def test_read_sheets_refuses_unknown_names(self, export: tuple, tmp_path: Path) -> None:
        key, sheets = export
        rows = filled(key, sheets[0], right)
        rows[1][2] = "Q9999"
        rows[2][1] = "annotator-77"
        foreign = next(
            item.name for item in sheets[1].items if item.name not in key.sheets["annotator-1"]
        )
        rows[3][2] = foreign
        problems = self.problems(export, tmp_path / "a.csv", rows)
        assert [problem.partition(": ")[2] for problem in problems] == [
            "'Q9999' is no item of this export",
            "'annotator-77' is no annotator of this export",
            f"item {foreign} is not on the sheet of annotator-1",
        ]

    def test_read_sheets_refuses_a_sheet_of_another_export(
        self, export: tuple, tmp_path: Path
    ) -> None:
        key, _sheets = export
        other, (sheet, *_) = small_export(2, seed=1)
        (problem,) = self.problems(export, tmp_path / "a.csv", filled(other, sheet, right))
        assert problem == (
            f"{tmp_path / 'a.csv'}, line 2: a sheet of export {other.export!r}; the key is of"
            f" {key.export!r}"
        )

    def test_read_sheets_refuses_two_answers_of_one_person(
        self, export: tuple, tmp_path: Path
    ) -> None:
        key, sheets = export
        rows = filled(key, sheets[0], right)
        (problem,) = self.problems(export, tmp_path / "a.csv", [*rows, rows[1]])
        name = f"{tmp_path / 'a.csv'}, line"
        item = rows[1][2]
        assert problem == (
            f"{name} {len(rows) + 1}, item {item}: annotator-1 answered it before, in {name} 2,"
            f" item {item}"
        )
        first = write_rows(tmp_path / "b.csv", rows[:2])
        problems = self.problems(export, tmp_path / "a.csv", rows, first)
        assert len(problems) == 1
        assert problems[0].endswith(f"{first}, line 2, item {item}")

    def test_read_sheets_takes_an_empty_sheet_beside_a_filled_one(
        self, export: tuple, tmp_path: Path
    ) -> None:
        key, sheets = export
        empty = write_rows(tmp_path / "empty.csv", rows_of(csv_sheet(sheets[0])))
        rows = filled(key, sheets[0], right)
        assert self.problems(export, tmp_path / "a.csv", rows, empty) == []

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "line 1: column 'export' is not there once"),
            (b"export,annotator,item\n", "line 1: column 'answer' is not there once"),
            (b"item,export,annotator,item,answer\n", "line 1: column 'item' is not there once"),
            (b"export,annotator,item,answer\n\xe4", "not UTF-8 at byte 29"),
            (b'export,annotator,item,answer\nx,y,"z', "line 2: unexpected end of data"),
        ],
    )
    def test_read_sheets_refuses_what_is_no_sheet(
        self, export: tuple, tmp_path: Path, content: bytes, message: str
    ) -> None:
        path = tmp_path / "a.csv"
        path.write_bytes(content)
        (problem,) = read_sheets([path], export[0]).problems
        assert problem.startswith(f"{path}")
        assert message in problem
        (problem,) = read_sheets([tmp_path / "no.csv"], export[0]).problems
        assert problem == f"{tmp_path / 'no.csv'}: there is no such file"


def test_sheet_files_are_those_of_folders_too(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    with pytest.raises(DataError, match=r"has no \.csv file"):
        sheet_files([folder])
    for name in ("b.csv", "a.csv", "notes.txt"):
        (folder / name).touch()
    other = tmp_path / "c.tsv"
    assert sheet_files([other, folder]) == [other, folder / "a.csv", folder / "b.csv"]


def test_sheet_type_holds_no_source() -> None:
    assert Sheet._fields == ("export", "annotator", "items", "with_types", "notices")
