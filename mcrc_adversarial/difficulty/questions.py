"""The questions of a study of difficulty: texts, people's answers, models' answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from mcrc_adversarial.analysis import Study
from mcrc_adversarial.comprehension_types import type_name
from mcrc_adversarial.difficulty.model_answers import of_columns, of_runs
from mcrc_adversarial.difficulty.vote_files import VotedQuestion
from mcrc_adversarial.difficulty.votes import Judgement, Rules, Votes, judge
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.scoring import human_model_gap

# What the difficulty of a question is measured by.
GAP, HUMAN, MODELS = "gap", "human", "models"
# Lines of tables that stand for no one source or method.
ALL, MACRO, NOT_NAMED = "all", "mean over sources", "(not named)"

# Paper C leaves it out of M-avg, and corpora's own columns hold it; runs are the user's choice.
LEFT_OUT = ("unifiedqa*",)


@dataclass(frozen=True)
class Question:
    """One question, and who got it right.

    Attributes:
        example: its texts.
        source: of its passage; `NOT_NAMED` where it is not told.
        method: that it was collected by; as above.
        votes: on it; None where there are none.
        judgement: what the votes say.
        right: model -> whether it got it right; a model that did not answer is not in it.
        models: mean over the models that count, from 0 to 1; None unless all of them answered.
        types: comprehension types, none where not told.
        writing_seconds: None where not known.
    """

    example: Example
    source: str
    method: str
    votes: Votes | None
    judgement: Judgement
    right: Mapping[str, bool]
    models: float | None
    types: tuple[str, ...] = ()
    writing_seconds: float | None = None

    @property
    def gap(self) -> float | None:
        """Human accuracy less that of the models, from -1 to 1."""
        if self.judgement.human is None or self.models is None:
            return None
        # 1 - 0.8 is to be 0.2 where thresholds are compared.
        return round(human_model_gap(self.judgement.human, self.models), 12)

    def difficulty(self, by: str) -> float | None:
        """The greater, the harder: the gap, or the error rate of people, or of the models."""
        if by == GAP:
            return self.gap
        value = self.judgement.human if by == HUMAN else self.models
        return None if value is None else round(1 - value, 12)


@dataclass(frozen=True)
class Questions:
    """The questions of a config.

    Attributes:
        config: its name.
        items: in row order.
        models: all models, in the order in which they came.
        left_out: models that M-avg leaves out.
        rules: by which votes were counted.
        has_votes: whether any question has votes.
    """

    config: str
    items: Sequence[Question]
    models: tuple[str, ...]
    left_out: frozenset[str]
    rules: Rules
    has_votes: bool

    @property
    def counted(self) -> tuple[str, ...]:
        """The models of M-avg."""
        return tuple(name for name in self.models if name not in self.left_out)

    def chosen(self, wanted: Callable[[Judgement], bool | None]) -> list[Question]:
        """Questions by what the votes say; all of them where there are no votes."""
        return [one for one in self.items if not self.has_votes or wanted(one.judgement)]

    @property
    def valid(self) -> list[Question]:
        """The valid ones."""
        return self.chosen(lambda one: one.valid)

    @property
    def which(self) -> str:
        """The valid ones, in titles."""
        return "valid questions" if self.has_votes else "all questions"

    @property
    def high_agreement(self) -> list[Question]:
        """Those with high agreement."""
        return self.chosen(lambda one: one.high_agreement)


def gather(
    config: str,
    examples: Sequence[Example],
    *,
    rules: Rules,
    study: Study | None = None,
    voted: Mapping[str, VotedQuestion] | None = None,
    leave_out: Sequence[str] | None = None,
    needs_models: bool = True,
) -> Questions:
    """Set votes and answers beside the questions.

    Args:
        config: name of the original config.
        examples: its rows.
        rules: for the votes.
        study: runs that answered the config; without them the corpus's own model columns count.
        voted: votes by question id, instead of the corpus's own.
        leave_out: names of models, or patterns with `*`, that M-avg leaves out, in any case;
            None: `LEFT_OUT` of a corpus's own models, none of runs.
        needs_models: whether there is nothing to say without a model.

    Raises:
        DataError: votes or answers are of other questions, or no model answered.
        ParameterError: a name of `leave_out` is no model's.
    """
    _check_voted(config, examples, voted or {})
    answers = of_runs(study, config, examples) if study else of_columns(examples)
    models = tuple(dict.fromkeys(name for right in answers.values() for name in right))
    _check_left_out(config, models, leave_out or ())
    left_out = _left_out(models, leave_out, () if study else LEFT_OUT)
    counted = [name for name in models if name not in left_out]
    if needs_models and not counted:
        raise _no_model(config, models, has_votes=_has_votes(examples, voted))
    items = [
        _question(one, (voted or {}).get(one.id), answers[one.id], counted, rules, voted is None)
        for one in examples
    ]
    has_votes = any(one.votes is not None for one in items)
    return Questions(config, items, models, left_out, rules, has_votes)


def _check_voted(
    config: str, examples: Sequence[Example], voted: Mapping[str, VotedQuestion]
) -> None:
    if unknown := sorted(set(voted) - {example.id for example in examples}):
        msg = f"there are votes on {unknown[0]!r}, which is no question of {config}"
        raise DataError(msg)


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name.casefold(), pattern.casefold())


def _check_left_out(config: str, models: Sequence[str], patterns: Sequence[str]) -> None:
    for pattern in patterns:
        if pattern and models and not any(_matches(name, pattern) for name in models):
            msg = (
                f"{config}: --leave-out {pattern!r} is the name of no model; there are"
                f" {', '.join(models)}"
            )
            raise ParameterError(msg)


def _left_out(
    models: Sequence[str], asked: Sequence[str] | None, default: Sequence[str]
) -> frozenset[str]:
    """The models that M-avg leaves out."""
    patterns = default if asked is None else asked
    return frozenset(name for name in models if any(_matches(name, one) for one in patterns))


def _has_votes(examples: Sequence[Example], voted: Mapping[str, VotedQuestion] | None) -> bool:
    if voted is not None:
        return any(one.votes.options for one in voted.values())
    return any(one.facts.get("votes") for one in examples)


def _no_model(config: str, models: Sequence[str], *, has_votes: bool) -> DataError:
    fewer = ", or fewer names with --leave-out" if models else ""
    runs = f"give runs that were scored on it with --runs{fewer}"
    if not has_votes:
        return DataError(
            f"{config}: no model of M-avg has answered, and there are no votes; {runs}, or people's"
            " votes with --votes and --difficulty human"
        )
    return DataError(
        f"{config}: no model of M-avg has answered; {runs}, or ask for --difficulty human, which"
        " needs votes alone"
    )


def _question(
    example: Example,
    voted: VotedQuestion | None,
    right: Mapping[str, bool],
    counted: Sequence[str],
    rules: Rules,
    own_votes: bool,
) -> Question:
    facts: Mapping[str, Any] = example.facts
    votes = voted.votes if voted else _own_votes(facts) if own_votes else None
    # An empty list says as much about a question as none.
    votes = votes if votes and votes.options else None
    if votes and any(
        one is not None and not 0 <= one < len(example.options) for one in votes.options
    ):
        msg = f"question {example.id!r}: a vote names no option; it has {len(example.options)}"
        raise DataError(msg)
    answered = [right[name] for name in counted if name in right]
    writing = facts.get("writing_seconds")
    types: Sequence[str] = (voted.types if voted else ()) or facts.get("types") or ()
    return Question(
        example,
        _place((voted and voted.source) or facts.get("source")),
        _place((voted and voted.method) or facts.get("method")),
        votes,
        judge(votes, example.label, example.id, rules) if votes else Judgement(),
        right,
        sum(answered) / len(answered) if answered and len(answered) == len(counted) else None,
        tuple(dict.fromkeys(map(type_name, types))),
        voted.writing_seconds if voted and voted.writing_seconds is not None else writing,
    )


def _place(name: object) -> str:
    """A source or method; in quotation marks where tables mean something else by its name."""
    if not name:
        return NOT_NAMED
    return f'"{name}"' if name in (ALL, MACRO, NOT_NAMED) else str(name)


def _own_votes(facts: Mapping[str, Any]) -> Votes | None:
    if not facts.get("votes"):
        return None
    filtering, measuring = facts.get("filter_votes"), facts.get("human_votes")
    return Votes(
        tuple(None if one < 0 else one for one in facts["votes"]),
        tuple(facts.get("vote_seconds") or ()),
        None if filtering is None else tuple(filtering),
        None if measuring is None else tuple(measuring),
        tuple(facts.get("voters") or ()),
    )
