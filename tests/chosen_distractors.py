"""Candidates that are given to the attacks which choose among a model's, and what they take."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.attacks._model_made import Pick
from mcrc_adversarial.attacks.distractor_extraction import chosen_spans
from mcrc_adversarial.candidates import CandidateFile, Task
from mcrc_adversarial.example import Example

EXTRACTION = attacks.get("distractor-extraction")
GENERATION = attacks.get("distractor-generation")
BOAT = Example(
    "test/boat-0",
    "test/boat",
    "Ann sold her red boat to Tom for nine crowns. The Boat leaked, so he gave it back in May.",
    "What did Ann sell?",
    ("a red boat", "nine plums", "an old map", "Nine Plums"),
    0,
)


def texts_of(picks: list[Pick]) -> list[str]:
    return [pick.text for pick in picks]


def spans_of(example: Example, spans: Sequence[str]) -> list[Pick]:
    picks, reasons = chosen_spans(example, spans, "m@1")
    assert reasons == set()
    return picks


def attacked_with(
    name: str, example: Example, made: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> Attacked:
    """The attack, with these candidates for every question."""

    class Given(CandidateFile):
        def of(self, example: Example) -> tuple[str, ...]:
            return made

    def read(path: str, task: Task) -> CandidateFile:
        return Given(path, "0" * 64, {"model": "m", "revision": "1" * 40}, {})

    monkeypatch.setattr(candidates, "read", read)
    return apply(attacks.get(name), example)
