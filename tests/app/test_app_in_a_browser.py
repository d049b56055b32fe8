"""The page in a real browser, served by the command, with a model."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browsing
import datasets
import needed
import pytest
from browsing import LEAKS, asked, forget, page_width, screen
from tiny_causal import save_causal
from typer.testing import CliRunner

import mcrc_adversarial  # noqa: F401 - registers the datasets
from mcrc_adversarial.app.model import load_ask
from mcrc_adversarial.app.trial import read_question, try_attack
from mcrc_adversarial.cli import app, import_commands

needed.package("gradio", "extra app")
pytestmark = [pytest.mark.slow, LEAKS]
OWN = {
    "passage": "Ivo sold nine eggs at noon. Rain <b>came</b> at four. He walked home.",
    "question": "What did Ivo sell <script>window.hacked=1</script>?",
    "options": "nine eggs\nrain water\nhis old home",
    "answer": "A",
}
import_commands()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_causal(tmp_path_factory.mktemp("model") / "tiny")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def served(command: list[str], folder: Path, port: int) -> Iterator[str]:
    """Start a command, and give the address once it says that it serves there."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
    environment |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False"}
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert process.stdout is not None
    try:
        said = next((line for line in process.stdout if "Running on local URL" in line), "")
        assert f":{port}" in said, log.read_text(encoding="utf-8")[-2000:]
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="module")
def address(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "mcrc_adversarial", "app", "--port", str(port)]
    command += ["--checkpoint", str(model), "--model-kind", "causal"]
    yield from served(command, tmp_path_factory.mktemp("app"), port)


def until(browser: Any, holds: Callable[[], Any]) -> Any:
    from selenium.common.exceptions import WebDriverException

    # A page that is being drawn anew has elements that are there no more.
    return browsing.until(browser, holds, ignored=(WebDriverException,))


def element(browser: Any, selector: str) -> Any:
    return until(browser, lambda: browser.find_element("css selector", selector))


def visit(browser: Any, address: str) -> None:
    forget(browser)
    browser.get(address)
    until(browser, lambda: len(value(browser, "#passage textarea")) > 100)


def value(browser: Any, selector: str) -> str:
    return str(element(browser, selector).get_property("value"))


def fill(browser: Any, selector: str, text: str) -> None:
    """Put a text into a field as a paste does, and see it there."""
    script = """
        const [node, text] = arguments;
        const kind = node.tagName === "INPUT" ? HTMLInputElement : HTMLTextAreaElement;
        Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(node, text);
        node.dispatchEvent(new Event("input", {bubbles: true}));
        node.dispatchEvent(new Event("change", {bubbles: true}));
        node.dispatchEvent(new Event("blur", {bubbles: true}));
    """
    browser.execute_script(script, element(browser, selector), text)
    until(browser, lambda: value(browser, selector) == text)


def choose(browser: Any, selector: str, start: str) -> None:
    """Choose from a list what begins so, by typing."""
    from selenium.webdriver.common.keys import Keys

    node = element(browser, selector)
    node.click()
    node.send_keys(Keys.CONTROL, "a")
    node.send_keys(start)
    until(browser, lambda: browser.find_elements("css selector", "[role=option]"))
    node.send_keys(Keys.ENTER)
    until(browser, lambda: value(browser, selector).startswith(start))


def attack(browser: Any) -> str:
    """Press the button; the result that then stands there, as HTML."""
    script = "document.querySelector('#result .mcrc')?.setAttribute('data-old', '1')"
    browser.execute_script(script)
    element(browser, "#attack").click()
    fresh = "#result .mcrc:not([data-old])"
    return str(element(browser, fresh).get_attribute("innerHTML"))


def result(browser: Any, selector: str) -> str:
    return str(element(browser, f"#result {selector}").get_property("textContent"))


