"""How each annotator did on the catch items, as paper C qualified its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from mcrc_adversarial.analysis import Column, ResultTable
from mcrc_adversarial.annotation.key import Key
from mcrc_adversarial.annotation.reading import Answer
from mcrc_adversarial.annotation.thresholds import Thresholds


@dataclass(frozen=True)
class Annotator:
    """One annotator's work.

    Attributes:
        name: of their place in the export.
        asked: items on the sheet.
        answered: items with an answer.
        catch_answered: catch items with an answer.
        catch_right: catch items answered right.
        seconds: median of an item's, None where none was measured.
        is_disqualified: too few catch items right.
        has_bonus: enough of them right.
    """

    name: str
    asked: int
    answered: int
    catch_answered: int
    catch_right: int
    seconds: float | None
    is_disqualified: bool
    has_bonus: bool

    @property
    def standing(self) -> str:
        """In words."""
        if not self.catch_answered:
            return "no catch item answered"
        if self.is_disqualified:
            return "below the threshold"
        return "bonus" if self.has_bonus else "qualified"


def judge_annotators(
    key: Key, answers: Iterable[Answer], thresholds: Thresholds
) -> list[Annotator]:
    """Every annotator of the key, also those without an answer."""
    given: dict[str, list[Answer]] = {name: [] for name in key.sheets}
    for answer in answers:
        given[answer.annotator].append(answer)
    return [_judge(name, key, own, thresholds) for name, own in given.items()]


def _judge(name: str, key: Key, answers: Sequence[Answer], thresholds: Thresholds) -> Annotator:
    catch = [
        answer.place is not None and item.order[answer.place] == item.label
        for answer in answers
        if (item := key.items[answer.item]).is_catch
    ]
    rate = sum(catch) / len(catch) if catch else None
    seconds = [answer.seconds for answer in answers if answer.seconds is not None]
    return Annotator(
        name=name,
        asked=len(key.sheets[name]),
        answered=len(answers),
        catch_answered=len(catch),
        catch_right=sum(catch),
        seconds=median(seconds) if seconds else None,
        is_disqualified=rate is not None and rate < thresholds.disqualified_below,
        has_bonus=rate is not None and rate >= thresholds.bonus_from,
    )


def annotators_table(
    key: Key, people: Sequence[Annotator], left_out: Sequence[str], thresholds: Thresholds
) -> ResultTable:
    """All annotators, with what follows from their catch items."""
    rows = tuple(
        (
            one.name,
            one.asked,
            one.answered,
            one.catch_answered,
            one.catch_right / one.catch_answered if one.catch_answered else None,
            one.standing,
            "no" if one.name in left_out else "yes",
            one.seconds,
        )
        for one in people
    )
    columns = (
        Column("annotator", "annotator"),
        Column("items", "items", "count"),
        Column("answered", "answered", "count"),
        Column("catch_items", "catch items answered", "count"),
        Column("catch_rate", "of these right, %", "fraction"),
        Column("standing", "standing"),
        Column("counts", "votes count"),
        Column("seconds", "median seconds an item", "number"),
    )
    n_catch = len({name for name, item in key.items.items() if item.is_catch})
    notes = (
        f"Catch items: questions with a known answer, {n_catch} different ones, in no other table.",
        f"Below the threshold: fewer than {thresholds.disqualified_below:.0%} right; bonus: at"
        f" least {thresholds.bonus_from:.0%} (paper C).",
        "Votes below the threshold are left out only where that was asked for.",
    )
    return ResultTable("annotators", "The annotators", columns, rows, notes)
