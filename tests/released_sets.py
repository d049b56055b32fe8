"""Files of AdvRACE's documented form, and RACE's own, with questions that are ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDERS = {
    "advrace-original": "Orig",
    "advrace-addsent": "AddSent",
    "advrace-charswap": "CharSwap",
    "advrace-distractor-extraction": "DE",
    "advrace-distractor-generation": "DG",
}
N_ARTICLES = 12


def place(number: int) -> str:
    """Two questions an article, so that intervals have clusters."""
    return f"test/high/{number // 2}"


def question(number: int, *, is_found: bool) -> dict[str, Any]:
    """Right by the words that passage and option share, unless a lie was put in."""
    lie = "" if is_found else f" She lost a red bus {number} times."
    options = [f"a red bus {number} times", f"blue kite {number}", "no pond", "her odd aunt"]
    return {
        "question": "What did Ines mend?",
        "context": f"Ines mended her blue kite {number}.{lie}",
        "options": options,
        "label": 1,
    }


def write_set(root: Path, name: str, wrong: Sequence[int] = (), n: int = 2 * N_ARTICLES) -> None:
    """A released set of `n` questions, backwards, of which word overlap gets `wrong` wrong."""
    path = root / "AdvRACE" / "final_distractor_datasets" / FOLDERS[name] / "test_dis.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {
        f"RACE/{place(number)}.txt-{number % 2}": question(number, is_found=number not in wrong)
        for number in reversed(range(n))
    }
    path.write_text(json.dumps(rows), encoding="utf-8")


def write_race(root: Path) -> None:
    """The same questions as RACE has them, all found by word overlap."""
    for number in range(0, 2 * N_ARTICLES, 2):
        pair = [question(one, is_found=True) for one in (number, number + 1)]
        article = {
            "article": " ".join(one["context"] for one in pair),
            "questions": [one["question"] for one in pair],
            "options": [one["options"] for one in pair],
            "answers": ["ABCD"[one["label"]] for one in pair],
        }
        for level in ("high", "middle"):
            path = root / "RACE" / f"{place(number)}.txt".replace("high", level)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(article), encoding="utf-8")
