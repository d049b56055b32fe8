"""Comprehension types of questions, where these have labels; a question may have several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

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
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES
from mcrc_adversarial.difficulty.columns import own_columns
from mcrc_adversarial.difficulty.levels import EASY, HARD, MID, Levels, by_level
from mcrc_adversarial.difficulty.questions import ALL, Question, Questions
from mcrc_adversarial.difficulty.slugs import slugs
from mcrc_adversarial.scoring import wilson_interval

_Z = 1.959963984540054


def types(questions: Questions, levels: Levels) -> Finding:
    """Shares of the types by source and method, and in easy, mid and hard questions."""
    labelled = [one for one in questions.high_agreement if one.types]
    if not labelled:
        return Finding(missing=(_unlabelled(questions),))
    names = _names(labelled)
    by_place = _places(labelled)
    of_level = {
        level: [one for one in found if one.types]
        for level, found in by_level(questions, levels).items()
    }
    tables = (
        _table("types-by-source", f"{questions.config}: comprehension types", names, by_place),
        _table(
            "types-by-difficulty",
            f"{questions.config}: comprehension types of easy, mid and hard questions",
            names,
            _by_method_and_level(of_level),
            levels.sentence(),
        ),
    )
    return Finding(tables, _charts(questions, names, by_place, of_level))


def _unlabelled(questions: Questions) -> str:
    n = sum(bool(one.types) for one in questions.items)
    if not n:
        return f"{questions.config}: no question has a comprehension type."
    unknown = sum(one.judgement.high_agreement is None for one in questions.items if one.types)
    why = f", and of {unknown} it is not known for want of votes" if unknown else ""
    return (
        f"{questions.config}: {n} questions have a comprehension type, but none of them is known to"
        f" have high agreement{why}; types are counted among those alone."
    )


def _names(labelled: Sequence[Question]) -> list[str]:
    """The types of paper C that occur, in its order, then others by name."""
    found = {name for one in labelled for name in one.types}
    known = [name for name in COMPREHENSION_TYPES if name in found]
    return [*known, *sorted(found - set(known))]


def _places(labelled: Sequence[Question]) -> list[tuple[str, str, list[Question]]]:
    sources, methods = ({getattr(one, name): None for one in labelled} for name in _FIELDS)
    places = []
    for source in (*(sources if len(sources) > 1 else ()), ALL):
        for method in (*(methods if len(methods) > 1 else ()), ALL):
            found = [
                one
                for one in labelled
                if source in (ALL, one.source) and method in (ALL, one.method)
            ]
            if found:
                places.append((source, method, found))
    return places


def _by_method_and_level(
    of_level: dict[str, list[Question]],
) -> list[tuple[str, str, list[Question]]]:
    """The questions of a level by method, where there are several, and all of them."""
    methods = dict.fromkeys(one.method for found in of_level.values() for one in found)
    return [
        (level, method, part)
        for level, found in of_level.items()
        for method in (*(methods if len(methods) > 1 else ()), ALL)
        if (part := [one for one in found if method in (ALL, one.method)])
    ]


_FIELDS = ("source", "method")


def _share(found: Sequence[Question], name: str) -> Estimate | None:
    if not found:
        return None
    share = sum(name in one.types for one in found) / len(found)
    return Estimate(share, *wilson_interval(share, len(found), _Z))


def _table(
    name: str,
    title: str,
    names: Sequence[str],
    places: Sequence[tuple[str, str, list[Question]]],
    note: str = "",
) -> ResultTable:
    rows: list[tuple[Value, ...]] = []
    for source, method, found in places:
        counts = Counter(len(set(one.types)) for one in found)
        n_labels = [sum(counts[n] for n in counts if n >= least) for least in (1, 2, 3)]
        one, two = n_labels[0] - n_labels[1], n_labels[1] - n_labels[2]
        shares = [_share(found, type_) for type_ in names]
        rows.append((source, method, len(found), *shares, one, two, n_labels[2]))
    before = (
        Column("group", "group"),
        Column("method", "collected"),
        Column("n", "questions", "count"),
    )
    behind = (
        Column("one", "one label", "count"),
        Column("two", "two", "count"),
        Column("more", "three or more", "count"),
    )
    own = own_columns(names, "type", (one.name for one in (*before, *behind)))
    middle = [
        Column(column, f"{type_}, %", "fraction") for column, type_ in zip(own, names, strict=True)
    ]
    return ResultTable(
        name,
        title,
        (*before, *middle, *behind),
        tuple(rows),
        (
            "Percent of the questions with high agreement that have a label; several labels a"
            f" question make more than 100. 95 % intervals: Wilson's. {note}".rstrip(),
        ),
    )


def _charts(
    questions: Questions,
    names: Sequence[str],
    places: Sequence[tuple[str, str, list[Question]]],
    of_level: dict[str, list[Question]],
) -> tuple[Chart, ...]:
    groups = _by_method(places, ALL)
    charts = [_chart(questions, "types-by-method", "Comprehension types", names, groups)]
    sources = list(dict.fromkeys(source for source, _, _ in places if source != ALL))
    for slug, source in zip(slugs(sources), sources, strict=True):
        title = f"Comprehension types, {source}"
        found = _by_method(places, source)
        charts.append(_chart(questions, f"types-of-{slug}", title, names, found))
    charts += _by_difficulty(questions, names, of_level)
    return tuple(charts)


def _by_difficulty(
    questions: Questions, names: Sequence[str], of_level: dict[str, list[Question]]
) -> Iterator[Chart]:
    """Of each collection method, where there are several, and of all (paper C, figure 4)."""
    methods = list(dict.fromkeys(one.method for found in of_level.values() for one in found))
    places = [(f"-{slug}", one) for slug, one in zip(slugs(methods), methods, strict=True)]
    for slug, method in (("", ALL), *(places if len(methods) > 1 else ())):
        levels = [
            (level, [one for one in of_level[level] if method in (ALL, one.method)])
            for level in (EASY, MID, HARD)
        ]
        levels = [(level, found) for level, found in levels if found]
        which = f", collected: {method}" if method != ALL else ""
        if levels:
            title = f"Comprehension types by difficulty{which}"
            yield _chart(questions, f"types-by-difficulty{slug}", title, names, levels)


def _by_method(
    places: Sequence[tuple[str, str, list[Question]]], source: str
) -> list[tuple[str, list[Question]]]:
    """The questions of a source, a group a method; in one group where there is one method."""
    found = [(method, group) for place, method, group in places if place == source]
    parts = [(f"collected: {method}", group) for method, group in found if method != ALL]
    return parts or [("all", group) for _, group in found]


def _chart(
    questions: Questions,
    slug: str,
    title: str,
    names: Sequence[str],
    groups: Sequence[tuple[str, Sequence[Question]]],
) -> Chart:
    series = []
    for label, found in groups:
        points = []
        for number, name in enumerate(names):
            share = _share(found, name)
            assert share is not None
            low, high = (None if end is None else 100 * end for end in share[1:])
            points.append(Point(number, 100 * share.value, low, high, len(found), name))
        series.append(Series(f"{label} (n {len(found)})", tuple(points)))
    return Chart(
        name=slug,
        title=f"{title}, {questions.config}",
        kind="bars",
        x_label="type",
        y_label="questions with the label, %",
        series=tuple(series),
        reference={},
        ticks={},
        notes=("Lines: Wilson's 95 % intervals.",),
    )
