"""Do our numbers agree with those that paper A prints? Both side by side, never mixed."""

from __future__ import annotations

from collections.abc import Iterator

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._cells import cell
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import ORIGINAL_ROW, PARTS_OF_RACE, configs_of, plain_corpora
from mcrc_adversarial.analysis._paper_a import NAME, TRAINING_ATTACKS, printed
from mcrc_adversarial.analysis._results import Column, Finding, ResultTable, Value
from mcrc_adversarial.analysis._study import Study, System

_FRACTION = 100


@register(
    "beside-paper-a",
    title="Beside the figures that paper A prints",
    order=30,
    source="Paper A (Si et al. 2019), tables 2 and 3",
)
def beside_paper_a(study: Study) -> Finding:
    """Only where the report was asked to compare."""
    if NAME not in study.papers:
        return Finding()
    tables = [
        table(study, system) for system in study.systems for table in (_attacked, _unanswerable)
    ]
    missing = [gap for system in study.systems for gap in _whole_race(system)]
    if not missing and not any(one.rows for one in tables):
        missing.append(Gap("paper A has none of these corpora", weight=Weight.ASIDE))
    return Finding(tuple(table for table in tables if table.rows), missing=tuple(missing))


def _whole_race(system: System) -> Iterator[Gap]:
    """Where RACE was scored as a whole: its model is one, the paper's are one a level."""
    scored = set(system.corpora())
    if "race" in scored and not scored >= PARTS_OF_RACE:
        parts = " and ".join(sorted(PARTS_OF_RACE, reverse=True))
        why = f"race: paper A prints {parts}, not both together; score these to compare"
        yield Gap(why, system.name, weight=Weight.LACKS_DATA)


def _notes(part: str) -> tuple[str, ...]:
    paper = printed()
    return (
        f"Printed: {paper['source']}, {paper[part]['source']}, {paper['model']}.",
        *paper["notes"],
    )


def _attacked(study: Study, system: System) -> ResultTable:
    table = printed()["table2"]
    rows: list[tuple[Value, ...]] = []
    for corpus, name, config in configs_of(system, plain_corpora(system)):
        of_attack = table["attacks"].get(name, {"accuracy": {}, "change": {}})
        theirs = table["original"] if name == ORIGINAL_ROW else of_attack["accuracy"]
        found = cell(study, system, config)
        if corpus in theirs and not isinstance(found, str):
            score = found.score
            change = of_attack["change"].get(corpus)
            accuracy = theirs[corpus] / _FRACTION
            rows.append((corpus, name, score.accuracy, accuracy, score.change, change))
    return ResultTable(
        f"table-2-beside-paper-a-{system.slug}",
        f"{system.name} beside paper A's table 2",
        (
            Column("corpus", "corpus"),
            Column("attack", "attack"),
            Column("accuracy_measured", "accuracy measured, %", "fraction"),
            Column("accuracy_printed", "accuracy printed, %", "fraction"),
            Column("change_measured", "change measured, %", "percent"),
            Column("change_printed", "change printed, %", "percent"),
        ),
        tuple(rows),
        _notes("table2"),
    )


def _unanswerable(study: Study, system: System) -> ResultTable:
    table = printed()["table3"]["training"]
    rows: list[tuple[Value, ...]] = []
    for condition in TRAINING_ATTACKS:
        for corpus, theirs in table[condition].items():
            found = cell(study, system, corpus, condition)
            if not isinstance(found, str):
                rows.append((corpus, condition, found.score.accuracy, theirs / _FRACTION))
    return ResultTable(
        f"table-3-beside-paper-a-{system.slug}",
        f"{system.name} beside paper A's table 3",
        (
            Column("corpus", "corpus"),
            Column("training", "trained on"),
            Column("accuracy_measured", "accuracy measured, %", "fraction"),
            Column("accuracy_printed", "accuracy printed, %", "fraction"),
        ),
        tuple(rows),
        _notes("table3"),
    )
