"""What the two attacks have in common whose distractors come from a model's candidates.

Source: paper B (AdvRACE, arXiv:2004.14004); the rules are those of its code, Attacks/DE and
Attacks/DG (the paper's own text was not at hand). The last step, shared by both, is
transform_distractor.py there: where a question asks which of the following is true, a text out of
the passage is true as well, so each distractor is altered until it is false.

Where this departs from the code: no distractor equals the answer, and none that fills up one that
is there (case-folded, word by word, marks at the ends left out); where even the original
distractors that may fill up are too few, the one that stood there stays; `n't` counts as `not`;
besides, what `_falsehoods` says. As in the code, a distractor may contain the answer; `following`,
`true` and `not` are looked for anywhere, in parts of words too; and a question that asks for all
that is true EXCEPT one counts as asking for what is true.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import (
    Attacked,
    Change,
    Parameter,
    in_order,
    is_attacked,
    register,
)
from mcrc_adversarial.attacks._falsehoods import (
    NEIGHBOURS_PARAMETER,
    Falsifier,
    Piece,
    edited,
    make_falsifier,
    resource_names,
)
from mcrc_adversarial.candidates import Task
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.seeding import Draws
from mcrc_adversarial.words import bare_key

_TRUE_QUESTIONS = ("falsify", "leave")
_NEGATIONS = ("not", "n't", "n\u2019t")


class Pick(NamedTuple):
    """A text that becomes a distractor, and where it is from, in words."""

    text: str
    how: str


# (example, candidates, their source) -> the picks, at most as many as there are distractors, none
# equal to the answer; and what was wrong with the candidates.
Chooser: TypeAlias = Callable[[Example, Sequence[str], str], tuple[list[Pick], set[str]]]


def register_chooser(
    task: Task, *, version: int, code: str, summary: str
) -> Callable[[Chooser], Chooser]:
    """Decorate what chooses among a task's candidates, to register the attack that does so.

    Args:
        task: whose candidates are chosen among.
        version: of the attack.
        code: where the paper's code has it.
        summary: of the attack, for tables.
    """

    def add(choose: Chooser) -> Chooser:
        def attack(
            example: Example, draws: Draws, *, neighbours: str, true_questions: str, **files: str
        ) -> Attacked:
            file = candidates.read(files[task.parameter], task)
            picks, reasons = choose(example, file.of(example), file.source)
            return with_distractors(
                example, picks, reasons, _falsifier_of(neighbours, true_questions, draws)
            )

        register(
            task.attack,
            version=version,
            paper="B",
            source=f"arXiv:2004.14004, {task.attack.replace('-', ' ')} (NoviScl/AdvRACE, {code})",
            touches=("options",),
            summary=summary,
            parameters=_parameters_of(task),
            has_lineage=True,
            needs=_needs,
            task=task,
        )(attack)
        return choose

    return add


def _check_file(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        msg = f"candidates are {value!r}; the name of a file that `candidates` wrote is needed"
        raise ParameterError(msg)
    return value


def _check_true_questions(value: object) -> str:
    if not isinstance(value, str) or value not in _TRUE_QUESTIONS:
        msg = f"true_questions is {value!r}; it must be one of {', '.join(_TRUE_QUESTIONS)}"
        raise ParameterError(msg)
    return value


def _parameters_of(task: Task) -> tuple[Parameter, ...]:
    """The parameters of an attack that chooses among the candidates of a task."""
    return (
        Parameter(
            name=task.parameter,
            default="",
            check=_check_file,
            parse=str,
            help=f"file of candidates: mcrc-adversarial candidates --task {task.name}",
        ),
        NEIGHBOURS_PARAMETER,
        Parameter(
            name="true_questions",
            default="falsify",
            check=_check_true_questions,
            parse=str,
            help="where the question asks what is true: falsify the distractors, or leave them",
        ),
    )


def _needs(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The resources that the last step needs."""
    if parameters["true_questions"] == "leave":
        return ()
    return resource_names(parameters["neighbours"])


