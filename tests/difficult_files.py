"""Files of questions whose difficulty is measured."""

from __future__ import annotations

import json
from pathlib import Path


def crowd(root: Path, n: int = 24) -> Path:
    rows = []
    for number in range(n):
        vote = {"unanswerable": False, "worker_id": "w"}
        chosen = (
            ["option1"] * 5
            if number % 4
            else ["option1", "option1", "option2", "option3", "option2"]
        )
        section = "slate" if number % 2 else "verbatim"
        rows.append(
            {
                "passage_id": f"x/written_1/journal/{section}/{number}",
                "document": "Ed ran home. " * (number + 1),
                "question": "Where did Ed run?" if number % 3 else "Which of these is true?",
                "options": ["home", "away", "up", "down"],
                "gold_answer": "option1",
                "protocol": "baseline",
                "worker_id": "w1",
                "validation_data": [{**vote, "worker_answer": one} for one in chosen],
                "model_predictions": [[number % 3 % 2, "m1"], [number % 5 % 4, "m2"], [0, "uqa"]],
            }
        )
    path = root / "crowd-protocols" / "baseline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return root


def own_questions(path: Path, n: int = 20) -> Path:
    rows = [
        {
            "passage": f"Ed ran {number} miles.", "question": "How far?", "label": number % 2,
            "options": ["one", f"two {number}"], "source": "abc"[number % 3], "method": "standard",
            "votes": [number % 2] * 4 + [-1], "types": ["numeric"], "models": ["m1", "m2"],
            "models_right": [number % 2 == 0, number % 5 == 0],
        }
        for number in range(n)
    ]  # fmt: skip
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    return path
