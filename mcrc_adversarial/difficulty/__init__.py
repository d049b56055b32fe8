"""What makes questions difficult: paper C's measurements (Sugawara et al. 2022) on any corpus.

`gather` sets people's votes and models' answers beside the questions of a config; `answered` puts
the paper's questions to them, and gives tables and charts for `mcrc_adversarial.report`.
"""

from __future__ import annotations

from collections.abc import Callable

from mcrc_adversarial.analysis import Analysis, Finding, Study
from mcrc_adversarial.difficulty.accuracies import accuracies
from mcrc_adversarial.difficulty.levels import Levels, counts_of_levels
from mcrc_adversarial.difficulty.measures import Sources
from mcrc_adversarial.difficulty.openings import openings
from mcrc_adversarial.difficulty.paper_c import NAME, printed_tables
from mcrc_adversarial.difficulty.partial_inputs import partial_inputs
from mcrc_adversarial.difficulty.questions import Question, Questions, gather
from mcrc_adversarial.difficulty.relations import relations
from mcrc_adversarial.difficulty.types import types
from mcrc_adversarial.difficulty.votes import Rules
from mcrc_adversarial.errors import ParameterError

__all__ = [
    "NAME",
    "Levels",
    "Question",
    "Questions",
    "Rules",
    "Sources",
    "answered",
    "gather",
]

_PAPER = "Paper C (Sugawara et al. 2022)"
# Heading, and place in the paper.
_SECTIONS = {
    "accuracies": ("People and models", "table 1"),
    "beside-paper-c": ("Printed by paper C", "table 1, section 5 and figure of types"),
    "levels": ("Easy, mid and hard questions", "section 5"),
    "measures": ("Source, length, readability, time", "section 5"),
    "question-words": ("Question words", "figure of question words"),
    "types": ("Comprehension types", "figure 4"),
    "partial-inputs": ("Partial inputs", "settings Q+A, P+A and A"),
}


def answered(
    questions: Questions,
    levels: Levels,
    sources: Sources,
    *,
    study: Study | None = None,
    compare: bool = False,
    say: Callable[[str], object] = lambda _: None,
) -> list[tuple[Analysis, Finding]]:
    """Everything that the paper asks, in its order.

    Args:
        questions: with votes and answers.
        levels: what difficulty is, and where easy ends and hard begins.
        sources: of the measures that are not counted.
        study: the runs, for partial inputs; without it the corpus's own columns.
        compare: whether to print the paper's figures beside ours.
        say: told what is being done.

    Raises:
        ParameterError: difficulty by votes is asked for, and there are none.
    """
    _check_votes(questions, levels)
    printed = Finding(printed_tables() if compare else ())
    asked: list[tuple[str, Callable[[], Finding]]] = [
        ("accuracies", lambda: accuracies(questions)),
        ("beside-paper-c", lambda: printed),
        ("levels", lambda: counts_of_levels(questions, levels)),
        ("measures", lambda: relations(questions, sources, levels)),
        ("question-words", lambda: openings(questions, levels)),
        ("types", lambda: types(questions, levels)),
        ("partial-inputs", lambda: partial_inputs(questions, study)),
    ]
    found = []
    for order, (name, function) in enumerate(asked):
        say(f"difficulty: {name}")
        title, place = _SECTIONS[name]
        analysis = Analysis(name, title, order, f"{_PAPER}, {place}", lambda _: Finding())
        found.append((analysis, function()))
    return found


def _check_votes(questions: Questions, levels: Levels) -> None:
    if levels.by != "models" and not questions.has_votes:
        models = ", or ask for --difficulty models" if questions.counted else ""
        msg = (
            f"{questions.config} has no votes, so there is no difficulty by {levels.by}; give"
            f" --votes{models}"
        )
        raise ParameterError(msg)
