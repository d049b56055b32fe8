"""Files of candidates, written for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcrc_adversarial.candidates import SPANS, content_key
from mcrc_adversarial.example import Example

FACTS = {
    "format": 1,
    "task": SPANS.name,
    "model": "tiny",
    "revision": "0123456789abcdef",
    "dtype": "float32",
    "seed": 0,
    "corpus": "sample",
    "splits": ["test"],
    "limit": 0,
}


def row(example: Example, *texts: str) -> dict[str, Any]:
    key = content_key(example.passage, example.question)
    return {"key": key, "id": example.id, "candidates": [{"text": text} for text in texts]}


def written(path: Path, rows: list[dict[str, Any]], **facts: Any) -> str:
    lines = [{**FACTS, "questions": len(rows), **facts}, *rows]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)
