"""Every link of the documentation that leads to a file or a heading leads somewhere."""

from __future__ import annotations

import re

import pytest
from pages import PAGES, README, ROOT, prose, text_of

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page: str) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-").strip("-")
        for heading in headings
    }


def links(page: str) -> list[str]:
    return [link for link in _LINK.findall(prose(page)) if not re.match(r"https?:|mailto:", link)]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings(page: str) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        assert target.exists(), f"{page}: {link}"
        if anchor:
            assert anchor in anchors(str(target.relative_to(ROOT))), f"{page}: {link}"


def test_every_page_is_reached_from_the_index_and_the_index_from_the_readme() -> None:
    index = "docs/README.md"
    assert index in links(README)
    reached = {f"docs/{link.partition('#')[0]}" for link in links(index)}
    assert set(PAGES) - {README, "CONTRIBUTING.md", index} <= reached


@pytest.mark.parametrize("page", PAGES)
def test_a_page_begins_with_its_one_title(page: str) -> None:
    assert len(re.findall(r"^# ", prose(page), re.MULTILINE)) == 1
    assert text_of(page).startswith("# ")
