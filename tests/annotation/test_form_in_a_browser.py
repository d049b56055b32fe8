"""The form in a real browser: keys, storage, the saved file, hostile texts, a telephone's width."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from annotation_sets import FACTS, catch_questions, question, questions
from browsing import LEAKS, asked, forget, page_width, press, screen, text, until
from run_folders import NASTY

from mcrc_adversarial.annotation import Catch, Key, Plan, make_sheets, read_sheets, write_export

pytestmark = LEAKS
# The browser keeps what a form stored, so that each test has an export of its own.
SEEDS = count()
COMMENT = '=1+1; "quoted",\nand a second line'


class Export:
    """An export on disk, and its first form."""

    def __init__(self, folder: Path, *, text: str = "") -> None:
        found = [one._replace(passage=text or one.passage, question=text) for one in questions(2)]
        two = question("sample", 50)._replace(options=("yes", text or "no"), passage="")
        plan = Plan(2, 2, next(SEEDS), True)
        catch = Catch(catch_questions(9), 0.1)
        self.key: Key
        self.key, sheets = make_sheets(
            [*found, two], catch, plan, notices=[f"Of {text or 'Ann'}."], facts=FACTS
        )
        write_export(folder / "out", self.key, sheets)
        self.sheet = sheets[0]
        self.page = folder / "out" / "sheets" / "annotator-1.html"


@pytest.fixture
def export(tmp_path: Path) -> Export:
    return Export(tmp_path)


def visit(browser: Any, page: Path) -> None:
    forget(browser)
    browser.get(page.as_uri())
    loaded = "return document.readyState === 'complete'"
    until(browser, lambda: browser.execute_script(loaded) and text(browser, "count"))


def shown_item(browser: Any) -> str:
    return text(browser, "heading").removeprefix("Text of ")


def checked(browser: Any) -> list[str]:
    script = "return [...document.querySelectorAll('input:checked')].map((one) => one.value)"
    return browser.execute_script(script)


def press_shift_enter(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    chain = ActionChains(browser).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT)
    chain.perform()


def saved(browser: Any, folder: Path) -> Path:
    folder.mkdir()
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
    )
    browser.execute_script("document.getElementById('save').click()")
    return until(browser, lambda: next(iter(folder.glob("answers-*.csv")), None))


def test_form_shows_the_sheet_and_loads_nothing(browser: Any, export: Export) -> None:
    visit(browser, export.page)
    for item in export.sheet.items:
        assert shown_item(browser) == item.name
        assert text(browser, "passage") == (item.passage or "(no text)")
        assert text(browser, "question") == (item.question or "(no question)")
        labels = browser.execute_script(
            "return [...document.querySelectorAll('#options span')].map((one) => one.textContent)"
        )
        assert labels[:-1] == list(item.options)
        assert labels[-1].startswith("unanswerable")
        browser.execute_script("document.getElementById('next').click()")
    assert browser.get_log("browser") == []
    assert asked(browser) == {export.page.as_uri()}


def test_keys_answer_and_move(browser: Any, export: Export) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    first, second = (item.name for item in export.sheet.items[:2])
    press(browser, "b", "2", "4", "2")
    assert checked(browser) == ["B", "gestalt-attitude"]
    press(browser, Keys.ENTER)
    assert shown_item(browser) == second
    assert checked(browser) == []
    press(browser, "0")
    assert checked(browser) == ["unanswerable"]
    press(browser, "z")
    assert checked(browser) == ["unanswerable"]
    press_shift_enter(browser)
    assert shown_item(browser) == first
    assert text(browser, "count") == f"2 of {len(export.sheet.items)} answered"
    browser.execute_script("document.getElementById('comment').focus()")
    press(browser, "abc0")
    assert checked(browser) == ["B", "gestalt-attitude"]
    assert browser.execute_script("return document.getElementById('comment').value") == "abc0"
    press(browser, Keys.ESCAPE, "a")
    assert checked(browser) == ["A", "gestalt-attitude"]


def test_tab_and_space_reach_everything(browser: Any, export: Export) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    reached = []
    for _ in range(30):
        press(browser, Keys.TAB)
        reached.append(
            browser.execute_script(
                "const one = document.activeElement; return one.id || one.value || one.tagName"
            )
        )
    for name in ("jump", "passage", "A", "factuality", "logical", "comment", "next", "save"):
        assert name in reached, reached


def test_answers_outlive_the_page(browser: Any, export: Export) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    press(browser, "a", Keys.ENTER, "b", Keys.ENTER)
    third = shown_item(browser)
    browser.get("about:blank")
    visit(browser, export.page)
    assert shown_item(browser) == third
    assert text(browser, "count").startswith("2 of ")
    press_shift_enter(browser)
    assert checked(browser) == ["B"]


def test_forms_of_other_exports_keep_apart(browser: Any, tmp_path: Path) -> None:
    one, two = (Export(tmp_path / name) for name in ("one", "two"))
    visit(browser, one.page)
    press(browser, "a")
    visit(browser, two.page)
    assert text(browser, "count").startswith("0 of ")


def test_next_without_an_answer_finds_it(browser: Any, export: Export) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    press(browser, "a", Keys.ENTER, Keys.ENTER, "a")
    script = "document.getElementById('unanswered').click()"
    seen = []
    for _ in range(len(export.sheet.items) - 2):
        browser.execute_script(script)
        seen.append(shown_item(browser))
        press(browser, "a")
    names = [item.name for item in export.sheet.items]
    assert seen == [*names[3:], names[1]]
    assert browser.execute_script("return document.getElementById('unanswered').disabled")


def test_saved_file_is_read_back(browser: Any, export: Export, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    given: dict[str, int | None] = {}
    for number, item in enumerate(export.sheet.items):
        place = (None, 0, 1)[number % 3]
        if number != 1:
            given[item.name] = place
            press(browser, "0" if place is None else "AB"[place])
        press(browser, "6", Keys.ENTER)
    browser.execute_script(
        "const box = document.getElementById('comment'); box.value = arguments[0];"
        "box.dispatchEvent(new Event('input', { bubbles: true }))",
        COMMENT,
    )
    path = saved(browser, tmp_path / "saved")
    assert path.name == f"answers-annotator-1-{export.key.export}.csv"
    read = read_sheets([path], export.key)
    assert read.problems == ()
    assert {answer.item: answer.place for answer in read.answers} == given
    assert read.incomplete["annotator-1"] == 1
    assert {answer.types for answer in read.answers} == {("spatial-temporal",)}
    last = {answer.item: answer for answer in read.answers}[export.sheet.items[-1].name]
    assert last.comment == COMMENT
    assert all(0 <= answer.seconds < 60 for answer in read.answers)


def test_time_counts_for_the_item_on_the_screen(
    browser: Any, export: Export, tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, export.page)
    press(browser, "a")
    # The page's clock stands still, half a minute from now.
    browser.execute_script(
        "const later = performance.now() + 30000; performance.now = () => later;"
    )
    press(browser, Keys.ENTER, "a")
    read = read_sheets([saved(browser, tmp_path / "saved")], export.key)
    seconds = {answer.item: answer.seconds for answer in read.answers}
    first, second = (item.name for item in export.sheet.items[:2])
    assert 30 <= seconds[first] < 60
    assert seconds[second] is None


def test_hostile_texts_are_texts(browser: Any, tmp_path: Path) -> None:
    export = Export(tmp_path, text=NASTY)
    visit(browser, export.page)
    for _ in export.sheet.items:
        assert "<b>" not in browser.execute_script(
            "return document.querySelector('main').innerHTML"
        ).replace("<b>factuality", "").replace("<b>factoid", "").replace(
            "<b>non-factoid", ""
        ).replace("<b>gestalt-attitude", "").replace("<b>numeric", "").replace(
            "<b>spatial-temporal", ""
        ).replace("<b>logical", "")
        browser.execute_script("document.getElementById('next').click()")
    assert browser.execute_script("return typeof window.hacked") == "undefined"
    assert NASTY in browser.execute_script("return document.querySelector('footer').textContent")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [390, 1400])
def test_form_is_no_wider_than_the_screen(browser: Any, tmp_path: Path, width: int) -> None:
    plain = Export(tmp_path / "plain")
    long = Export(tmp_path / "long", text=f"{'long' * 100} {NASTY}")
    for export in (plain, long):
        with screen(browser, width):
            visit(browser, export.page)
            assert page_width(browser) <= width


def test_form_without_storage_warns(browser: Any, export: Export) -> None:
    added = browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "Storage.prototype.setItem = () => { throw new Error('full'); };"},
    )
    visit(browser, export.page)
    press(browser, "a")
    assert "keeps no answers (full)" in text(browser, "warning")
    assert not browser.execute_script("return document.getElementById('warning').hidden")
    browser.execute_script("window.onbeforeunload = null")
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
