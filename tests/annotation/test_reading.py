"""Filled sheets are read, or what is wrong with them is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotation_sets import filled, letter, right, rows_of, small_export, write_rows

from mcrc_adversarial.annotation import read_sheets, sheet_files
from mcrc_adversarial.annotation.sheets import csv_sheet
from mcrc_adversarial.errors import DataError


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
