"""The page in a real browser: filters, keys, hostile texts, no network, a telephone's width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import run_folders
from browsing import LEAKS, asked, forget, page_width, press, screen, text, until
from run_folders import make_run

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.predictions import load_predictions
from mcrc_adversarial.report import write_report

pytestmark = LEAKS
ATTACKED = "sample-addsent2opt-shuffle"
CONFIGS = ["sample", ATTACKED, "sample-addsent2pas-shuffle", "sample-p-shuffle"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", CONFIGS)


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    write_report(load_study([str(run)]), run.parent / "out")
    return run.parent / "out" / "report.html"


@pytest.fixture(scope="module")
def nasty_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nasty")
    own = run_folders.nasty_file(folder / "own.jsonl")
    configs = ["custom", "custom-addsent2opt", "custom-addsent2pas-shuffle"]
    run = make_run(folder / "run", configs, own=own, model=f"{run_folders.NASTY} model")
    write_report(load_study([str(run)]), folder / "out")
    return folder / "out" / "report.html"


def visit(browser: Any, page: Path) -> None:
    forget(browser)
    # A browser may answer from the page before, or from one that it has not read to its end.
    browser.execute_script("window.isLeft = true")
    browser.get(page.as_uri())
    arrived = """
        return !window.isLeft && location.href === arguments[0]
            && document.readyState === "complete";
    """
    until(browser, lambda: browser.execute_script(arrived, page.as_uri()))
    wait(browser)


def wait(browser: Any) -> None:
    until(browser, lambda: " of " in text(browser, "count"))


def choose(browser: Any, name: str, value: str) -> None:
    script = """
        const node = document.getElementById(arguments[0]);
        node.value = arguments[1];
        node.dispatchEvent(new Event(node.tagName === "INPUT" ? "input" : "change"));
    """
    browser.execute_script(script, name, value)
    wait(browser)


def selected(browser: Any) -> str:
    return browser.execute_script(
        "return document.querySelector('[aria-selected=true] .id').textContent"
    )


def outcomes(run: Path, config: str) -> dict[str, int]:
    clean, attacked = load_predictions(run, "sample"), load_predictions(run, config)
    pairs = [
        (before == label, after == label)
        for before, after, label in zip(
            clean.predictions, attacked.predictions, clean.labels, strict=True
        )
    ]
    return {
        "fooled": pairs.count((True, False)),
        "mended": pairs.count((False, True)),
        "right": pairs.count((True, True)),
        "wrong": pairs.count((False, False)),
        "all": len(pairs),
    }


def test_page_loads_nothing_and_logs_nothing(browser: Any, page: Path) -> None:
    visit(browser, page)
    for config in CONFIGS:
        choose(browser, "attack", config)

    assert browser.get_log("browser") == []
    assert asked(browser) == {page.as_uri()}


@pytest.mark.parametrize("config", CONFIGS[1:])
def test_filters_show_what_the_predictions_say(
    browser: Any, page: Path, run: Path, config: str
) -> None:
    visit(browser, page)
    choose(browser, "attack", config)

    for outcome, count in outcomes(run, config).items():
        choose(browser, "outcome", outcome)
        assert text(browser, "count") == f"{count} of 300 questions"


def test_search_finds_words_of_passage_question_and_options(browser: Any, page: Path) -> None:
    visit(browser, page)
    choose(browser, "attack", "sample")
    rows = run_folders.config_rows("sample")
    for words in ("million FERRY", "zzzz", rows[40]["id"]):
        choose(browser, "search", words)
        fitting = [
            row
            for row in rows
            if all(
                word
                in " ".join([row["id"], row["passage"], row["question"], *row["options"]]).lower()
                for word in words.lower().split()
            )
        ]
        assert text(browser, "count") == f"{len(fitting)} of 300 questions"
    assert selected(browser) == rows[40]["id"]


def test_search_offers_what_the_page_holds(browser: Any, run: Path, page: Path) -> None:
    write_report(load_study([str(run)]), run.parent / "bare", with_texts=False)
    for path, offered in (
        (page, "words of the question, options, passage"),
        (run.parent / "bare" / "report.html", "part of an id: this page has no texts"),
    ):
        visit(browser, path)
        search = "return document.getElementById('search').placeholder"
        assert browser.execute_script(search) == offered


def test_detail_shows_the_row_and_its_changes(browser: Any, page: Path) -> None:
    visit(browser, page)
    choose(browser, "attack", ATTACKED)
    row = next(one for one in run_folders.config_rows(ATTACKED) if one["attacked"])
    choose(browser, "search", row["id"])

    detail = text(browser, "detail")
    for part in (row["passage"], row["question"], *row["options"]):
        assert part in detail
    assert browser.execute_script("return document.querySelectorAll('#detail ins').length") > 0
    assert browser.execute_script("return document.querySelectorAll('#detail del').length") == 3
    assert "right answer" in detail
    assert "ShuffleDegree" in detail

    choose(browser, "attack", "sample-addsent2pas-shuffle")
    inserted = next(
        one
        for one in run_folders.config_rows("sample-addsent2pas-shuffle")
        if one["id"] == row["id"]
    )
    ((start, end),) = inserted["inserted"]
    shown = browser.execute_script("return document.querySelector('#detail ins').textContent")
    assert shown == inserted["passage"][start:end]


def test_keys_move_and_search(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    visit(browser, page)
    ids = [row["id"] for row in run_folders.config_rows("sample")]

    press(browser, "j", "j", "k")
    assert selected(browser) == ids[1]
    browser.execute_script("document.getElementById('list').focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert selected(browser) == ids[3]
    press(browser, Keys.END)
    assert selected(browser) == ids[-1]
    press(browser, "/")
    press(browser, "jk")
    assert browser.switch_to.active_element.get_attribute("id") == "search"
    assert browser.switch_to.active_element.get_attribute("value") == "jk"


def test_hostile_texts_are_texts(browser: Any, nasty_page: Path) -> None:
    visit(browser, nasty_page)
    for config in ("custom-addsent2opt", "custom-addsent2pas-shuffle", "custom"):
        choose(browser, "attack", config)
        detail = browser.execute_script("return document.getElementById('detail').innerHTML")
        assert "&lt;script&gt;" in detail
        assert "<b>" not in detail
    assert run_folders.NASTY.split("\n")[0] in text(browser, "detail")
    assert browser.execute_script("return typeof window.hacked") == "undefined"
    assert browser.get_log("browser") == []
    heading = browser.execute_script("return document.querySelector('h1').textContent")
    assert "<script>window.hacked=1</script>" in heading


def test_text_that_turns_the_direction_leaves_labels_alone(browser: Any, tmp_path: Path) -> None:
    override = "\N{RIGHT-TO-LEFT OVERRIDE}"
    own = run_folders.nasty_file(tmp_path / "own.jsonl")
    own.write_text(own.read_text(encoding="utf-8").replace("boats", f"{override}boats"))
    run = make_run(tmp_path / "run", ["custom", "custom-addsent2opt"], own=own)
    write_report(load_study([str(run)]), tmp_path / "out")
    visit(browser, tmp_path / "out" / "report.html")

    assert override in text(browser, "list")
    # Whatever holds the text, and stands on a line with a label, keeps its direction inside.
    open_ones = browser.execute_script(
        "const inside = (node) => { for (let at = node.parentElement; at; at = at.parentElement) {"
        " if (getComputedStyle(at).unicodeBidi.includes('isolate')) return at; } };"
        "const found = []; const root = document.querySelector('.browser');"
        " const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);"
        " while (walk.nextNode()) { const node = walk.currentNode;"
        " if (!node.data.includes(arguments[0])) continue; const at = inside(node);"
        " if (!at || at.querySelector('.tag') || at.textContent.startsWith('before: '))"
        " found.push(node.data); } return found;",
        override,
    )
    assert open_ones == []


@pytest.mark.parametrize("width", [390, 1400])
def test_page_is_no_wider_than_the_screen(
    browser: Any, page: Path, nasty_page: Path, width: int
) -> None:
    for one in (page, nasty_page):
        with screen(browser, width):
            visit(browser, one)
            assert page_width(browser) <= width


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ("window.DecompressionStream = undefined", "it lacks DecompressionStream"),
        ("window.JSON.parse = () => { throw new Error('broken block'); }", "(broken block)"),
    ],
)
def test_examples_that_cannot_be_opened_say_why(
    browser: Any, page: Path, spoil: str, told: str
) -> None:
    visit(browser, page)
    browser.execute_script(spoil)
    # Of a config that was not opened yet.
    script = """
        const node = document.getElementById("attack");
        node.value = arguments[0];
        node.dispatchEvent(new Event("change"));
    """
    browser.execute_script(script, "sample-p-shuffle")

    until(browser, lambda: "cannot" in text(browser, "count"))
    assert told in text(browser, "count")
    assert ("DecompressionStream" in text(browser, "count")) == ("Decompression" in spoil)
    assert text(browser, "list") == ""


def test_passages_are_not_read_out_at_every_step(browser: Any, page: Path) -> None:
    visit(browser, page)
    live = "return [...document.querySelectorAll('[aria-live]')].map((one) => one.id)"
    assert browser.execute_script(live) == ["count"]
