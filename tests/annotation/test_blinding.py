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
    letter,
    question,
    questions,
    rows_of,
    small_export,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial.annotation import Catch, Plan, make_sheets, read_sheets, write_export
from mcrc_adversarial.annotation.form import html_sheet
from mcrc_adversarial.annotation.items import blind, original, shown
from mcrc_adversarial.annotation.key import KEY_FILE
from mcrc_adversarial.annotation.sheets import Sheet, csv_sheet
from mcrc_adversarial.annotation.votes import UNANSWERABLE, judged
from mcrc_adversarial.errors import ParameterError
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


def test_sheet_type_holds_no_source() -> None:
    assert Sheet._fields == ("export", "annotator", "items", "with_types", "notices")
