"""A headless Chromium for the pages that the package writes or serves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import needed
import pytest

# The client leaves the closing of its connections to the garbage collector.
LEAKS = pytest.mark.filterwarnings("ignore::ResourceWarning")


@contextmanager
def opened() -> Iterator[Any]:
    """A browser, which is closed again; it logs what pages say, and what they ask for."""
    needed.package("selenium", "extra dev")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = needed.program("chromium")
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage"]
    # Chromium refuses its sandbox to root.
    arguments += ["--no-sandbox"] * (os.geteuid() == 0)
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(needed.program("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def until(
    browser: Any, holds: Callable[[], Any], *, ignored: tuple[type[Exception], ...] = ()
) -> Any:
    """Wait, a minute at most, for something that holds; what it then is.

    Args:
        browser: the browser.
        holds: asked again and again.
        ignored: errors of `holds` that count as a no.
    """
    from selenium.webdriver.support.ui import WebDriverWait

    wait = WebDriverWait(browser, 60, poll_frequency=0.05, ignored_exceptions=ignored)
    return wait.until(lambda _: holds())


def forget(browser: Any) -> None:
    """Empty the logs."""
    browser.get_log("browser")
    browser.get_log("performance")


def asked(browser: Any) -> set[str]:
    """The addresses that were asked for since the logs were emptied."""
    events = [json.loads(one["message"])["message"] for one in browser.get_log("performance")]
    sent = (one for one in events if one["method"] == "Network.requestWillBeSent")
    return {one["params"]["request"]["url"] for one in sent}


def text(browser: Any, name: str) -> str:
    """The text of the element with this id; nothing where there is none."""
    script = "return document.getElementById(arguments[0])?.textContent ?? ''"
    return str(browser.execute_script(script, name))


def press(browser: Any, *keys: str) -> None:
    """Press keys, one after the other, wherever the page has its focus."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


@contextmanager
def screen(browser: Any, width: int) -> Iterator[None]:
    """A screen of this width in pixels; a telephone's below 500."""
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def page_width(browser: Any) -> int:
    """How wide the page is, in pixels."""
    return int(browser.execute_script("return document.documentElement.scrollWidth"))
