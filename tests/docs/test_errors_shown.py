"""The messages that the pages explain are messages that the package has."""

from __future__ import annotations

import re

import pytest
from pages import PAGES, ROOT, prose

_ROW = re.compile(r"^\| (`[^|]*) \| [^|]+ \|$", re.MULTILINE)
# Where a name, a number or a text of the user's stands in a message.
_VARIES = re.compile(r"'[^']*'|\.\.\.|\d+|\([^)]*\)")
_N_WORDS = 4


def shown(page: str) -> list[str]:
    """What stands in the first column of the tables of errors; not what other libraries say."""
    _, _, behind = prose(page).partition("## Errors")
    cells = [cell for cell in _ROW.findall(behind) if not re.search("from `", cell)]
    return [message for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


@pytest.fixture(scope="module")
def source() -> str:
    """The package's code with the parts of each text joined, and its quotes left out."""
    files = [*(ROOT / "mcrc_adversarial").rglob("*.py"), ROOT / "train.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return re.sub(r"[\"'`]\s*\n\s*f?r?[\"']", "", code).replace("`", "'")


@pytest.mark.parametrize("page", [page for page in PAGES if shown(page)])
def test_message_is_one_of_the_package(page: str, source: str) -> None:
    for message in shown(page):
        # Words of the user's own stand among those of the message.
        words = _VARIES.sub(" | ", message).split()
        runs = [words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
        found = [run for run in runs if "|" not in run and " ".join(run) in source]
        longest = max(found, key=len, default=[])
        assert len(longest) >= min(_N_WORDS, len(words) // 2), f"{page}: {message}: only {longest}"


def test_every_page_of_a_task_explains_errors() -> None:
    without = {page for page in PAGES if "/" in page and not shown(page)}
    others = {"README", "add-an-analysis", "costs", "reproduce-the-papers"}
    assert without == {f"docs/{name}.md" for name in others}