def with_distractors(
    example: Example,
    picks: Sequence[Pick],
    reasons: set[str],
    falsifier: Callable[[], Falsifier] | None = None,
) -> Attacked:
    """Put the picks in the distractors' place, originals behind them, and falsify where asked.

    Args:
        example: the original.
        picks: at most as many as there are distractors, none equal to the answer.
        reasons: why the picks are not as they should be; added to.
        falsifier: makes what alters the distractors of a question about what is true; None to
            leave them.
    """
    places = [place for place in range(len(example.options)) if place != example.label]
    chosen = [*picks, *_fill_up(example, picks)][: len(places)]
    if len(picks) < len(places):
        reasons.add("few-candidates")
    pieces = {
        place: _piece(example.options[place], pick)
        for place, pick in zip(places, chosen, strict=False)
    }
    if falsifier is not None and asks_for_truth(example.question):
        _falsify(example, pieces, falsifier(), reasons)
    return _finished(example, pieces, reasons)


def _fill_up(example: Example, picks: Iterable[Pick]) -> list[Pick]:
    """Original distractors in order, without repeats of a pick, of one another, or the answer."""
    taken = {bare_key(example.answer), *(bare_key(pick.text) for pick in picks)}
    found = []
    for text in example.distractors:
        if (key := bare_key(text)) not in taken:
            taken.add(key)
            found.append(Pick(text, "original distractor"))
    return found


def _piece(before: str, pick: Pick) -> Piece:
    if pick.text == before:
        return Piece(before)
    return Piece(pick.text, (Change("", 0, before, pick.text, pick.how),))


def asks_for_truth(question: str) -> bool:
    """Whether the question asks which of the following is true, not which is not.

    >>> asks_for_truth("Which of the following is TRUE?"), asks_for_truth("Which is true?")
    (True, False)
    """
    lower = question.lower()
    asks = "following" in lower and "true" in lower
    return asks and not any(negation in lower for negation in _NEGATIONS)


def _falsify(
    example: Example, pieces: dict[int, Piece], falsifier: Falsifier, reasons: set[str]
) -> None:
    answer = bare_key(example.answer)
    for place in range(len(example.options)):
        if place == example.label:
            continue
        piece = pieces.get(place, Piece(example.options[place]))
        edits = falsifier.statement(piece.text)
        false = edited(piece.text, edits)
        if not edits:
            reasons.add("not-falsified")
        elif bare_key(false.text) == answer:
            reasons.add("equals-answer")
        else:
            pieces[place] = Piece(false.text, (*piece.changes, *false.changes))


def _finished(example: Example, pieces: Mapping[int, Piece], reasons: set[str]) -> Attacked:
    options, changes = list(example.options), list[Change]()
    for place, piece in sorted(pieces.items()):
        options[place] = piece.text
        changes += (one._replace(text=f"option {LETTERS[place]}") for one in piece.changes)
    keys = Counter(bare_key(text) for place, text in enumerate(options) if place != example.label)
    altered = (now for now, was in zip(options, example.options, strict=True) if now != was)
    if any(keys[bare_key(text)] > 1 for text in altered):
        reasons.add("duplicate-distractors")
    attacked = Attacked(
        passage=example.passage,
        question=example.question,
        options=tuple(options),
        shuffle_degree=(None,) * len(options),
        changes=tuple(changes),
    )
    if not is_attacked(example, attacked) and not reasons:
        reasons.add("same-text")
    return Attacked(
        attacked.passage,
        attacked.question,
        attacked.options,
        attacked.shuffle_degree,
        in_order(reasons),
        changes=attacked.changes,
    )


def _falsifier_of(
    neighbours: str, true_questions: str, draws: Draws
) -> Callable[[], Falsifier] | None:
    """What `with_distractors` takes; nothing is loaded or drawn before it is asked for."""
    if true_questions == "leave":
        return None
    return lambda: make_falsifier(neighbours, draws.question())
