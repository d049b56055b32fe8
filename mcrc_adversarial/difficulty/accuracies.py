"""Paper C's table 1: people, models, M-avg and the gap, by source and collection method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mcrc_adversarial.analysis import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
)
from mcrc_adversarial.difficulty.agreement import agreement
from mcrc_adversarial.difficulty.cells import Cell, cells
from mcrc_adversarial.difficulty.columns import own_columns
from mcrc_adversarial.difficulty.paper_c import GROUPS
from mcrc_adversarial.difficulty.questions import ALL, MACRO, NOT_NAMED, Question, Questions
from mcrc_adversarial.scoring import FEWEST_PASSAGES, macro_average, spread

_PERCENT = 100


def accuracies(questions: Questions) -> Finding:
    """The table on valid questions, on high agreement, and of both rates; one without votes."""
    if not questions.has_votes:
        lines = cells(questions, questions.items)
        alone = "There are no votes: no human accuracy and no gap; models are compared alone."
        return Finding(
            (_table(questions, "all-questions", "all questions", lines),),
            _charts(questions, "all-questions", "all questions", lines),
            (alone, *_odd(questions)),
        )
    tables: list[ResultTable] = []
    charts: list[Chart] = []
    missing: list[str] = []
    for group, title in GROUPS.items():
        chosen = questions.valid if group == "valid" else questions.high_agreement
        slug = group.replace("_", "-")
        missing += _unjudged(questions, title, chosen)
        if not chosen:
            continue
        lines = cells(questions, chosen)
        tables.append(_table(questions, slug, title, lines))
        charts += _charts(questions, slug, title, lines)
        missing += _unmeasured(questions, title, chosen, lines)
    missing += _odd(questions)
    if any(one.judgement.valid is not None for one in questions.items):
        tables.append(agreement(questions))
    return Finding(tuple(tables), tuple(charts), tuple(missing))


def _unjudged(questions: Questions, title: str, chosen: Sequence[Question]) -> Iterator[str]:
    """Why no question is in a group, or not known to be."""
    n = len(questions.items)
    unknown = sum(one.judgement.valid is None for one in questions.items)
    needed = f"the {questions.rules.n_filter} votes that filter"
    if unknown == n:
        yield f"{title}: not known of any of the {n} questions, since none has {needed}."
    elif unknown:
        yield f"{title}: not known of {unknown} of {n} questions, which lack {needed}."
    elif not chosen:
        yield f"{title}: there are none among {n} questions."


def _unmeasured(
    questions: Questions, title: str, chosen: Sequence[Question], lines: Sequence[Cell]
) -> Iterator[str]:
    """What the numbers are not over, and why some are not there."""
    # Without models, the human accuracy alone.
    over = "human, M-avg and gap are" if questions.counted else "human is"
    bare = [one.source for one in lines if not one.is_whole and one.method == ALL]
    if bare:
        what = "no human answer or no M-avg" if questions.counted else "no human answer"
        yield (
            f"{title}: {what} on any question of {', '.join(bare)}: not in the mean over sources,"
            " nor in the spread."
        )
    without = sum(one.judgement.human is None for one in chosen)
    if without:
        yield (
            f"{title}: {without} of {len(chosen)} questions have too few votes for a human answer;"
            f" {over} over the others."
        )
    unanswered = sum(one.judgement.human is not None and one.models is None for one in chosen)
    if unanswered and questions.counted:
        yield f"{title}: questions without the answer of a model of M-avg: {unanswered}."


def _odd(questions: Questions) -> Iterator[str]:
    """Questions that cannot be answered wrong (`skip` in crowd-protocols), and repeated voters."""
    found = [one for one in questions.items if len(set(one.example.options)) == 1]
    if found:
        first = found[0].example
        n_valid = sum(one.judgement.valid is True for one in found)
        valid = f"; valid by their votes: {n_valid}" if questions.has_votes else ""
        yield (
            f"{questions.config}: questions with one text for all options: {len(found)} (the first"
            f" is {first.id!r}: {first.options[0]!r}){valid}. They count like any other."
        )
    twice = [
        one.example
        for one in questions.items
        if one.votes and len(set(one.votes.voters)) < len(one.votes.voters)
    ]
    if twice:
        yield (
            f"{questions.config}: questions with several votes of one person: {len(twice)} (the"
            f" first is {twice[0].id!r}). Each vote counts."
        )


def _table(questions: Questions, slug: str, title: str, lines: Sequence[Cell]) -> ResultTable:
    """People, M-avg and gap first, which a narrow screen shows, then each model."""
    has_votes, has_models = questions.has_votes, bool(questions.counted)
    columns = [Column("source", "source"), Column("method", "collected")]
    columns.append(Column("n", "questions", "count"))
    values: list[Callable[[Cell], Value]] = [lambda one: one.source, lambda one: one.method]
    values.append(lambda one: one.n)
    if has_votes:
        columns.append(Column("n_human", "with human answer", "count"))
        columns.append(Column("human", "human", "fraction"))
        values += [lambda one: one.n_human, lambda one: one.human]
    if has_models:
        columns.append(Column("m_avg", "M-avg", "fraction"))
        values.append(lambda one: one.models)
    if has_models and has_votes:
        columns.append(Column("gap", "gap, points", "points"))
        values.append(lambda one: one.gap)
    elif has_models:
        columns.append(Column("between", "best less worst model, points", "points"))
        values.append(lambda one: one.between)
    names = own_columns(questions.models, "model", (one.name for one in columns))
    columns += [
        Column(name, model, "fraction") for name, model in zip(names, questions.models, strict=True)
    ]
    return ResultTable(
        slug,
        f"{questions.config}, {title}: accuracy of {_measured(questions)} (%)",
        tuple(columns),
        tuple((*(value(line) for value in values), *line.each.values()) for line in lines),
        _notes(questions, lines),
    )


def _measured(questions: Questions) -> str:
    if not questions.has_votes:
        return "models"
    return "human, M-avg and gap" if questions.counted else "human"


def _notes(questions: Questions, lines: Sequence[Cell]) -> tuple[str, ...]:
    notes = [_of_models(questions)]
    if questions.has_votes:
        notes += questions.rules.sentences()
    if questions.has_votes and questions.counted:
        notes.append("Gap: human less M-avg.")
        if any(one.n_human < one.n for one in lines):
            notes.append(
                "Human, M-avg and gap are over the questions with a human answer and answers of all"
                " models of M-avg; each model's own column is over all questions that it answered."
            )
    notes.append(_intervals(questions))
    notes += _spread(questions, lines)
    if any(one.source == NOT_NAMED for one in lines):
        notes.append(f"{NOT_NAMED}: no source; not in the mean over sources, nor in the spread.")
    return tuple(notes)


def _by_wilson(questions: Questions) -> list[str]:
    """Fields of a cell whose values are accuracies, of questions right or wrong."""
    human = ["human"] if questions.has_votes and questions.rules.is_right_or_wrong else []
    return human + (["models"] if len(questions.counted) == 1 else [])


def _intervals(questions: Questions) -> str:
    """By which method each column has its intervals, and where there are none."""
    names = {"human": "human", "models": "M-avg"}
    wilson = " and ".join(names[field] for field in _by_wilson(questions))
    of_accuracies = f"of {wilson} Wilson's (none on one passage), " if wilson else ""
    return (
        f"95 % intervals, clustered by passage: {of_accuracies}of other means over passages drawn"
        f" with replacement (none on fewer than {FEWEST_PASSAGES} passages, nor where all questions"
        " have one value)."
    )


def _of_models(questions: Questions) -> str:
    if not questions.models:
        return "No model has answered: people's accuracy alone."
    if not questions.counted:
        return "M-avg leaves out all models: people's accuracy alone."
    left_out = f" without {', '.join(sorted(questions.left_out))}" if questions.left_out else ""
    return f"M-avg: mean of {len(questions.counted)} models{left_out}."


def _spread(questions: Questions, lines: Sequence[Cell]) -> Iterator[str]:
    if not (questions.has_votes and questions.counted):
        return
    gaps = [
        one.gap.value
        for one in lines
        if one.gap and one.source not in (ALL, MACRO, NOT_NAMED) and one.method == ALL
    ]
    if (deviation := spread(gaps)) is not None:
        yield (
            f"Gaps of the {len(gaps)} sources: {macro_average(gaps):.1f} on average, population"
            f" standard deviation {deviation:.1f} points."
        )
        return
    named = {one.source for one in questions.items} - {NOT_NAMED}
    what = {0: "No question names a source", 1: "There is one source"}
    yield f"{what.get(len(named), 'At most one source has a gap')}, so no spread over sources."


def _charts(
    questions: Questions, slug: str, title: str, lines: Sequence[Cell]
) -> tuple[Chart, ...]:
    """The gap of each source, a series a method; human accuracy without models, else M-avg."""
    field, y_label, scale, what = _shown(questions)
    shown = [one for one in lines if one.source != MACRO and getattr(one, field) is not None]
    sources = list(dict.fromkeys(one.source for one in shown))
    methods = list(dict.fromkeys(one.method for one in shown))
    series = []
    for method in methods:
        points = []
        for one in (one for one in shown if one.method == method):
            value: Estimate = getattr(one, field)
            low, high = (None if end is None else scale * end for end in value[1:])
            n = _n(questions, one)
            label = _label(questions, [line for line in shown if line.source == one.source])
            points.append(
                Point(sources.index(one.source), scale * value.value, low, high, n, label)
            )
        series.append(Series(f"collected: {method}" if method != ALL else "all", tuple(points)))
    if not series:
        return ()
    order = "; n in the order of the legend" if len(methods) > 1 else "; n: questions"
    return (
        Chart(
            name=f"{slug}-by-source",
            title=f"{what}, {title}",
            kind="bars",
            x_label="source",
            y_label=y_label,
            series=tuple(series),
            reference={"people as good as models": 0.0} if field == "gap" else {},
            ticks={},
            notes=(f"{_lines(questions, shown, field)}{order}.",),
        ),
    )


def _lines(questions: Questions, lines: Sequence[Cell], field: str) -> str:
    """What the lines of the figure are, and why some are not there."""
    fewest = 2 if field in _by_wilson(questions) else FEWEST_PASSAGES
    bare = [one for one in lines if getattr(one, field).low is None]
    if not bare:
        return "Lines: 95 % intervals over passages"
    is_few = [one.n_passages < fewest for one in bare]
    causes = [f"stand on fewer than {fewest} passages"] if any(is_few) else []
    causes += [] if all(is_few) else ["all have one value"]
    why = f"the questions {' or '.join(causes)}"
    if len(bare) == len(lines):
        return f"No intervals: {why}"
    return f"Lines: 95 % intervals over passages, none where {why}"


def _shown(questions: Questions) -> tuple[str, str, int, str]:
    """Field of a cell, label of the axis, scale, and title."""
    if not questions.has_votes:
        return "models", "M-avg, %", _PERCENT, "Accuracy of M-avg"
    if not questions.counted:
        return "human", "human accuracy, %", _PERCENT, "Human accuracy"
    return "gap", "gap, points", 1, "Gap between people and M-avg"


def _n(questions: Questions, one: Cell) -> int:
    return one.n_human if questions.has_votes else one.n


def _label(questions: Questions, lines: Sequence[Cell]) -> str:
    """The source with the questions of each series, as in `RACE (n 280, 283, 563)`."""
    return f"{lines[0].source} (n {', '.join(str(_n(questions, one)) for one in lines)})"
