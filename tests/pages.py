"""The documentation, taken apart: pages, their blocks, the commands in these, their links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = "README.md"
# What a newcomer reads; CONTRIBUTING.md is the first of a developer's.
PAGES = (
    README,
    "CONTRIBUTING.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)
# What is run, and what is read by the real parser of its program, since it needs a GPU, a cluster,
# a network or a corpus.
RUN, READ = "bash", "sh"
_NEEDS = "# needs "
_SET_UP = re.compile(
    r"^Run in: (?:the checkout|any folder)\. Needs: `pip install -c constraints\.txt"
    r" -e (?:\.|'\.\[([\w,]+)\]')`.*\.$",
    re.MULTILINE,
)
_FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """What stands between two fences.

    Attributes:
        page: file of the page, relative to the checkout.
        number: of the block on its page, from 0.
        language: the first word behind the fence.
        file: the second word: the name under which a reader saves the block; mostly empty.
        text: its lines.
        gap: what stands between it and the block before.
    """

    page: str
    number: int
    language: str
    file: str
    text: str
    gap: str

    @property
    def lines(self) -> list[str]:
        """Those that are not empty, without the one that says what commands need."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        return [line for line in lines if not (self.needs and line == lines[0])]

    @property
    def needs(self) -> str:
        """What the commands need beyond the page's own needs, as their first line says it."""
        says = self.language in {RUN, READ} and self.text.startswith(_NEEDS)
        return self.text.splitlines()[0].removeprefix(_NEEDS) if says else ""


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, *languages: str) -> list[Block]:
    """The blocks of a page, in order: all, or those in `languages`."""
    text, end, found = text_of(page), 0, []
    for number, fence in enumerate(_FENCE.finditer(text)):
        gap, end = text[end : fence.start()], fence.end()
        found.append(Block(page, number, fence[1], fence[2] or "", fence[3], gap))
    return [block for block in found if not languages or block.language in languages]


def output_of(block: Block) -> Block | None:
    """The block of output that stands right behind `block`, if there is one."""
    behind = [one for one in blocks(block.page, "text") if one.number == block.number + 1]
    return behind[0] if behind and not behind[0].gap.strip() else None


def commands(language: str) -> list[tuple[str, str]]:
    """(page, line) of all commands in blocks of `language`."""
    return [
        (page, line) for page in PAGES for block in blocks(page, language) for line in block.lines
    ]


def documented(program: str) -> str:
    """The one line that shows how `program`, another's, is run."""
    (line,) = [line for _, line in commands(READ) if line.startswith(f"{program} ")]
    return line


def extras_of(page: str) -> list[str] | None:
    """The extras that the line below a page's title asks for, or None where there is no line."""
    if page == README:
        # Its own set-up command.
        return re.findall(r"\.\[([\w,]+)\]", blocks(page, RUN)[0].text)[0].split(",")
    found = _SET_UP.search(text_of(page).partition("\n## ")[0])
    if found is None:
        return None
    return found[1].split(",") if found[1] else []


def prose(page: str) -> str:
    """The page without what stands in fences."""
    return _FENCE.sub("", text_of(page))
