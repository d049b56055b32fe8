"""Tests never reach the network nor the user's caches; real corpora only where a test asks."""

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

# Before anything imports huggingface_hub or datasets, which read the environment only once.
_CACHE = tempfile.mkdtemp(prefix="mcrc-tests-")
_REAL_DATA_DIR = os.environ.pop("MCRC_DATA_DIR", "")
# Where CI has the real corpora, a test on them that is skipped has failed.
_DATA_REQUIRED = os.environ.pop("MCRC_REQUIRE_DATA", "") == "1"
os.environ["HF_HOME"] = _CACHE
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
for _variable in ("HF_HUB_CACHE", "HF_DATASETS_CACHE", "HF_MODULES_CACHE"):
    os.environ.pop(_variable, None)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the doctests of tests, which have none.

    A module whose import failed for them would then count as imported, and be empty.
    """
    found = yield
    return [one for one in found if type(one).__name__ != "DoctestModule"]


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(_CACHE, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _stand_in_resources() -> Iterator[None]:
    """What some attacks need beyond the package is small and the same on every machine here."""
    from fake_resources import faked

    with faked():
        yield


@pytest.fixture(autouse=True)
def _same_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The object that the environment is: others keep the first one that they see.

    `Dataset.map` with several processes leaves a copy in its place.
    """
    monkeypatch.setattr(os, "environ", os.environ)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real corpora; the test is skipped where there is none."""
    if not _REAL_DATA_DIR:
        pytest.skip("MCRC_DATA_DIR is not set: no real corpora here")
    return Path(_REAL_DATA_DIR)


@pytest.fixture(scope="session")
def any_data_dir(request: pytest.FixtureRequest) -> Path:
    """As `data_dir`, for corpora that may be missing from it even where real corpora are asked."""
    return request.getfixturevalue("data_dir")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, pytest.TestReport]:
    report: pytest.TestReport = yield
    if _DATA_REQUIRED and report.skipped and "data_dir" in getattr(item, "fixturenames", ()):
        report.outcome = "failed"
        report.longrepr = f"skipped, though MCRC_REQUIRE_DATA is 1: {report.longrepr}"
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium; the test is skipped where there is none."""
    import browsing

    with browsing.opened() as driver:
        yield driver