def test_picked_question_becomes_the_row_of_its_config(browser: Any, address: str) -> None:
    rows = datasets.load_dataset("mcrc_adversarial", "sample-p-shuffle", split="test", seed=5)
    row = rows[33]
    visit(browser, address)
    choose(browser, "#picked input", row["question"])
    original = datasets.load_dataset("mcrc_adversarial", "sample", split="test")[33]
    until(browser, lambda: value(browser, "#passage textarea") == original["passage"])
    choose(browser, "#name input", "p-shuffle: ")
    fill(browser, "#seed input", "5")

    attack(browser)

    shown = element(browser, "#result p.passage ins").get_property("textContent")
    assert shown == row["passage"]
    assert f"ShuffleDegree {row['shuffle_degree'][0]:.3f}" in result(browser, "h3")


def test_own_question_shows_changes_and_how_the_model_moves(
    browser: Any, address: str, model: Path
) -> None:
    visit(browser, address)
    for name, field in (("passage", "textarea"), ("question", "*"), ("options", "textarea")):
        selector = "#question :is(input, textarea)" if field == "*" else f"#{name} {field}"
        fill(browser, selector, OWN[name])
    fill(browser, "#answer :is(input, textarea)", "A")
    choose(browser, "#name input", "addsent2opt-shuffle: ")

    attack(browser)

    example = read_question(OWN["passage"], OWN["question"], OWN["options"], "A", {})
    trial = try_attack(example, "addsent2opt-shuffle", 0, 0.65, load_ask(str(model), "causal"))
    assert trial.chances is not None
    items = browser.find_elements("css selector", "#result ul.options li")
    assert len(items) == 3
    for number, item in enumerate(items):
        text = item.get_property("textContent")
        assert trial.attacked.options[number] in text
        shown = [float(one) for one in re.findall(r"([0-9.]+) %", text)]
        expected = [100 * chances[number] for chances in trial.chances]
        assert shown == pytest.approx(expected, abs=0.06)
    assert "The model answers" in result(browser, "p.answer")
    assert "<b>came</b>" in result(browser, "p.passage")
    assert browser.execute_script("return typeof window.hacked") == "undefined"


def test_mistake_is_said_and_can_be_mended(browser: Any, address: str) -> None:
    visit(browser, address)
    fill(browser, "#options textarea", "only one")
    attack(browser)
    assert "1 options; 2 to 26 are allowed" in result(browser, ".problem")

    fill(browser, "#options textarea", "one old boat\ntwo new boats")
    fill(browser, "#answer :is(input, textarea)", "B")
    fill(browser, "#seed input", "-3")
    attack(browser)
    assert "seed" in result(browser, ".problem")

    fill(browser, "#seed input", "3")
    attack(browser)
    assert "addsent2opt-shuffle" in result(browser, ".verdict")


def test_page_asks_nobody_else(browser: Any, address: str) -> None:
    visit(browser, address)
    attack(browser)
    elsewhere = {url for url in asked(browser) if not url.startswith((address, "data:", "blob:"))}
    assert elsewhere == set()
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


@pytest.mark.parametrize("width", [390, 1400])
def test_page_is_no_wider_than_the_screen(browser: Any, address: str, width: int) -> None:
    with screen(browser, width):
        visit(browser, address)
        attack(browser)
        assert page_width(browser) <= width


def test_space_serves_the_page(browser: Any, tmp_path: Path) -> None:
    written = CliRunner().invoke(app, ["app", "--space", str(tmp_path)])
    assert written.exit_code == 0, written.output
    for address in served([sys.executable, "app.py"], tmp_path, free_port()):
        visit(browser, address)
        attack(browser)
        assert "addsent2opt-shuffle" in result(browser, ".verdict")
        assert browser.find_elements("css selector", "#result meter") == []


def test_port_in_use_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        # In a process of its own: gradio leaves event loops behind where it cannot listen.
        command = [sys.executable, "-m", "mcrc_adversarial", "app", "--port", port]
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert f"error: 127.0.0.1, port {port}: nothing can be served there" in line
