"""A corpus of a few odd rows, registered while a test runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mcrc_adversarial import configs
from mcrc_adversarial.corpora import Corpus, Licence, RawFile, corpora
from mcrc_adversarial.example import Example

NAME = "tiny"
SIZES = {"train": 40, "test": 7}
_PASSAGES = (
    "Ines mended the old net. It was dark when she came home.\nHer lamp had no oil left!",
    "",
    "Wind",
    "今天天气很好。我们去公园。",
    "Bo said: 'Nobody's boat sinks twice.' He was wrong, for it did. 🙂",
)
_OPTIONS = (
    ("a lamp", "oil", "the old net she mended", "nothing"),
    ("yes", "yes", "no", ""),
    ("公园", "海边", "山上", "家里"),
    ("Bo's boat | mine", "two", "three of them", "don't know"),
)


def raw_lines(split: str, n_rows: int) -> str:
    rows = (
        {
            "id": f"{split}/{number // 3}-{number % 3}",
            "passage_id": f"{split}/{number // 3}",
            "passage": _PASSAGES[number // 3 % len(_PASSAGES)],
            "question": "What is missing, and why?" if number % 4 else "",
            "options": _OPTIONS[number % len(_OPTIONS)],
            "label": number % 4,
        }
        for number in range(n_rows)
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _read(files: Sequence[RawFile], _: str) -> Iterator[Example]:
    for file in files:
        for number, line in enumerate(file.text().splitlines()):
            row = json.loads(line)
            facts = {"kind": "odd" if number % 2 else None, "votes": [number, 2], "sure": True}
            yield Example(**{**row, "options": tuple(row["options"])}, facts=facts)


def tiny_corpus(folder: Path) -> Corpus:
    """The corpus, with its raw files written to `folder`."""
    for split, size in SIZES.items():
        (folder / f"{split}.jsonl").write_text(raw_lines(split, size), encoding="utf-8")
    return Corpus(
        name=NAME,
        title="A tiny corpus",
        version=3,
        splits={split: (rf"(^|/){split}\.jsonl$",) for split in SIZES},
        read=_read,
        row_order="as written",
        n_options="4",
        licence=Licence("own terms", "https://example.org/terms", False, "Say who wrote it."),
        homepage="https://example.org",
        citation="@misc{tiny, title = {Tiny}}",
        facts={"kind": "string", "votes": "list<int64>", "sure": "bool"},
        bundled=folder,
    )


def add(corpus: Corpus) -> None:
    corpora.register(corpus)
    configs._by_name.cache_clear()


def remove(name: str) -> None:
    del corpora._entries[name]
    configs._by_name.cache_clear()


@contextmanager
def at_hand(folder: Path) -> Iterator[Path]:
    """Make `folder` for the raw files; while it is open, the corpus is registered."""
    folder.mkdir()
    add(tiny_corpus(folder))
    yield folder
    remove(NAME)
