"""Who was asked about which question: what a trace of single words is to be read with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcrc_adversarial.analysis._runs import Run
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.analysis._word_trace import Grown, Trace
from mcrc_adversarial.example import LETTERS

# Only these kinds of models are trained to give probabilities over options.
_PROBABILITIES = "multiple-choice"


class Asked(NamedTuple):
    """The model that was asked, and the config.

    Attributes:
        config: of the rows.
        kind: of the model.
        sentence: names run, model, seeds, config and split.
    """

    config: str
    kind: str
    sentence: str

    @property
    def measure(self) -> str:
        """What the numbers are: other kinds give scores, not probabilities."""
        return "probability" if self.kind == _PROBABILITIES else "softmax of the scores"


def asked(run: Run, config: str) -> Asked:
    """Of a run that was scored on a config."""
    sentence = (
        f"Run {run.name}: {run.model} ({run.kind}; {run.condition}), training seed"
        f" {run.training_seed}, attack seed {run.setting.attack_seed}; {config}, split"
        f" {run.setting.split}."
    )
    return Asked(config, run.kind, sentence)


def question_lines(trace: Trace, rows: ConfigRows, number: int) -> Iterator[str]:
    """Question and options as the model saw them, a line each."""
    yield f"Question {trace.id}: {rows.question(number) or '(empty)'}"
    for index, text in enumerate(rows.options(number)):
        marks = {trace.label: " (right)", trace.option: " (grows)"}
        yield f"{LETTERS[index]}{marks.get(index, '')}: {text or '(empty)'}"


_GROWN: dict[Grown, str] = {
    "altered": "a distractor that the attack altered",
    "inserted": "the text that the attack put into the passage",
    "own": "a distractor that the attack did not alter, with its own words",
}


def grown_note(traces: Sequence[Trace]) -> str:
    """What came in word by word, and in how many questions."""
    counts = {kind: sum(one.grown == kind for one in traces) for kind in _GROWN}
    told = [(kind, count) for kind, count in counts.items() if count]
    if len(told) == 1:
        return f"What comes in, word by word: {_GROWN[told[0][0]]}."
    parts = (f"{_GROWN[kind]} ({count} questions)" for kind, count in told)
    return f"What comes in, word by word: {'; '.join(parts)}."
